// Tests that Query returns the items of a partition in DynamoDB's order for all keys. Texts and
// binaries sort as unsigned bytes, numbers by value. Items with equal index keys sort by their
// table keys.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/property/key_value.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"

namespace dolmen::test {
namespace {

using Operator = SortKeyCondition::Operator;

constexpr std::size_t kRows = 300;
constexpr std::size_t kConditionsPerOperator = 12;

struct KeyTypes {
  AttributeType partition;
  AttributeType sort;
};

void PrintTo(const KeyTypes& types, std::ostream* out) {
  *out << AttributeTypeName(types.partition) << AttributeTypeName(types.sort);
}

struct Row {
  KeyValue partition;
  KeyValue sort;
  KeyValue index_partition;
  KeyValue index_sort;
  std::int64_t id;
};

// The expected contents of one partition of the table or index, in the order of Query.
struct StoredPartition {
  KeyValue key;
  std::vector<std::pair<KeyValue, std::int64_t>> rows;  // sort key, id
};

bool Meets(const KeyValue& sort, Operator op, const KeyValue& value, const KeyValue& upper) {
  switch (op) {
    case Operator::kEqual:
      return sort == value;
    case Operator::kLess:
      return sort < value;
    case Operator::kLessOrEqual:
      return sort <= value;
    case Operator::kGreater:
      return sort > value;
    case Operator::kGreaterOrEqual:
      return sort >= value;
    case Operator::kBetween:
      return value <= sort && sort <= upper;
    case Operator::kBeginsWith:
      return sort.BeginsWith(value);
  }
  return false;
}

// Replaces the partition and sort conditions of the query with an equivalent
// KeyConditionExpression.
void SayAsExpression(QueryInput* input) {
  const std::string partition = input->index.empty() ? "P" : "IP";
  const std::string sort = input->index.empty() ? "S" : "#sort";
  if (!input->index.empty()) input->names = {{"#sort", "IS"}};
  const auto [key, condition] = std::get<Partition>(input->key_condition);
  const auto rest = [&]() -> std::string {
    switch (condition->op) {
      case Operator::kEqual:
        return sort + " = :v";
      case Operator::kLess:
        return sort + " < :v";
      case Operator::kLessOrEqual:
        return sort + " <= :v";
      case Operator::kGreater:
        return sort + " > :v";
      case Operator::kGreaterOrEqual:
        return sort + " >= :v";
      case Operator::kBetween:
        return sort + " BETWEEN :v AND :u";
      case Operator::kBeginsWith:
        return "begins_with(" + sort + ", :v)";
    }
    return {};
  };
  input->key_condition = partition + " = :p AND " + rest();
  input->values = {{":p", key}, {":v", condition->value}};
  if (condition->op == Operator::kBetween) input->values.emplace(":u", condition->upper);
}

class OrderTest : public SeededTest, public testing::WithParamInterface<KeyTypes> {
 protected:
  void SetUp() override {
    const auto [partition, sort] = GetParam();
    auto db = Database::InMemory();
    ASSERT_THAT(db, IsOk());
    // The index swaps the key types of the table: the type of its partition key is the type of the
    // table's sort key, and vice versa. So both types occur as partition keys and as sort keys.
    auto table = db->CreateTable(
        {.name = "order",
         .partition_key = {.name = "P", .type = partition},
         .sort_key = KeyAttribute{.name = "S", .type = sort},
         .global_secondary_indexes = {{.name = "index",
                                       .partition_key = {{.name = "IP", .type = sort}},
                                       .sort_key = {{.name = "IS", .type = partition}}}}});
    ASSERT_THAT(table, IsOk());
    table_.emplace(*std::move(table));
    MakeRows();
    for (const Row& row : rows_) Write(row);
  }

  // Creates rows with distinct keys in a few partitions. Many of the partition keys and sort keys
  // differ only slightly, because such keys are the hardest to order.
  void MakeRows() {
    const auto [partition, sort] = GetParam();
    const std::vector<KeyValue> partitions = Choices(partition, 3);
    const std::vector<KeyValue> index_partitions = Choices(sort, 3);
    const std::vector<KeyValue> index_sorts =
        Choices(partition, 40);  // few values, so that some are equal
    std::map<std::pair<KeyValue, KeyValue>, Row> distinct;
    std::optional<KeyValue> last;
    while (distinct.size() < kRows) {
      last = RandomKeyValue(random_, sort, last);
      const KeyValue& p = random_.Pick(partitions);
      distinct.try_emplace({p, *last},
                           Row{p, *last, random_.Pick(index_partitions), random_.Pick(index_sorts),
                               static_cast<std::int64_t>(distinct.size())});
    }
    for (auto& [key, row] : distinct) rows_.push_back(std::move(row));
    random_.Shuffle(&rows_);
  }

  std::vector<KeyValue> Choices(AttributeType type, std::size_t count) {
    std::vector<KeyValue> choices;
    std::optional<KeyValue> last;
    for (std::size_t i = 0; i < count; ++i) {
      last = RandomKeyValue(random_, type, last);
      choices.push_back(*last);
    }
    return choices;
  }

  // Stores the row as an item. In one of five cases, first stores an item with the same key but a
  // different index key, so that the second write must delete an index entry.
  void Write(const Row& row) {
    const auto item = [&](const Row& r) {
      return Item{{"P", r.partition.ToAttribute(random_)},
                  {"S", r.sort.ToAttribute(random_)},
                  {"IP", r.index_partition.ToAttribute(random_)},
                  {"IS", r.index_sort.ToAttribute(random_)},
                  {"id", r.id}};
    };
    if (random_.OneIn(5)) {
      Row other = row;
      other.index_sort = random_.Pick(rows_).index_sort;
      ASSERT_THAT(table_->PutItem({.item = item(other)}), IsOk());
    }
    ASSERT_THAT(table_->PutItem({.item = item(row)}), IsOk());
  }

  std::vector<StoredPartition> TablePartitions() const {
    std::map<KeyValue, std::map<KeyValue, std::int64_t>> sorted;
    for (const Row& row : rows_) sorted[row.partition][row.sort] = row.id;
    std::vector<StoredPartition> partitions;
    for (const auto& [key, rows] : sorted) partitions.push_back({key, {rows.begin(), rows.end()}});
    return partitions;
  }

  std::vector<StoredPartition> IndexPartitions() const {
    using EntryKey = std::pair<KeyValue, std::pair<KeyValue, KeyValue>>;
    std::map<KeyValue, std::map<EntryKey, std::int64_t>> sorted;
    for (const Row& row : rows_) {
      sorted[row.index_partition][{row.index_sort, {row.partition, row.sort}}] = row.id;
    }
    std::vector<StoredPartition> partitions;
    for (const auto& [key, entries] : sorted) {
      StoredPartition& partition = partitions.emplace_back(StoredPartition{key, {}});
      for (const auto& [entry, id] : entries) partition.rows.emplace_back(entry.first, id);
    }
    return partitions;
  }

  // Returns the ids of the items on all pages. Each page starts where the previous page ended.
  std::vector<std::int64_t> Read(QueryInput input, std::uint32_t page_size) {
    std::vector<std::int64_t> ids;
    input.limit = page_size;
    do {
      const auto page = table_->Query(input);
      EXPECT_THAT(page, IsOk());
      if (!page.ok()) break;
      for (const ItemView item : *page) ids.push_back(item["id"].AsInt64().value_or(-1));
      EXPECT_LE(page->size(), page_size);
      input.exclusive_start_key = page->last_evaluated_key();
    } while (!input.exclusive_start_key.empty() && ids.size() <= rows_.size());
    return ids;
  }

  void ExpectInOrder(const std::string& index, const StoredPartition& partition) {
    std::vector<std::int64_t> expected;
    for (const auto& [sort, id] : partition.rows) expected.push_back(id);
    for (const bool forward : {true, false}) {
      for (const std::uint32_t page_size : {1u, 7u, 50u}) {
        EXPECT_EQ(Read({.index = index,
                        .key_condition = Partition(partition.key.ToAttribute(random_)),
                        .forward = forward},
                       page_size),
                  expected)
            << "forward: " << forward << ", page size: " << page_size;
      }
      std::reverse(expected.begin(), expected.end());
    }
  }

  // Returns a bound for a sort condition: a sort key of the partition or a value close to a sort
  // key.
  KeyValue RandomBound(const StoredPartition& partition, Operator op) {
    const KeyValue near = random_.Pick(partition.rows).first;
    if (op == Operator::kBeginsWith) return RandomPrefix(random_, near);
    return random_.OneIn(2) ? near : RandomKeyValue(random_, near.type, near);
  }

  void ExpectOperatorWorks(const std::string& index, const StoredPartition& partition,
                           Operator op) {
    KeyValue value = RandomBound(partition, op);
    KeyValue upper = RandomBound(partition, op);
    if (upper < value) std::swap(value, upper);
    std::vector<std::int64_t> expected;
    for (const auto& [sort, id] : partition.rows) {
      if (Meets(sort, op, value, upper)) expected.push_back(id);
    }
    SortKeyCondition condition{op, value.ToAttribute(random_), {}};
    if (op == Operator::kBetween) condition.upper = upper.ToAttribute(random_);
    QueryInput input{.index = index,
                     .key_condition = Partition(partition.key.ToAttribute(random_), condition)};
    if (random_.OneIn(2)) {
      input.forward = false;
      std::reverse(expected.begin(), expected.end());
    }
    if (random_.OneIn(2)) SayAsExpression(&input);
    EXPECT_EQ(Read(input, static_cast<std::uint32_t>(1 + random_.Below(20))), expected)
        << "operator " << static_cast<int>(op) << ", value " << value.ToString() << ", upper "
        << upper.ToString();
  }

  void ExpectAllOperatorsWork(const std::string& index, const StoredPartition& partition) {
    const bool numbers = partition.rows.front().first.type == AttributeType::kN;
    for (const Operator op :
         {Operator::kEqual, Operator::kLess, Operator::kLessOrEqual, Operator::kGreater,
          Operator::kGreaterOrEqual, Operator::kBetween, Operator::kBeginsWith}) {
      if (op == Operator::kBeginsWith && numbers) continue;  // not for numbers
      for (std::size_t i = 0; i < kConditionsPerOperator; ++i) {
        ExpectOperatorWorks(index, partition, op);
      }
    }
  }

  std::optional<Table> table_;
  std::vector<Row> rows_;  // in the order in which they were written
};

TEST_P(OrderTest, TableReturnsItemsInOrderOfTheirSortKeys) {
  for (const StoredPartition& partition : TablePartitions()) ExpectInOrder("", partition);
}

TEST_P(OrderTest, IndexReturnsItemsInOrderOfIndexSortKeyThenTableKey) {
  for (const StoredPartition& partition : IndexPartitions()) ExpectInOrder("index", partition);
}

TEST_P(OrderTest, EverySortKeyConditionOnTheTableSelectsTheReferenceRange) {
  for (const StoredPartition& partition : TablePartitions()) ExpectAllOperatorsWork("", partition);
}

TEST_P(OrderTest, EverySortKeyConditionOnAnIndexSelectsTheReferenceRange) {
  for (const StoredPartition& partition : IndexPartitions())
    ExpectAllOperatorsWork("index", partition);
}

constexpr AttributeType kS = AttributeType::kS;
constexpr AttributeType kN = AttributeType::kN;
constexpr AttributeType kB = AttributeType::kB;

INSTANTIATE_TEST_SUITE_P(KeyTypes, OrderTest,
                         testing::Values(KeyTypes{kS, kS}, KeyTypes{kS, kN}, KeyTypes{kS, kB},
                                         KeyTypes{kN, kS}, KeyTypes{kN, kN}, KeyTypes{kN, kB},
                                         KeyTypes{kB, kS}, KeyTypes{kB, kN}, KeyTypes{kB, kB}),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace dolmen::test
