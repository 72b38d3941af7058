// Tests of the attributes that index entries hold and that queries of an index return.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.Projections
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LSI.html

#include <optional>
#include <string>
#include <vector>

#include "tests/behaviour/fixture.h"

namespace dolmen::behaviour {
namespace {

class IndexProjectionTest : public testing::Test {
 protected:
  static CreateTableInput Input() {
    const auto global = [](const std::string& name, ProjectionType projection,
                           std::vector<std::string> attributes = {}) {
      return GlobalSecondaryIndex{.name = name,
                                  .partition_key = {{"g"}},
                                  .sort_key = {{"h"}},
                                  .projection = projection,
                                  .non_key_attributes = std::move(attributes)};
    };
    const auto local = [](const std::string& name, ProjectionType projection,
                          std::vector<std::string> attributes = {}) {
      return LocalSecondaryIndex{.name = name,
                                 .sort_key = {"l"},
                                 .projection = projection,
                                 .non_key_attributes = std::move(attributes)};
    };
    return {.name = "projections",
            .global_secondary_indexes = {global("all", ProjectionType::kAll),
                                         global("keys", ProjectionType::kKeysOnly),
                                         global("some", ProjectionType::kInclude, {"x", "z"})},
            .local_secondary_indexes = {local("local_all", ProjectionType::kAll),
                                        local("local_keys", ProjectionType::kKeysOnly),
                                        local("local_some", ProjectionType::kInclude, {"x"})}};
  }

  void SetUp() override {
    auto table = db_->CreateTable(Input());
    ASSERT_THAT(table, IsOk());
    table_ = *table;
    ASSERT_THAT(table_->PutItem({.item = {{"PK", "p"},
                                          {"SK", "s"},
                                          {"g", "G"},
                                          {"h", "H"},
                                          {"l", "L"},
                                          {"x", 1},
                                          {"y", 2},
                                          {"m", Map{{"k", "deep"}}}}}),
                IsOk());
  }

  static QueryInput In(const std::string& index) {
    return {.index = index, .key_condition = Partition(index.starts_with("local") ? "p" : "G")};
  }

  // Returns the only item of the page as text. Returns an empty text if the page has no item or
  // several items.
  std::string Item(const QueryInput& input) {
    const auto page = table_->Query(input);
    EXPECT_THAT(page, IsOk());
    return page.ok() && page->size() == 1 ? (*page)[0].ToString() : "";
  }

  Status Refusal(const QueryInput& input) { return table_->Query(input).status(); }

  Result<Database> db_ = Database::InMemory();
  std::optional<Table> table_;
};

const char* const kWhole =
    R"({PK: "p", SK: "s", g: "G", h: "H", l: "L", m: {k: "deep"}, x: 1, y: 2})";

TEST_F(IndexProjectionTest, EntriesHoldTheProjectedAttributes) {
  EXPECT_EQ(Item(In("all")), kWhole);
  EXPECT_EQ(Item(In("keys")), R"({PK: "p", SK: "s", g: "G", h: "H"})");
  EXPECT_EQ(Item(In("some")), R"({PK: "p", SK: "s", g: "G", h: "H", x: 1})");
  EXPECT_EQ(Item(In("local_all")), kWhole);
  EXPECT_EQ(Item(In("local_keys")), R"({PK: "p", SK: "s", l: "L"})");
  EXPECT_EQ(Item(In("local_some")), R"({PK: "p", SK: "s", l: "L", x: 1})");
}

TEST_F(IndexProjectionTest, EntriesChangeWithTheItem) {
  const dolmen::Item key{{"PK", "p"}, {"SK", "s"}};
  ASSERT_THAT(table_->UpdateItem({.key = key, .update = "SET x = x + y, z = y REMOVE y"}), IsOk());
  EXPECT_EQ(Item(In("some")), R"({PK: "p", SK: "s", g: "G", h: "H", x: 3, z: 2})");
  EXPECT_EQ(Item(In("local_some")), R"({PK: "p", SK: "s", l: "L", x: 3})");
  ASSERT_THAT(table_->UpdateItem({.key = key, .update = "REMOVE g"}), IsOk());
  for (const char* index : {"all", "keys", "some"}) {
    EXPECT_EQ(table_->Query(In(index))->count(), 0u) << index;
  }
  EXPECT_EQ(Item(In("local_keys")), R"({PK: "p", SK: "s", l: "L"})");
}

// A global index never reads the table, so a query returns only attributes that the index projects.
TEST_F(IndexProjectionTest, AGlobalIndexRejectsAttributesThatItDoesNotProject) {
  QueryInput input = In("some");
  input.projection = "x, y";
  EXPECT_THAT(
      Refusal(input),
      StatusIs(kValidation,
               "One or more parameter values were invalid: Global secondary index some does "
               "not project [y]"));
  input.projection = "x, PK";
  EXPECT_EQ(Item(input), R"({PK: "p", x: 1})");
  input.projection = {};
  input.select = Select::kAllAttributes;
  EXPECT_THAT(Refusal(input),
              StatusIs(kValidation,
                       "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is "
                       "not supported for global secondary index some because its projection type "
                       "is not ALL"));
  input.index = "all";
  EXPECT_EQ(Item(input), kWhole);
}

// A filter on a global index sees only the attributes that the index projects.
TEST_F(IndexProjectionTest, AFilterOnAGlobalIndexTreatsUnprojectedAttributesAsAbsent) {
  QueryInput input = In("some");
  input.filter = "attribute_not_exists(y) AND x = :x";
  input.values = {{":x", 1}};
  EXPECT_EQ(table_->Query(input)->count(), 1u);
}

// A query of a local index reads an unprojected attribute from the table only if the query selects
// the attribute, projects it or filters by it.
TEST_F(IndexProjectionTest, ALocalIndexFetchesUnprojectedAttributesFromTheTable) {
  for (const char* index : {"local_keys", "local_some", "local_all"}) {
    QueryInput input = In(index);
    input.select = Select::kAllAttributes;
    EXPECT_EQ(Item(input), kWhole) << index;
    input.select = Select::kDefault;
    input.projection = "y, m.k, SK";
    EXPECT_EQ(Item(input), R"({SK: "s", m: {k: "deep"}, y: 2})") << index;
    input.projection = {};
    input.filter = "y = :y";
    input.values = {{":y", 2}};
    EXPECT_EQ(table_->Query(input)->count(), 1u) << index;
  }
  QueryInput filtered = In("local_keys");
  filtered.filter = "y = :y";
  filtered.values = {{":y", 2}};
  EXPECT_EQ(Item(filtered), R"({PK: "p", SK: "s", l: "L"})");
}

// Items that a local index fetches from the table count towards the page's limit of 1 MB.
TEST_F(IndexProjectionTest, APageOfFetchedItemsEndsAtOneMegabyte) {
  for (int i = 0; i < 8; ++i) {
    ASSERT_THAT(table_->PutItem({.item = {{"PK", "q"},
                                          {"SK", std::to_string(i)},
                                          {"l", "L"},
                                          {"filler", std::string(180 << 10, 'x')}}}),
                IsOk());
  }
  QueryInput input{.index = "local_keys", .key_condition = Partition("q")};
  EXPECT_EQ(table_->Query(input)->count(), 8u);
  input.select = Select::kAllAttributes;
  const auto page = table_->Query(input);
  ASSERT_THAT(page, IsOk());
  EXPECT_EQ(page->count(), 6u);
  input.exclusive_start_key = page->last_evaluated_key();
  EXPECT_EQ(table_->Query(input)->count(), 2u);
}

TEST_F(IndexProjectionTest, ALocalIndexSortsAPartitionByItsOwnSortKey) {
  for (const char* l : {"c", "a", "b"}) {
    ASSERT_THAT(table_->PutItem({.item = {{"PK", "q"}, {"SK", std::string("s") + l}, {"l", l}}}),
                IsOk());
  }
  ASSERT_THAT(table_->PutItem({.item = {{"PK", "q"}, {"SK", "without"}}}), IsOk());
  const auto page = table_->Query({.index = "local_keys",
                                   .key_condition = Partition("q", GreaterOrEqual("b")),
                                   .forward = false});
  ASSERT_THAT(page, IsOk());
  ASSERT_EQ(page->size(), 2u);
  EXPECT_EQ((*page)[0]["SK"].AsString(), "sc");
  EXPECT_EQ((*page)[1]["SK"].AsString(), "sb");
}

TEST_F(IndexProjectionTest, AConsistentReadOfAGlobalIndexIsRejected) {
  QueryInput input = In("all");
  input.consistent_read = true;
  EXPECT_THAT(
      Refusal(input),
      StatusIs(kValidation, "Consistent reads are not supported on global secondary indexes"));
  input = In("local_all");
  input.consistent_read = true;
  EXPECT_EQ(Item(input), kWhole);
}

TEST_F(IndexProjectionTest, ASelectThatContradictsTheProjectionIsRejected) {
  const struct {
    const char* index;
    Select select;
    const char* projection;
    const char* message;
  } cases[] = {
      {"", Select::kAllProjectedAttributes, nullptr,
       "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"},
      {"", Select::kSpecificAttributes, nullptr,
       "Must specify the AttributesToGet or ProjectionExpression when choosing to get "
       "SPECIFIC_ATTRIBUTES"},
      {"", Select::kAllAttributes, "x",
       "Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES"},
      {"all", Select::kAllProjectedAttributes, "x",
       "Cannot specify the ProjectionExpression when choosing to get ALL_PROJECTED_ATTRIBUTES"},
      {"", Select::kCount, "x",
       "Cannot specify the ProjectionExpression when choosing to get only the Count"},
      {"", Select::kSpecificAttributes, "x", nullptr},
      {"", Select::kAllAttributes, nullptr, nullptr},
      {"keys", Select::kAllProjectedAttributes, nullptr, nullptr},
  };
  for (const auto& c : cases) {
    QueryInput input =
        c.index[0] != '\0' ? In(c.index) : QueryInput{.key_condition = Partition("p")};
    input.select = c.select;
    if (c.projection != nullptr) input.projection = c.projection;
    const Status status = Refusal(input);
    const std::string message = c.message != nullptr ? c.message : "";
    EXPECT_EQ(status.message(), (message.empty() ? "" : "1 validation error detected: ") + message);
  }
}

TEST_F(IndexProjectionTest, CreateTableRejectsInvalidIndexes) {
  const auto refusal = [&](auto change) {
    CreateTableInput input{.name = "refused"};
    change(&input);
    return db_->CreateTable(input).status().message();
  };
  const std::string invalid = "One or more parameter values were invalid: ";
  const auto with_projection = [](ProjectionType projection, std::vector<std::string> names) {
    return [=](CreateTableInput* input) {
      input->global_secondary_indexes = {{.name = "index",
                                          .partition_key = {{"g"}},
                                          .projection = projection,
                                          .non_key_attributes = names}};
    };
  };
  EXPECT_EQ(refusal(with_projection(ProjectionType::kAll, {"x"})),
            invalid + "ProjectionType is ALL, but NonKeyAttributes is specified");
  EXPECT_EQ(refusal(with_projection(ProjectionType::kKeysOnly, {"x"})),
            invalid + "ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified");
  EXPECT_EQ(refusal(with_projection(ProjectionType::kInclude, {})),
            invalid + "ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
  EXPECT_THAT(refusal(with_projection(ProjectionType::kInclude, std::vector<std::string>(21, "x"))),
              HasSubstr("20"));
  EXPECT_EQ(refusal(with_projection(ProjectionType::kInclude, {"x", "y", "x"})),
            invalid + "Duplicate attribute in NonKeyAttributes: x");
  EXPECT_EQ(refusal([](CreateTableInput* input) {
              input->sort_key.reset();
              input->local_secondary_indexes = {{.name = "index", .sort_key = {"l"}}};
            }),
            invalid +
                "Table KeySchema does not have a range key, which is required when specifying a "
                "LocalSecondaryIndex");
  EXPECT_EQ(refusal([](CreateTableInput* input) {
              for (int i = 0; i < 6; ++i) {
                input->local_secondary_indexes.push_back(
                    {.name = "index" + std::to_string(i), .sort_key = {"l"}});
              }
            }),
            invalid + "Number of LocalSecondaryIndexes exceeds per-table limit of 5");
  EXPECT_EQ(refusal([](CreateTableInput* input) {
              input->local_secondary_indexes = {{.name = "twice", .sort_key = {"l"}}};
              input->global_secondary_indexes = {{.name = "twice", .partition_key = {{"g"}}}};
            }),
            invalid + "Duplicate index name: twice");
}

}  // namespace
}  // namespace dolmen::behaviour
