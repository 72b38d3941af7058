// Tests of a table's description while an index is being built. A build ends too quickly to be
// observed through the endpoint.

#include "wire/table_description.h"

#include <string>

#include "tests/wire/tables.h"

namespace dolmen {
namespace {

std::string Describe(const TableDescription& table, TableStatus status) {
  std::string json;
  wire::JsonWriter writer(&json);
  wire::WriteTable(table, {.status = status}, &writer);
  return json;
}

TEST(TableDescriptionTest, AnIndexInCreationIsBackfilling) {
  TableDescription table{.name = "table"};
  table.global_secondary_indexes = {{.index = GlobalSecondaryIndex::Overloaded("GSI1"),
                                     .status = IndexStatus::kCreating,
                                     .backfill = BackfillProgress{},
                                     .content = {.item_count = 3, .size_bytes = 100}}};
  const std::string json = Describe(table, TableStatus::kActive);
  for (const std::string_view part :
       {R"("TableStatus":"ACTIVE")", R"("IndexStatus":"CREATING","Backfilling":true,)",
        R"("IndexSizeBytes":100,"ItemCount":3,)"}) {
    EXPECT_NE(json.find(part), json.npos) << part << " in " << json;
  }
}

// The endpoint stores its settings under the annotation "dolmen:wire". A program can store any
// other value there, and the endpoint must ignore a value of an unexpected form.
TEST(TableDescriptionTest, AnnotationsOfAnUnexpectedFormAreIgnored) {
  const TableDescription plain{.name = "table"};
  const std::string expected = Describe(plain, TableStatus::kActive);
  for (const Map& annotations :
       {Map{{"dolmen:wire", "mine"}}, Map{{"dolmen:wire", Map{{"Indexes", 1}, {"Tags", "none"}}}},
        Map{{"dolmen:wire", Map{{"BillingModeSummary", Map{}}, {"SSEDescription", List{}}}}}}) {
    TableDescription table = plain;
    table.annotations = annotations;
    EXPECT_EQ(Describe(table, TableStatus::kActive), expected);
  }
}

}  // namespace
}  // namespace dolmen
