#include "engine/schema/schema_codec.h"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/items.h"

namespace dolmen::engine {
namespace {

using test::IsOk;
using test::StatusIs;

Map Key(const char* name, const char* type) { return {{"name", name}, {"type", type}}; }

Map StoredIndex() {
  return {{"name", "GSI1"},
          {"keyspace", 17},
          {"keys", List{Key("g", "B"), Key("h", "S")}},
          {"partition_attributes", 1},
          {"local", false},
          {"backfilling", false},
          {"projection", "ALL"}};
}

Map StoredTimeToLive() {
  return {{"attribute", "ttl"}, {"keyspace", 18}, {"backfilling", false}, {"hide_expired", false}};
}

// Returns a valid entry without the optional attributes.
Item StoredTable() {
  return {{"name", "table"},
          {"keyspace", 16},
          {"keys", List{Key("PK", "S"), Key("SK", "N")}},
          {"indexes", List{StoredIndex()}},
          {"deletion_protection", false},
          {"created_at", 0}};
}

Map With(Map map, const char* name, AttributeValue value) {
  map[name] = std::move(value);
  return map;
}

Map Without(Map map, const std::string& name) {
  map.erase(name);
  return map;
}

Result<TableSchema> Decode(const Item& entry) {
  const StoredItem stored = test::StoreItem(entry);
  return DecodeTableSchema(stored.view());
}

TEST(SchemaCodecTest, DecodesAnEntryWithoutOptionalAttributes) {
  const auto schema = Decode(StoredTable());
  ASSERT_THAT(schema, IsOk());
  EXPECT_EQ(schema->name, "table");
  EXPECT_EQ(schema->keys.partition().size(), 1u);
  EXPECT_EQ(schema->keys.sort()[0].type, AttributeType::kN);
  EXPECT_FALSE(schema->deletion_protection || schema->expiry);
  EXPECT_TRUE(schema->streams.empty() && schema->annotations.empty());
  ASSERT_EQ(schema->indexes.size(), 1u);
  const IndexSchema& index = schema->indexes[0];
  EXPECT_EQ(index.keys.partition()[0].name, "g");
  EXPECT_EQ(index.keys.sort()[0].name, "h");
  EXPECT_EQ(index.projection, ProjectionType::kAll);
  EXPECT_FALSE(index.is_local() || index.backfilling);
}

TEST(SchemaCodecTest, DecodesEverySchemaThatItEncodes) {
  const CreateTableInput input{
      .name = "table",
      .global_secondary_indexes = {{.name = "global",
                                    .partition_key = {{"a"}, {"b", AttributeType::kN}},
                                    .sort_key = {{"c"}, {"d"}},
                                    .projection = ProjectionType::kInclude,
                                    .non_key_attributes = {"x"}}},
      .local_secondary_indexes = {{.name = "local",
                                   .sort_key = {"l"},
                                   .projection = ProjectionType::kKeysOnly}},
      .stream_specification = StreamSpecification{.view_type = StreamViewType::kNewImage},
      .deletion_protection = true};
  const auto made =
      MakeTableSchema(input, KeyspaceId::kFirst, Timestamp(std::chrono::seconds(5)), 7);
  ASSERT_THAT(made, IsOk());
  const auto with =
      WithIndex(*made, {.name = "new", .partition_key = {{"n"}}}, static_cast<KeyspaceId>(40));
  ASSERT_THAT(with, IsOk());
  const auto expiring = WithExpiry(*with, {.attribute_name = "ttl", .hide_expired = true},
                                   static_cast<KeyspaceId>(41));
  ASSERT_THAT(expiring, IsOk());
  auto disabled = WithoutStream(*expiring, {.enabled = false}, Timestamp(std::chrono::hours(1)));
  ASSERT_THAT(disabled, IsOk());
  disabled->last_of_gone_streams = 3;
  EXPECT_FALSE(EncodeTableSchema(*disabled).contains("annotations"));
  disabled->annotations = {{"tags", Map{{"team", "blue"}}}};
  const Item entry = EncodeTableSchema(*disabled);
  const auto read = Decode(entry);
  ASSERT_THAT(read, IsOk());
  EXPECT_EQ(EncodeTableSchema(*read), entry);
  EXPECT_TRUE(read->FindIndex("new")->backfilling);
  EXPECT_TRUE(read->FindIndex("local")->is_local());
  EXPECT_TRUE(read->FindIndex("global")->Projects("x"));
  EXPECT_FALSE(read->FindIndex("global")->Projects("y"));
  EXPECT_EQ(read->expiry->attribute(), "ttl");
  EXPECT_TRUE(read->expiry->hide_expired && read->expiry->index.backfilling);
  EXPECT_EQ(read->streams.front().first, 7u);
  EXPECT_EQ(read->streams.front().disabled_at, Timestamp(std::chrono::hours(1)));
  EXPECT_EQ(read->enabled_stream(), nullptr);
  EXPECT_EQ(read->annotations, disabled->annotations);
}

TEST(SchemaCodecTest, RejectsDamagedEntries) {
  const Map local_without_sort_key =
      With(With(StoredIndex(), "local", true), "keys", List{Key("PK", "S")});
  const std::vector<std::pair<std::string, AttributeValue>> damages = {
      {"keys", List{}},
      {"keyspace", 3},
      {"name", 7},
      {"deletion_protection", 1},
      {"created_at", "now"},
      {"indexes", List{With(StoredIndex(), "projection", "SOME")}},
      {"indexes", List{With(StoredIndex(), "partition_attributes", 3)}},
      {"indexes", List{local_without_sort_key}},
      {"time_to_live", With(StoredTimeToLive(), "attribute", "")},
      {"streams", List{Map{{"keyspace", 18}}}},
      {"annotations", "none"}};
  for (const auto& [attribute, value] : damages) {
    Item entry = StoredTable();
    entry[attribute] = value;
    EXPECT_THAT(Decode(entry), StatusIs(StatusCode::kCorruption, testing::_)) << attribute;
  }
}

TEST(SchemaCodecTest, RejectsEntriesThatLackAnAttribute) {
  const auto reject = [](const Item& entry, const std::string& lacking) {
    EXPECT_THAT(Decode(entry), StatusIs(StatusCode::kCorruption, testing::_)) << lacking;
  };
  for (const auto& [name, value] : StoredTable()) reject(Without(StoredTable(), name), name);
  for (const auto& [name, value] : StoredIndex()) {
    reject(With(StoredTable(), "indexes", List{Without(StoredIndex(), name)}), name);
  }
  ASSERT_THAT(Decode(With(StoredTable(), "time_to_live", StoredTimeToLive())), IsOk());
  for (const auto& [name, value] : StoredTimeToLive()) {
    reject(With(StoredTable(), "time_to_live", Without(StoredTimeToLive(), name)), name);
  }
}

}  // namespace
}  // namespace dolmen::engine
