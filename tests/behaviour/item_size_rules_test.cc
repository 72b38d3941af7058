// Tests of the sizes of items and keys, and of their limits.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html

#include "tests/behaviour/rules.h"
#include "tests/support/text.h"

namespace dolmen::behaviour {
namespace {

using test::B;
using test::Repeat;

class ItemSizeRulesTest : public RulesTest {
 protected:
  // Returns an item whose size is `bytes`. The item contains `attributes`, whose names and values
  // have `attribute_bytes` bytes in total. The attribute "fill" has the remaining bytes.
  Item OfSize(std::size_t bytes, const Map& attributes, std::size_t attribute_bytes) const {
    const std::size_t key_bytes = 2 + pk().size() + 2 + 1;  // PK and SK = "a"
    Item item = With(attributes);
    item["fill"] = std::string(bytes - key_bytes - attribute_bytes - 4, 'x');
    return item;
  }

  // Expects that the names and values of the attributes have `bytes` bytes in total. Checks that an
  // item of the maximum size with these attributes is stored, and that the item with one more byte
  // is rejected.
  void ExpectSize(const Map& attributes, std::size_t bytes) const {
    EXPECT_THAT(table().PutItem({.item = OfSize(kItemBytesMax, attributes, bytes)}), IsOk());
    EXPECT_THAT(table().PutItem({.item = OfSize(kItemBytesMax + 1, attributes, bytes)}),
                IsInvalid("Item size has exceeded the maximum allowed size"));
  }
  void ExpectSizeOf(const AttributeValue& value, std::size_t bytes) const {
    SCOPED_TRACE(testing::PrintToString(value) + ": " + std::to_string(bytes));
    ExpectSize({{"v", value}}, 1 + bytes);
  }
};

// The size of an item is the sum of the sizes of its names and values.
TEST_F(ItemSizeRulesTest, AnItemCountsItsNamesAndValues) {
  ExpectSize({}, 0);
  ExpectSize({{"shirt-color", "R"}, {"shirt-size", "M"}}, 23);  // an example of AWS
  ExpectSize({{"é", "é"}}, 4);                                  // two bytes each in UTF-8
  ExpectSize({{std::string(1000, 'n'), true}}, 1001);
}

TEST_F(ItemSizeRulesTest, StringsAndBinariesCountTheirBytes) {
  ExpectSizeOf("", 0);
  ExpectSizeOf("x", 1);
  ExpectSizeOf("é", 2);
  ExpectSizeOf("€", 3);
  ExpectSizeOf("\U0001F600", 4);
  ExpectSizeOf(std::string(10'000, 'x'), 10'000);
  ExpectSizeOf(B(""), 0);
  ExpectSizeOf(B("\x01\xFF\x80"), 3);
}

TEST_F(ItemSizeRulesTest, BooleansAndNullCountOneByte) {
  ExpectSizeOf(true, 1);
  ExpectSizeOf(false, 1);
  ExpectSizeOf(nullptr, 1);
}

// The size of a number is one byte, plus one byte for every two digits (in pairs that begin at the
// decimal point), plus one byte if the number is negative.
TEST_F(ItemSizeRulesTest, NumbersCountOneByteAndOneForEveryTwoDigits) {
  const std::string nines(37, '9');
  struct Row {
    std::string number;
    std::size_t bytes;
  };
  for (const auto& [number, bytes] : std::vector<Row>{
           {"0", 1},           {"1", 2},
           {"9", 2},           {"10", 2},
           {"12", 2},          {"99", 2},
           {"100", 2},         {"120", 3},
           {"123", 3},         {"1234", 3},
           {"12345", 4},       {"12345678", 5},
           {"1e100", 2},       {"1e101", 2},
           {"1.5", 3},         {"12.5", 3},
           {"0.1", 2},         {"0.01", 2},
           {"0.12", 2},        {"0.012", 3},
           {"123.4", 4},       {"1e-130", 2},
           {"9.99e125", 3},    {"9" + nines, 20},
           {"9." + nines, 21}, {"-1", 3},
           {"-5", 3},          {"-12", 3},
           {"-1.5", 4},        {"-20.50", 4},
           {"-9" + nines, 21}, {"-9." + nines, 21},  // no byte for the sign: unverified
       }) {
    SCOPED_TRACE(number);
    ExpectSizeOf(N(number), bytes);
  }
}

TEST_F(ItemSizeRulesTest, SetsCountTheirMembers) {
  ExpectSizeOf(StringSet{"a", "bc", ""}, 3);
  ExpectSizeOf(NumberSet{1, 123, -5}, 2 + 3 + 3);
  ExpectSizeOf(BinarySet{B("a"), B("bcd")}, 4);
}

TEST_F(ItemSizeRulesTest, ListsAndMapsCountThreeBytesAndOneForEachElement) {
  ExpectSizeOf(List{}, 3);
  ExpectSizeOf(List{""}, 3 + 1);
  ExpectSizeOf(List{"a", 1, true, nullptr}, 3 + 4 + 1 + 2 + 1 + 1);
  ExpectSizeOf(Map{}, 3);
  ExpectSizeOf(Map{{"", ""}}, 3 + 1);
  ExpectSizeOf(Map{{"k", "v"}, {"key", 12}}, 3 + (1 + 1 + 1) + (1 + 3 + 2));
  ExpectSizeOf(List{List{}, Map{{"k", List{"v"}}}}, 3 + (1 + 3) + (1 + 3 + (1 + 1 + (3 + 1 + 1))));
  ExpectSizeOf(List{StringSet{"ab"}}, 3 + 1 + 2);
}

TEST_F(ItemSizeRulesTest, UpdateItemRejectsAResultOfMoreThan400Kilobytes) {
  Put(OfSize(kItemBytesMax, {{"v", 1}}, 3));
  const Item largest = Get(Key());
  const std::string error = "Item size to update has exceeded the maximum allowed size";
  EXPECT_THAT(Update("SET v = :v", {{":v", 123}}), IsInvalid(error));
  EXPECT_THAT(Update("ADD v :v", {{":v", 122}}), IsInvalid(error));
  EXPECT_THAT(Update("SET x = :v", {{":v", ""}}), IsInvalid(error));
  EXPECT_EQ(Get(Key()), largest);
  EXPECT_THAT(Update("SET v = :v", {{":v", 99}}), IsOk());
}

TEST_F(ItemSizeRulesTest, EntriesInLocalIndexesCountTowardsTheSizeOfTheItem) {
  const auto indexed = database().CreateTable(
      {.name = "indexed",
       .local_secondary_indexes = {
           {.name = "whole", .sort_key = {"w"}},
           {.name = "keys", .sort_key = {"k"}, .projection = ProjectionType::kKeysOnly},
       }});
  ASSERT_THAT(indexed, IsOk());
  const Item in_whole = {{"w", "w"}};
  const Item in_keys = {{"k", "k"}};
  const std::size_t keys_entry = 2 + pk().size() + 2 + 1 + 2;  // PK, SK = "a", k = "k"
  const auto put = [&](const Item& attributes, std::size_t bytes) {
    return indexed->PutItem({.item = OfSize(bytes, attributes, 2 * attributes.size())}).status();
  };
  const auto update = [&](const Item& attributes, std::size_t bytes) {
    const auto& [name, value] = *attributes.begin();
    EXPECT_THAT(indexed->PutItem({.item = OfSize(bytes - 2, {}, 0)}), IsOk());
    return indexed
        ->UpdateItem({.key = Key(),
                      .update = "SET #n = :v",
                      .names = {{"#n", name}},
                      .values = {{":v", value}}})
        .status();
  };
  const std::string put_error = "Item size has exceeded the maximum allowed size";
  const std::string update_error = "Item size to update has exceeded the maximum allowed size";
  EXPECT_THAT(put({}, kItemBytesMax), IsOk());  // no local index has the item
  EXPECT_THAT(put(in_whole, kItemBytesMax / 2), IsOk());
  EXPECT_THAT(put(in_whole, kItemBytesMax / 2 + 1), IsInvalid(put_error));
  EXPECT_THAT(put(in_keys, kItemBytesMax - keys_entry), IsOk());
  EXPECT_THAT(put(in_keys, kItemBytesMax - keys_entry + 1), IsInvalid(put_error));
  EXPECT_THAT(update(in_whole, kItemBytesMax / 2), IsOk());
  EXPECT_THAT(update(in_whole, kItemBytesMax / 2 + 1), IsInvalid(update_error));
  EXPECT_THAT(update(in_keys, kItemBytesMax - keys_entry), IsOk());
  EXPECT_THAT(update(in_keys, kItemBytesMax - keys_entry + 1), IsInvalid(update_error));
}

TEST_F(ItemSizeRulesTest, PartitionKeysHaveAtMost2048BytesAndSortKeysAtMost1024) {
  const std::string partition_error =
      "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size "
      "limit of2048 bytes";
  const std::string sort_error =
      "One or more parameter values were invalid: Aggregated size of all range keys has exceeded "
      "the size limit of 1024 bytes";
  const auto check = [&](const std::string& partition, const std::string& sort,
                         const testing::Matcher<const Status&>& matches) {
    const Item key = {{"PK", partition}, {"SK", sort}};
    EXPECT_THAT(table().PutItem({.item = key}).status(), matches);
    EXPECT_THAT(table().UpdateItem({.key = key}).status(), matches);
    EXPECT_THAT(table().GetItem({.key = key}).status(), matches);
    EXPECT_THAT(table().DeleteItem({.key = key}).status(), matches);
    EXPECT_THAT(table().Query({.key_condition = Partition(partition, Equal(sort))}).status(),
                matches);
  };
  check(std::string(2048, 'p'), std::string(1024, 's'), IsOk());
  check(std::string(2049, 'p'), "s", IsInvalid(partition_error));
  check("p", std::string(1025, 's'), IsInvalid(sort_error));
  check(std::string(2049, 'p'), std::string(1025, 's'), IsInvalid(partition_error));
  check(Repeat(1024, "é"), Repeat(512, "é"), IsOk());
  check(Repeat(1024, "é") + "p", "s", IsInvalid(partition_error));
  check("p", Repeat(512, "é") + "s", IsInvalid(sort_error));
}

TEST_F(ItemSizeRulesTest, IndexPartitionKeysHaveAtMost2048BytesAndSortKeysAtMost1024) {
  const std::string prefix = "One or more parameter values were invalid: ";
  const std::string update_error =
      prefix +
      "The update expression attempted to update the secondary index key beyond allowed size "
      "limits";
  const auto update = [&](const std::string& name, std::size_t bytes) {
    return Update("SET " + name + " = :v", {{":v", std::string(bytes, 'x')}});
  };
  PutWith({{"GSI1PK", std::string(2048, 'x')}, {"GSI1SK", std::string(1024, 'x')}});
  EXPECT_THAT(
      table().PutItem({.item = With({{"GSI1PK", std::string(2049, 'x')}})}),
      IsInvalid(prefix + "Size of hashkey has exceeded the maximum size limit of2048 bytes"));
  EXPECT_THAT(
      table().PutItem({.item = With({{"GSI1SK", std::string(1025, 'x')}})}),
      IsInvalid(prefix + "Aggregated size of all range keys has exceeded the size limit of 1024 "
                         "bytes"));
  EXPECT_THAT(update("GSI1PK", 2048), IsOk());
  EXPECT_THAT(update("GSI1PK", 2049), IsInvalid(update_error));
  EXPECT_THAT(update("GSI1SK", 1024), IsOk());
  EXPECT_THAT(update("GSI1SK", 1025), IsInvalid(update_error));
  PutWith({{"body", std::string(2049, 'x')}});
  EXPECT_THAT(Update("SET GSI1PK = body"), IsInvalid(update_error));
}

}  // namespace
}  // namespace dolmen::behaviour
