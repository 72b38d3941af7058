#include "wire/table_names.h"

namespace dolmen::wire {

Result<Table> OpenTable(const Context& context, const JsonObject& request) {
  return context.database.OpenTable(TableNameOf(StringMember(request, "TableName")));
}

}  // namespace dolmen::wire
