// Fuzzes PartiQL statements: the parser, and the execution of the statement on a small table.
//
// Input: the text of a statement. Each `?` in it gets the same parameter.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "database/statement/syntax/statement_parser.h"
#include "dolmen/database.h"
#include "tests/fuzz/require.h"

namespace dolmen::fuzz {
namespace {

const Database& SharedDatabase() {
  static const Database* const database = [] {
    auto* const made = new Database(*Database::InMemory());
    const auto table = made->CreateTable({.name = "Tbl"});
    Require(table.ok(), "the table is created");
    for (const char* sk : {"0", "1", "2"}) {
      const Item item = {{"PK", "a"}, {"SK", sk}, {"v", 1}, {"m", Map{{"x", 1}}}};
      Require(table->PutItem({.item = item}).ok(), "the item is put");
    }
    return made;
  }();
  return *database;
}

void Execute(std::string_view text, std::size_t parameter_count) {
  ExecuteStatementOutput output;
  const Status executed =
      SharedDatabase().ExecuteStatement({.statement = std::string(text),
                                         .parameters = List(parameter_count, AttributeValue("a")),
                                         .additions = true},
                                        &output);
  if (executed.ok()) {
    for (const ItemView item : output.page) Require(item.Check().ok(), "an item is sound");
    return;
  }
  const StatusCode code = executed.code();
  const bool other = code == StatusCode::kResourceNotFound || code == StatusCode::kDuplicateItem ||
                     code == StatusCode::kConditionalCheckFailed;
  RequireShowable(executed, other ? code : StatusCode::kValidation);
}

}  // namespace
}  // namespace dolmen::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = dolmen::database::ParseStatement(text, /*additions=*/true);
  dolmen::fuzz::RequireShowable(parsed.status(), dolmen::StatusCode::kValidation);
  if (parsed.ok()) dolmen::fuzz::Execute(text, parsed->parameter_count);
  return 0;
}
