#include "wire/table_names.h"

namespace dolmen::wire {
namespace {

constexpr std::string_view kTables = "arn:aws:dynamodb:ddblocal:000000000000:table/";

}  // namespace

std::string TableArn(std::string_view name) { return std::string(kTables).append(name); }

std::string IndexArn(std::string_view table, std::string_view index) {
  return TableArn(table).append("/index/").append(index);
}

std::string_view TableNameOf(std::string_view name_or_arn) {
  if (!name_or_arn.starts_with("arn:")) return name_or_arn;
  constexpr std::string_view kTable = ":table/";
  const std::size_t table = name_or_arn.find(kTable);
  if (table == name_or_arn.npos) return {};
  name_or_arn.remove_prefix(table + kTable.size());
  return name_or_arn.find('/') == name_or_arn.npos ? name_or_arn : std::string_view();
}

Result<Table> OpenTable(const Context& context, const JsonObject& request) {
  return context.database.OpenTable(TableNameOf(StringMember(request, "TableName")));
}

}  // namespace dolmen::wire
