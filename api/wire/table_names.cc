#include "wire/table_names.h"

#include "wire/managed_table.h"

namespace dolmen::wire {

Result<Table> OpenTable(const Context& context, const JsonObject& request) {
  return OpenNamedTable(context, StringMember(request, "TableName"));
}

Result<Table> OpenNamedTable(const Context& context, std::string_view name_or_arn) {
  const std::string_view name = TableNameOf(name_or_arn);
  if (context.table_delay.count() > 0) {
    const auto table = context.database.DescribeTable(name, ContentSizes::kOmit);
    if (table.ok() && IsCreating(context, *table)) {
      return Status::ResourceNotFound("Requested resource not found");
    }
  }
  return context.database.OpenTable(name);
}

}  // namespace dolmen::wire
