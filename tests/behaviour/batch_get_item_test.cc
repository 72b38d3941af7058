// Tests of BatchGetItem.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html

#include <algorithm>
#include <string>
#include <vector>

#include "tests/behaviour/several_tables.h"

namespace dolmen::behaviour {
namespace {

constexpr std::uint64_t kResponseBytesMax = std::uint64_t{16} << 20;

class BatchGetItemTest : public SeveralTablesTest {
 protected:
  static Result<BatchGetItemOutput> Get(const std::vector<KeysAndAttributes>& requests) {
    return database().BatchGetItem({.requests = requests});
  }

  // Stores `count` items with the sort keys "0", "1" and so on. Each has slightly more than
  // 400,000 bytes.
  void PutLarge(int count) const {
    for (const Item& key : Keys(count)) {
      Item item = key;
      item["body"] = std::string(400'000, 'x');
      Put(item);
    }
  }
};

// Dolmen returns the items in the order of the keys; DynamoDB does not promise an order. The
// response leaves out absent items.
TEST_F(BatchGetItemTest, ReturnsTheItemsThatExistInTheOrderOfTheKeys) {
  Put(With({{"n", 1}}, "a"));
  Put(With({{"n", 2}}, "b"));
  const auto got = Get({{.table = table(), .keys = {Key("b"), Key("absent"), Key("a")}}});
  ASSERT_THAT(got, IsOk());
  ASSERT_EQ(got->responses.size(), 1u);
  EXPECT_THAT(Copies(got->responses[0]), ElementsAre(With({{"n", 2}}, "b"), With({{"n", 1}}, "a")));
  EXPECT_THAT(got->unprocessed_keys, IsEmpty());
  EXPECT_THAT(got->consumed_capacity, IsEmpty());  // the request did not ask for it
}

// BatchGetItem returns one list of items for each element of `requests`. The list is empty if no
// item has a key of this element.
TEST_F(BatchGetItemTest, ReturnsOneListOfItemsForEachRequest) {
  const int first = UniqueNumber();
  const Table twin = *database().CreateTable({.name = "twin"});
  ASSERT_THAT(numbers().PutItem({.item = {{"id", first + 1}, {"name", "one"}}}), IsOk());
  Put(With({{"n", 1}}));
  const auto got = Get({{.table = numbers(), .keys = NumberKeys(first, 3)},
                        {.table = twin, .keys = {Key()}},
                        {.table = table(), .keys = {Key()}}});
  ASSERT_THAT(got, IsOk());
  ASSERT_EQ(got->responses.size(), 3u);
  EXPECT_THAT(Copies(got->responses[0]), ElementsAre(Item{{"id", first + 1}, {"name", "one"}}));
  EXPECT_THAT(got->responses[1], IsEmpty());  // the key exists in another table only
  EXPECT_THAT(Copies(got->responses[2]), ElementsAre(With({{"n", 1}})));
}

TEST_F(BatchGetItemTest, AppliesTheProjectionOfEachRequest) {
  const int id = UniqueNumber();
  Put(With({{"name", "x"}, {"m", Map{{"a", 1}, {"b", 2}}}}));
  ASSERT_THAT(numbers().PutItem({.item = {{"id", id}, {"name", "one"}, {"status", "new"}}}),
              IsOk());
  const auto got = Get({{.table = table(), .keys = {Key()}, .projection = "SK, m.b"},
                        {.table = numbers(),
                         .keys = {{{"id", id}}},
                         .projection = "#s",
                         .names = {{"#s", "status"}},
                         .consistent_read = true}});
  ASSERT_THAT(got, IsOk());
  EXPECT_THAT(Copies(got->responses[0]), ElementsAre(Item{{"SK", "a"}, {"m", Map{{"b", 2}}}}));
  EXPECT_THAT(Copies(got->responses[1]), ElementsAre(Item{{"status", "new"}}));
}

// An item that exists but has none of the projected attributes is returned as an empty item.
// DynamoDB's behaviour is unverified.
TEST_F(BatchGetItemTest, ReturnsAnEmptyItemIfNoProjectedAttributeExists) {
  Put(With({{"n", 1}}));
  const auto got = Get({{.table = table(), .keys = {Key(), Key("b")}, .projection = "nothere"}});
  ASSERT_THAT(got, IsOk());
  EXPECT_THAT(Copies(got->responses[0]), ElementsAre(Item{}));
}

TEST_F(BatchGetItemTest, RejectsDuplicateKeys) {
  const std::string error = "Provided list of item keys contains duplicates";
  EXPECT_THAT(Get({{.table = table(), .keys = {Key("a"), Key("b"), Key("a")}}}), IsInvalid(error));
  // Numbers are compared by value, so the keys 1 and 1.0 are duplicates.
  EXPECT_THAT(Get({{.table = numbers(), .keys = {{{"id", 1}}, {{"id", N("1.0")}}}}}),
              IsInvalid(error));
  EXPECT_THAT(Get({{.table = table(), .keys = {Key("a")}}, {.table = table(), .keys = {Key("a")}}}),
              IsInvalid(error));
}

TEST_F(BatchGetItemTest, RejectsFewerThan1OrMoreThan100Keys) {
  const std::string length = " failed to satisfy constraint: Member must have length ";
  EXPECT_THAT(Get({}),
              IsInvalidWith("Value at 'RequestItems'" + length + "greater than or equal to 1"));
  EXPECT_THAT(Get({{.table = table(), .keys = {Key()}}, {.table = numbers(), .keys = {}}}),
              IsInvalidWith("Value at 'RequestItems.numbers.member.Keys'" + length +
                            "greater than or equal to 1"));
  EXPECT_THAT(Get({{.table = table(), .keys = Keys(100)}}), IsOk());
  EXPECT_THAT(Get({{.table = table(), .keys = Keys(101)}}),
              IsInvalidWith("Value at 'RequestItems.app.member.Keys'" + length +
                            "less than or equal to 100"));

  const auto across = [&](int count) {
    return Get({{.table = table(), .keys = Keys(60)},
                {.table = numbers(), .keys = NumberKeys(UniqueNumber(), count)}});
  };
  EXPECT_THAT(across(40), IsOk());
  EXPECT_THAT(across(41), IsInvalid("Too many items requested for the BatchGetItem call"));
}

// One invalid key makes the whole batch fail, with the message that GetItem returns for this key.
TEST_F(BatchGetItemTest, RejectsTheWholeBatchForOneInvalidEntry) {
  const KeysAndAttributes good{.table = table(), .keys = {Key()}};
  for (const Item& key : {Item{}, Item{{"PK", "p"}}, Item{{"PK", "p"}, {"SK", 1}},
                          Item{{"PK", "p"}, {"SK", "s"}, {"x", 1}}, Item{{"id", 1}}}) {
    EXPECT_THAT(Get({{.table = table(), .keys = {Key("b"), key}}}),
                IsInvalid("The provided key element does not match the schema"));
  }
  EXPECT_THAT(Get({{.table = table(), .keys = {{{"PK", "p"}, {"SK", ""}}}}}),
              IsInvalidWith("cannot contain an empty string value. Key: SK"));
  EXPECT_THAT(Get({good, {.table = numbers(), .keys = {{{"id", 1}}}, .projection = "a, a.b"}}),
              IsInvalidWith("Invalid ProjectionExpression: Two document paths overlap"));
  EXPECT_THAT(Get({good,
                   {.table = numbers(),
                    .keys = {{{"id", 1}}},
                    .projection = "a",
                    .names = {{"#unused", "b"}}}}),
              IsInvalidWith("unused in expressions: keys: {#unused}"));
}

TEST_F(BatchGetItemTest, RejectsADeletedTableAndATableOfAnotherDatabase) {
  const KeysAndAttributes good{.table = table(), .keys = {Key()}};
  EXPECT_THAT(Get({good, {.table = Deleted(), .keys = {Key()}}}), HasNoTable());
  EXPECT_THAT(Get({good, {.table = Stranger(), .keys = {Key()}}}), RefusesTheStranger());
}

// A response has at most 16 MB. Keys whose items do not fit are returned as unprocessed, with the
// projection, names and consistency of their request.
TEST_F(BatchGetItemTest, ReturnsKeysBeyond16MegabytesAsUnprocessed) {
  PutLarge(45);
  const int first = UniqueNumber();
  const auto got = Get({{.table = table(),
                         .keys = Keys(45),
                         .projection = "PK, SK, #b",
                         .names = {{"#b", "body"}},
                         .consistent_read = true},
                        {.table = numbers(), .keys = NumberKeys(first, 2)}});
  ASSERT_THAT(got, IsOk());
  std::uint64_t bytes = 0;
  for (const StoredItem& item : got->responses[0]) bytes += item.view().size_bytes();
  EXPECT_LE(bytes, kResponseBytesMax);
  EXPECT_GT(bytes + 401'000, kResponseBytesMax);  // one more item would not fit
  EXPECT_THAT(got->responses[1], IsEmpty());

  const std::vector<Item> keys = Keys(45);
  ASSERT_EQ(got->unprocessed_keys.size(), 2u);
  const KeysAndAttributes& left = got->unprocessed_keys[0];
  EXPECT_EQ(left.table.name(), "app");
  EXPECT_EQ(left.keys,
            std::vector<Item>(keys.begin() + static_cast<std::ptrdiff_t>(got->responses[0].size()),
                              keys.end()));
  ASSERT_NE(left.projection.text(), nullptr);
  EXPECT_EQ(*left.projection.text(), "PK, SK, #b");
  EXPECT_EQ(left.names, (Names{{"#b", "body"}}));
  EXPECT_TRUE(left.consistent_read);
  EXPECT_EQ(got->unprocessed_keys[1].table.name(), "numbers");
  EXPECT_EQ(got->unprocessed_keys[1].keys, NumberKeys(first, 2));
  EXPECT_FALSE(got->unprocessed_keys[1].projection.given());
  EXPECT_FALSE(got->unprocessed_keys[1].consistent_read);
}

// The items exceed the 16 MB of one response, so the last keys of the request stay unprocessed.
// Each element of `requests` keeps its own unprocessed keys, even if two elements name the same
// table.
TEST_F(BatchGetItemTest, ReturnsUnprocessedKeysForEachRequest) {
  PutLarge(46);
  const std::vector<Item> keys = Keys(46);
  const auto got = Get({{.table = table(), .keys = {keys.begin(), keys.begin() + 1}},
                        {.table = table(), .keys = {keys.begin() + 1, keys.begin() + 44}},
                        {.table = table(), .keys = {keys.begin() + 44, keys.end()}}});
  ASSERT_THAT(got, IsOk());
  EXPECT_EQ(got->responses[0].size(), 1u);
  ASSERT_EQ(got->unprocessed_keys.size(), 2u);
  EXPECT_EQ(got->responses[1].size() + got->unprocessed_keys[0].keys.size(), 43u);
  EXPECT_EQ(got->unprocessed_keys[0].keys.back(), keys[43]);
  EXPECT_EQ(got->unprocessed_keys[1].keys, std::vector<Item>(keys.begin() + 44, keys.end()));
}

// A caller sends the unprocessed keys as the next request, until no unprocessed keys are left. The
// caller then has all items.
TEST_F(BatchGetItemTest, ReturnsTheRestIfUnprocessedKeysAreRequestedAgain) {
  PutLarge(90);
  std::vector<Item> found;
  int calls = 0;
  BatchGetItemInput input{
      .requests = {{.table = table(), .keys = Keys(90), .projection = "SK, body"}}};
  while (!input.requests.empty()) {
    auto got = database().BatchGetItem(input);
    ASSERT_THAT(got, IsOk());
    ++calls;
    for (const StoredItem& item : got->responses[0]) {
      EXPECT_EQ(item["body"].AsString()->size(), 400'000u);
      EXPECT_FALSE(item["PK"]);  // unprocessed keys keep the projection
      found.push_back(Key(std::string(*item["SK"].AsString())));
    }
    input.requests = std::move(got->unprocessed_keys);
  }
  EXPECT_EQ(found, Keys(90));
  EXPECT_EQ(calls, 3);
}

}  // namespace
}  // namespace dolmen::behaviour
