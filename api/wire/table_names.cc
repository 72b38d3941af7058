#include "wire/table_names.h"

namespace dolmen::wire {

Result<Table> OpenTable(const Context& context, const JsonObject& request) {
  return OpenNamedTable(context, StringMember(request, "TableName"));
}

Result<Table> OpenNamedTable(const Context& context, std::string_view name_or_arn) {
  return context.database.OpenTable(TableNameOf(name_or_arn));
}

}  // namespace dolmen::wire
