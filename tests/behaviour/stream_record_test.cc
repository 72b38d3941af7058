// Tests of stream records: the writes that leave records, and the keys and images of the records.
// stream_record_fields_test.cc tests the other fields. The rule numbers are those of
// tests/behaviour/README.md.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_Record.html

#include "tests/behaviour/stream_record.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dolmen::behaviour {
namespace {

using test::N;

constexpr auto kInsert = EventName::kInsert;
constexpr auto kModify = EventName::kModify;
constexpr auto kRemove = EventName::kRemove;

TEST_F(StreamRecordTest, EventNamesAreInsertModifyAndRemove) {
  EXPECT_EQ(EventNameText(kInsert), "INSERT");
  EXPECT_EQ(EventNameText(kModify), "MODIFY");
  EXPECT_EQ(EventNameText(kRemove), "REMOVE");
}

// A record always has the key of the item. The view type decides which images the record has. If
// the item did not exist before or after the write, the record has no image of that state.
TEST_F(StreamRecordTest, ARecordHasTheImagesOfItsViewType) {
  struct Row {
    StreamViewType view_type;
    bool has_new;
    bool has_old;
  };
  CreateThings(std::nullopt);
  const Item first = With("a", {{"n", 1}, {"same", "x"}});
  const Item second = With("a", {{"n", 2}, {"same", "x"}});
  for (const auto& [view_type, has_new, has_old] :
       {Row{StreamViewType::kKeysOnly, false, false}, Row{StreamViewType::kNewImage, true, false},
        Row{StreamViewType::kOldImage, false, true},
        Row{StreamViewType::kNewAndOldImages, true, true}}) {
    SCOPED_TRACE(static_cast<int>(view_type));
    Enable(view_type);
    Put("a", {{"n", 1}, {"same", "x"}});
    EXPECT_THAT(Update("a", "SET n = :n", {{":n", 2}}), IsOk());
    Delete("a");
    const auto if_shown = [](bool shown, const Item& item) {
      return shown ? std::optional(item) : std::nullopt;
    };
    EXPECT_THAT(
        Changes(),
        ElementsAre(Change{kInsert, Key("a"), if_shown(has_new, first)},
                    Change{kModify, Key("a"), if_shown(has_new, second), if_shown(has_old, first)},
                    Change{kRemove, Key("a"), std::nullopt, if_shown(has_old, second)}));
    for (const StreamRecord& record : Records()) {
      EXPECT_EQ(record.stream_view_type, view_type);
      EXPECT_FALSE(record.by_service);
    }
    Disable();
  }
}

TEST_F(StreamRecordTest, ARecordHasExactlyTheKeyAttributesOfItsTable) {
  CreateTableInput input;
  input.name = "numbers";
  input.partition_key = {"id", AttributeType::kN};
  input.sort_key = std::nullopt;
  input.stream_specification = Showing(StreamViewType::kNewImage);
  const auto numbers = database().CreateTable(input);
  ASSERT_THAT(numbers, IsOk());
  const Item item{{"id", N("-1.50")}, {"SK", "no key here"}};
  ASSERT_THAT(numbers->PutItem({.item = item}), IsOk());
  EXPECT_THAT(ChangesOf(Records(database().DescribeTable("numbers")->latest_stream_arn)),
              ElementsAre(Change{kInsert, {{"id", N("-1.5")}}, item}));
}

TEST_F(StreamRecordTest, ImagesHoldValuesOfEveryType) {
  CreateThings();
  const Map attributes{{"b", test::B({"\0\xFF", 2})},
                       {"bool", false},
                       {"bs", BinarySet{test::B("x")}},
                       {"l", List{1, "two", List{}}},
                       {"m", Map{{"deep", Map{{"er", nullptr}}}}},
                       {"n", N("123456789012345678901234567890.12345678")},
                       {"ns", NumberSet{1, N("2.5")}},
                       {"null", nullptr},
                       {"s", ""},
                       {"ss", StringSet{"x", "é"}}};
  Put("a", attributes);
  EXPECT_THAT(Changes(), ElementsAre(Change{kInsert, Key("a"), With("a", attributes)}));
}

TEST_F(StreamRecordTest, PutItemLeavesInsertAndModifyRecords) {
  CreateThings();
  Put("a", {{"n", 1}});
  Put("a", {{"other", "x"}});
  EXPECT_THAT(Changes(), ElementsAre(Change{kInsert, Key("a"), With("a", {{"n", 1}})},
                                     Change{kModify, Key("a"), With("a", {{"other", "x"}}),
                                            With("a", {{"n", 1}})}));
}

TEST_F(StreamRecordTest, UpdateItemLeavesInsertAndModifyRecords) {
  CreateThings();
  EXPECT_THAT(table().UpdateItem({.key = Key("bare")}), IsOk());
  EXPECT_THAT(Update("a", "ADD n :one", {{":one", 1}}), IsOk());
  EXPECT_THAT(Update("a", "ADD n :one", {{":one", 1}}), IsOk());
  EXPECT_THAT(Update("a", "REMOVE n"), IsOk());
  EXPECT_THAT(Changes(),
              ElementsAre(Change{kInsert, Key("bare"), Key("bare")},
                          Change{kInsert, Key("a"), With("a", {{"n", 1}})},
                          Change{kModify, Key("a"), With("a", {{"n", 2}}), With("a", {{"n", 1}})},
                          Change{kModify, Key("a"), Key("a"), With("a", {{"n", 2}})}));
}

TEST_F(StreamRecordTest, BatchWriteItemLeavesARecordForEachChange) {
  CreateThings();
  Put("gone", {{"n", 1}});
  Put("changed", {{"n", 1}});
  Put("same", {{"n", 1}});
  ASSERT_THAT(Batch({PutRequest{With("new", {{"n", 2}})}, DeleteRequest{Key("gone")},
                     PutRequest{With("same", {{"n", 1}})}, DeleteRequest{Key("never")},
                     PutRequest{With("changed", {{"n", 2}})}}),
              IsOk());
  std::vector<Change> changes = Changes();
  ASSERT_EQ(changes.size(), 6u);
  changes.erase(changes.begin(), changes.begin() + 3);
  EXPECT_THAT(changes, testing::UnorderedElementsAre(
                           Change{kInsert, Key("new"), With("new", {{"n", 2}})},
                           Change{kRemove, Key("gone"), std::nullopt, With("gone", {{"n", 1}})},
                           Change{kModify, Key("changed"), With("changed", {{"n", 2}}),
                                  With("changed", {{"n", 1}})}));
}

TEST_F(StreamRecordTest, TransactWriteItemsLeavesARecordForEachChange) {
  CreateThings();
  Put("gone", {{"n", 1}});
  Put("updated", {{"n", 1}});
  Put("checked", {{"n", 1}});
  Put("same", {{"n", 1}});
  const auto same = UpdateItemInput{.key = Key("same"), .update = "SET n = n"};
  const auto update =
      UpdateItemInput{.key = Key("updated"), .update = "SET n = :n", .values = {{":n", 2}}};
  ASSERT_THAT(
      database().TransactWriteItems(
          {.actions = {{table(), PutItemInput{.item = With("new", {{"n", 2}})}},
                       {table(), update},
                       {table(), same},
                       {table(), DeleteItemInput{.key = Key("gone")}},
                       {table(), DeleteItemInput{.key = Key("never")}},
                       {table(), ConditionCheckInput{.key = Key("checked"),
                                                     .condition = "attribute_exists(n)"}}}}),
      IsOk());
  std::vector<Change> changes = Changes();
  ASSERT_EQ(changes.size(), 7u);
  changes.erase(changes.begin(), changes.begin() + 4);
  EXPECT_THAT(changes, testing::UnorderedElementsAre(
                           Change{kInsert, Key("new"), With("new", {{"n", 2}})},
                           Change{kModify, Key("updated"), With("updated", {{"n", 2}}),
                                  With("updated", {{"n", 1}})},
                           Change{kRemove, Key("gone"), std::nullopt, With("gone", {{"n", 1}})}));
}

TEST_F(StreamRecordTest, AWriteThatChangesNothingLeavesNoRecord) {
  CreateThings();
  const Map attributes{{"n", 1}, {"s", StringSet{"x", "y"}}};
  Put("a", attributes);
  Put("a", attributes);
  Put("a", {{"s", StringSet{"y", "x"}}, {"n", N("1.0")}});
  EXPECT_THAT(table().UpdateItem({.key = Key("a")}), IsOk());
  EXPECT_THAT(Update("a", "SET n = n"), IsOk());
  EXPECT_THAT(Update("a", "SET n = :n", {{":n", 1}}), IsOk());
  EXPECT_THAT(Update("a", "ADD n :n", {{":n", 0}}), IsOk());
  EXPECT_THAT(Update("a", "ADD s :s", {{":s", StringSet{"x"}}}), IsOk());
  EXPECT_THAT(Update("a", "DELETE s :s", {{":s", StringSet{"z"}}}), IsOk());
  EXPECT_THAT(Update("a", "REMOVE nothing"), IsOk());
  Delete("never");
  EXPECT_THAT(Update("never", "REMOVE nothing, m.x"), IsOk());
  EXPECT_THAT(Update("never", "DELETE s :s", {{":s", StringSet{"z"}}}), IsOk());
  EXPECT_THAT(Batch({PutRequest{With("a", attributes)}, DeleteRequest{Key("never")}}), IsOk());
  EXPECT_THAT(SortKeysOf(Records()), ElementsAre("a"));
}

TEST_F(StreamRecordTest, ARejectedWriteLeavesNoRecord) {
  CreateThings();
  Put("a", {{"n", 1}});
  const auto failed = StatusIs(StatusCode::kConditionalCheckFailed, testing::_);
  EXPECT_THAT(table().PutItem({.item = Key("a"), .condition = "attribute_not_exists(PK)"}), failed);
  EXPECT_THAT(table().DeleteItem({.key = Key("a"), .condition = "attribute_exists(nothing)"}),
              failed);
  EXPECT_THAT(table().UpdateItem(
                  {.key = Key("b"), .update = "SET n = PK", .condition = "attribute_exists(PK)"}),
              failed);
  EXPECT_THAT(Update("a", "SET n = nothing"), StatusIs(kValidation, testing::_));
  EXPECT_THAT(Batch({PutRequest{Key("b")}, PutRequest{With("c", {{"s", StringSet{}}})}}),
              StatusIs(kValidation, testing::_));
  EXPECT_THAT(
      database().TransactWriteItems(
          {.actions = {{table(), PutItemInput{.item = Key("b")}},
                       {table(), DeleteItemInput{.key = Key("a"),
                                                 .condition = "attribute_exists(nothing)"}}}}),
      StatusIs(StatusCode::kTransactionCanceled, testing::_));
  EXPECT_THAT(SortKeysOf(Records()), ElementsAre("a"));
}

TEST_F(StreamRecordTest, ARepeatedTransactionWithTheSameTokenLeavesNoRecord) {
  CreateThings();
  for (int i = 0; i < 2; ++i) {
    const auto add = UpdateItemInput{.key = Key("a"), .update = "ADD n :n", .values = {{":n", 1}}};
    ASSERT_THAT(database().TransactWriteItems(
                    {.actions = {{table(), add}}, .client_request_token = "token"}),
                IsOk());
  }
  EXPECT_EQ(Records().size(), 1u);
}

// The old image of a record is the new image of the item's previous record.
TEST_F(StreamRecordTest, RecordsAreInTheOrderOfAnItemsWrites) {
  CreateThings();
  for (int i = 0; i < 50; ++i) {
    for (const char* sort : {"a", "b", "c"}) Put(sort, {{"n", i}});
  }
  std::map<std::string, int> next;
  for (const Change& change : Changes()) {
    const std::string sort = *change.keys.at("SK").get_if<std::string>();
    const int n = next[sort]++;
    EXPECT_EQ(change.new_image, With(sort, {{"n", n}}));
    EXPECT_EQ(change.old_image, n == 0 ? std::nullopt : std::optional(With(sort, {{"n", n - 1}})));
  }
  EXPECT_THAT(next,
              ElementsAre(testing::Pair("a", 50), testing::Pair("b", 50), testing::Pair("c", 50)));
}

}  // namespace
}  // namespace dolmen::behaviour
