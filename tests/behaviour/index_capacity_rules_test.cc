// Tests of the capacity that reads of indexes and updates of their entries consume.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.ThroughputConsiderations

#include <optional>
#include <string>
#include <vector>

#include "tests/behaviour/consumed_capacity.h"

namespace dolmen::behaviour {
namespace {

using IndexCapacityRulesTest = ConsumedCapacityTest;

// A read of a global index consumes units for the sizes of the entries, not of the items. The read
// consumes no units of the table.
TEST_F(IndexCapacityRulesTest, AReadOfAGlobalIndexConsumesUnitsForItsEntriesOnly) {
  for (const std::string sort : {"a", "b", "c"}) {
    Item item = Sized(3000, sort);
    for (const std::string key : {"a", "k", "s"}) item[key] = "index";
    Put(item);
  }
  struct Row {
    std::string index;
    double units;
  };
  for (const auto& [index, units] : {Row{"All", 1.5}, Row{"Keys", 0.5}, Row{"Some", 0.5}}) {
    const auto expected = Indexes({}, {{index, Read(units)}});
    EXPECT_EQ(Of(table().Query({.index = index,
                                .key_condition = Partition("index"),
                                .options = {.return_consumed_capacity = kIndexes}})),
              expected);
    EXPECT_EQ(Of(table().Scan({.index = index, .options = {.return_consumed_capacity = kIndexes}})),
              expected);
    EXPECT_EQ(Of(table().Query({.index = index,
                                .key_condition = Partition("nothere"),
                                .options = {.return_consumed_capacity = kIndexes}})),
              Indexes({}, {{index, Read(0.5)}}));
    EXPECT_EQ(Of(table().Scan({.index = index, .options = {.return_consumed_capacity = kTotal}})),
              Total(Read(units)));
  }
}

// Attributes that a local index does not hold are read from the table. Each item that is read from
// the table consumes units of its own: the sizes of the items are not added up before they are
// rounded to units.
TEST_F(IndexCapacityRulesTest, AReadOfALocalIndexConsumesTableUnitsForFetchedItems) {
  for (const std::string sort : {"a", "b", "c"}) {
    Item item = Sized(4500, sort);
    item["l"] = "local";
    Put(item);
  }
  const auto query = [&](QueryInput input) {
    input.index = "Local";
    input.key_condition = Partition("p");
    input.options.return_consumed_capacity = kIndexes;
    return Of(table().Query(input));
  };
  EXPECT_EQ(query({}), Indexes({}, {}, {{"Local", Read(0.5)}}));
  EXPECT_EQ(query({.consistent_read = true}), Indexes({}, {}, {{"Local", Read(1)}}));
  EXPECT_EQ(query({.projection = "SK, l"}), Indexes({}, {}, {{"Local", Read(0.5)}}));
  EXPECT_EQ(query({.projection = "x"}), Indexes(Read(3), {}, {{"Local", Read(0.5)}}));
  EXPECT_EQ(query({.select = Select::kAllAttributes, .consistent_read = true}),
            Indexes(Read(6), {}, {{"Local", Read(1)}}));
  EXPECT_EQ(query({.limit = 1, .select = Select::kAllAttributes}),
            Indexes(Read(1), {}, {{"Local", Read(0.5)}}));
}

// A change of an item, and the units that the change consumes in each index.
struct IndexCost {
  std::optional<Map> before;  // nothing: the item does not exist
  std::optional<Map> after;   // nothing: the item is deleted
  ByIndex global;
  ByIndex local = {};
};

class IndexCostRulesTest : public ConsumedCapacityTest {
 protected:
  // Checks each change with PutItem or DeleteItem, and as part of a BatchWriteItem.
  void Check(const std::vector<IndexCost>& rows) const {
    for (const IndexCost& row : rows) {
      SCOPED_TRACE(testing::PrintToString(row.before.value_or(Map())) + " to " +
                   testing::PrintToString(row.after.value_or(Map())));
      Begin(row);
      const auto single =
          row.after ? Of(table().PutItem({.item = With(*row.after),
                                          .options = {.return_consumed_capacity = kIndexes}}))
                    : Of(table().DeleteItem(
                          {.key = Key(), .options = {.return_consumed_capacity = kIndexes}}));
      ASSERT_TRUE(single);
      EXPECT_EQ(*single, Indexes(single->table, row.global, row.local));
      Begin(row);
      const WriteRequest request = row.after ? WriteRequest(PutRequest{With(*row.after)})
                                             : WriteRequest(DeleteRequest{Key()});
      EXPECT_EQ(
          OfOne(database().BatchWriteItem({.requests = {{table(), {request}}},
                                           .options = {.return_consumed_capacity = kIndexes}})),
          single);
    }
  }

 private:
  void Begin(const IndexCost& row) const {
    ASSERT_THAT(table().DeleteItem({.key = Key()}), IsOk());
    if (row.before) Put(With(*row.before));
  }
};

TEST_F(IndexCostRulesTest, EachEntryAddedRemovedOrChangedConsumesAWriteUnit) {
  const Capacity one = Write(1);
  const Capacity two = Write(2);
  Check({
      // No index holds the item.
      {{}, {{{"x", 1}}}, {}},
      {{{{"x", 1}}}, {{{"x", 2}}}, {}},
      {{{{"x", 1}}}, {}, {}},
      // The change adds an index entry.
      {{}, {{{"k", "1"}}}, {{"Keys", one}}},
      {{{{"x", 1}}}, {{{"k", "1"}}}, {{"Keys", one}}},
      {{}, {{{"a", "1"}, {"k", "1"}, {"s", "1"}}}, {{"All", one}, {"Keys", one}, {"Some", one}}},
      // The change removes an index entry.
      {{{{"k", "1"}}}, {}, {{"Keys", one}}},
      {{{{"k", "1"}}}, {{{"x", 1}}}, {{"Keys", one}}},
      {{{{"a", "1"}, {"k", "1"}, {"s", "1"}}}, {}, {{"All", one}, {"Keys", one}, {"Some", one}}},
      // The index key changes. The index deletes the old entry and puts a new entry: two writes.
      {{{{"k", "1"}}}, {{{"k", "2"}}}, {{"Keys", two}}},
      {{{{"a", "1"}, {"s", "1"}}}, {{{"a", "2"}, {"s", "1"}}}, {{"All", two}}},
      // The update changes, adds or removes a projected attribute, so the index writes its entry
      // once.
      {{{{"a", "1"}, {"x", 1}}}, {{{"a", "1"}, {"x", 2}}}, {{"All", one}}},
      {{{{"s", "1"}, {"p", 1}}}, {{{"s", "1"}, {"p", 2}}}, {{"Some", one}}},
      {{{{"s", "1"}}}, {{{"s", "1"}, {"p", 2}}}, {{"Some", one}}},
      {{{{"s", "1"}, {"p", 1}}}, {{{"s", "1"}}}, {{"Some", one}}},
      // The update changes no attribute that an index of the item projects, so no entry is written.
      {{{{"k", "1"}, {"p", 1}}}, {{{"k", "1"}, {"p", 2}}}, {}},
      {{{{"s", "1"}, {"x", 1}}}, {{{"s", "1"}, {"x", 2}}}, {}},
      {{{{"a", "1"}, {"x", 1}}}, {{{"a", "1"}, {"x", 1}}}, {}},
      // The changed attribute is the key attribute of one index and is projected into another
      // index. So the change affects both indexes.
      {{{{"a", "1"}, {"k", "1"}}}, {{{"a", "1"}, {"k", "2"}}}, {{"All", one}, {"Keys", two}}},
  });
}

// The size of an entry is the size of the attributes that the index projects.
TEST_F(IndexCostRulesTest, AnEntryConsumesUnitsForItsProjectedAttributes) {
  const std::string large(3000, 'x');
  const std::string middle(1500, 'x');
  Check({
      {{}, {{{"a", "1"}, {"x", large}}}, {{"All", Write(3)}}},
      {{}, {{{"k", "1"}, {"x", large}}}, {{"Keys", Write(1)}}},
      {{}, {{{"s", "1"}, {"x", large}}}, {{"Some", Write(1)}}},
      {{}, {{{"s", "1"}, {"p", large}}}, {{"Some", Write(3)}}},
      {{{{"a", "1"}, {"x", large}}}, {}, {{"All", Write(3)}}},
      {{{{"a", "1"}, {"x", large}}}, {{{"x", 1}}}, {{"All", Write(3)}}},
      // If the index key stays the same, the write consumes units for the larger of the old and the
      // new entry. If the index key changes, the write consumes units for both entries.
      {{{{"a", "1"}, {"x", large}}}, {{{"a", "1"}, {"x", middle}}}, {{"All", Write(3)}}},
      {{{{"a", "1"}, {"x", middle}}}, {{{"a", "1"}, {"x", large}}}, {{"All", Write(3)}}},
      {{{{"a", "1"}, {"x", large}}}, {{{"a", "2"}, {"x", middle}}}, {{"All", Write(3 + 2)}}},
  });
}

TEST_F(IndexCostRulesTest, LocalIndexesConsumeAsMuchAsGlobalIndexes) {
  Check({
      {{}, {{{"l", "1"}}}, {}, {{"Local", Write(1)}}},
      {{{{"l", "1"}}}, {}, {}, {{"Local", Write(1)}}},
      {{{{"l", "1"}}}, {{{"l", "2"}}}, {}, {{"Local", Write(2)}}},
      {{{{"l", "1"}}}, {{{"l", "1"}, {"x", 1}}}, {}, {}},
      {{{{"k", "1"}}}, {{{"k", "1"}, {"l", "1"}}}, {}, {{"Local", Write(1)}}},
  });
}

TEST_F(IndexCostRulesTest, UpdateItemConsumesIndexUnitsAsPutItemDoes) {
  const auto update = [&](const UpdateExpression& expression, const Values& values = {}) {
    return Of(table().UpdateItem({.key = Key(),
                                  .update = expression,
                                  .values = values,
                                  .options = {.return_consumed_capacity = kIndexes}}));
  };
  EXPECT_EQ(update("SET k = :k", {{":k", "1"}}), Indexes(Write(1), {{"Keys", Write(1)}}));
  EXPECT_EQ(update("SET k = :k", {{":k", "1"}}), Indexes(Write(1)));
  EXPECT_EQ(update("SET k = :k", {{":k", "2"}}), Indexes(Write(1), {{"Keys", Write(2)}}));
  EXPECT_EQ(update("ADD x :x", {{":x", 1}}), Indexes(Write(1)));
  EXPECT_EQ(update("REMOVE k SET s = :s", {{":s", "1"}}),
            Indexes(Write(1), {{"Keys", Write(1)}, {"Some", Write(1)}}));
}

}  // namespace
}  // namespace dolmen::behaviour
