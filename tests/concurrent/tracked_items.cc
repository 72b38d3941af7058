#include "tests/concurrent/tracked_items.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "tests/support/status_matchers.h"

namespace dolmen::test {
namespace {

constexpr const char* kMarks = "marks";
constexpr Mark kNoMark = -1;

List AsList(const Marks& marks) { return {marks.begin(), marks.end()}; }

Marks MarksOf(const ItemView& item) {
  const AttributeView list = item[kMarks];
  if (!list.Is(AttributeType::kL)) return {kNoMark};
  Marks marks;
  for (const AttributeView mark : list.AsList()) {
    marks.push_back(mark.AsInt64().value_or(kNoMark));
  }
  return marks;
}

// Returns true if the item is absent at the start. Half of the items of each table and of each
// partition are absent at the start.
bool StartsAbsent(std::size_t item) { return item / TrackedItems::kTables % 2 == 1; }

std::size_t PartitionOf(std::size_t item) {
  return item / TrackedItems::kTables % TrackedItems::kPartitions;
}

}  // namespace

Seen SeenOf(const StoredItem* item) {
  return item == nullptr ? Seen(Absent{}) : Seen(MarksOf(item->view()));
}

Result<TrackedItems> TrackedItems::Create(Database database, const std::string& name) {
  TrackedItems made(std::move(database));
  for (std::size_t i = 0; i < kTables; ++i) {
    CreateTableInput input;
    input.name = (i == 0 ? "left-" : "right-") + name;
    if (i == kIndexed) {
      input.global_secondary_indexes = {GlobalSecondaryIndex::Overloaded(kIndex)};
    }
    auto table = made.database_.CreateTable(input);
    if (!table.ok()) return table.status();
    made.tables_.push_back(*table);
  }
  for (std::size_t i = 0; i < kItems; ++i) {
    made.items_.push_back(
        {.name = (i % kTables == 0 ? "left/" : "right/") + std::to_string(i / kTables),
         .starts_absent = StartsAbsent(i)});
    if (StartsAbsent(i)) continue;
    const auto written =
        made.TableOf(i).PutItem(made.Put({Change::Kind::kPut, i, Seen(Absent{}), {}}));
    if (!written.ok()) return written.status();
  }
  return made;
}

Status TrackedItems::Drop() {
  for (const Table& table : tables_) {
    if (const Status dropped = database_.DeleteTable(table.name()); !dropped.ok()) return dropped;
  }
  return Status();
}

Item TrackedItems::KeyOf(std::size_t item) const {
  return {{"PK", PartitionName(PartitionOf(item))}, {"SK", items_[item].name}};
}

std::vector<std::size_t> TrackedItems::InTable(std::size_t table) const {
  std::vector<std::size_t> items;
  for (std::size_t i = table; i < kItems; i += kTables) items.push_back(i);
  return items;
}

std::vector<std::size_t> TrackedItems::InPartition(std::size_t table, std::size_t partition) const {
  std::vector<std::size_t> items = InTable(table);
  std::erase_if(items, [&](std::size_t item) { return PartitionOf(item) != partition; });
  return items;
}

ConditionExpression TrackedItems::ConditionOf(const Change& change) const {
  if (!change.expected) {
    if (items_[change.item].starts_absent) return {};
    return AttributeExists(kMarks);
  }
  if (change.expected->absent()) return AttributeNotExists(kMarks);
  if (const Marks* const marks = change.expected->marks()) {
    return Attr(kMarks) == AttributeValue(AsList(*marks));
  }
  return Size(kMarks) == change.expected->count();
}

PutItemInput TrackedItems::Put(const Change& change) const {
  const Marks* const before = change.expected->marks();
  Marks marks = before == nullptr ? Marks() : *before;
  marks.insert(marks.end(), change.appended.begin(), change.appended.end());
  Item item = KeyOf(change.item);
  item.insert_or_assign(kMarks, AsList(marks));
  item.insert_or_assign("GSI1PK", "all");
  item.insert_or_assign("GSI1SK", items_[change.item].name);
  return {.item = std::move(item),
          .condition = ConditionOf(change),
          .return_item_on_condition_failure = true};
}

UpdateItemInput TrackedItems::Update(const Change& change) const {
  return {
      .key = KeyOf(change.item),
      .update = dolmen::Update()
                    .Set(kMarks, ListAppend(IfNotExists(kMarks, List()), AsList(change.appended)))
                    .Set("GSI1PK", "all")
                    .Set("GSI1SK", items_[change.item].name),
      .condition = ConditionOf(change),
      .return_item_on_condition_failure = true};
}

DeleteItemInput TrackedItems::Delete(const Change& change) const {
  return {.key = KeyOf(change.item),
          .condition = ConditionOf(change),
          .return_item_on_condition_failure = true};
}

ConditionCheckInput TrackedItems::Check(const Change& change) const {
  return {.key = KeyOf(change.item),
          .condition = ConditionOf(change),
          .return_item_on_condition_failure = true};
}

TransactWriteItem TrackedItems::Action(const Change& change) const {
  const Table& table = TableOf(change.item);
  switch (change.kind) {
    case Change::Kind::kPut:
      return {table, Put(change)};
    case Change::Kind::kDelete:
      return {table, Delete(change)};
    case Change::Kind::kConditionCheck:
      return {table, Check(change)};
    case Change::Kind::kUpdate:
      break;
  }
  return {table, Update(change)};
}

std::vector<ItemRead> TrackedItems::SeenOn(const QueryOutput& page,
                                           const std::vector<std::size_t>& items) const {
  std::vector<ItemRead> seen;
  for (const std::size_t item : items) seen.push_back({item, Absent{}});
  std::vector<bool> met(kItems, false);
  for (const ItemView view : page) {
    const auto is_it = [&](const ItemRead& read) {
      return view["SK"].AsString() == items_[read.item].name;
    };
    const auto read = std::ranges::find_if(seen, is_it);
    if (read == seen.end() || met[read->item]) {
      ADD_FAILURE() << "unexpected item, or the same item twice: " << view.ToString();
      continue;
    }
    met[read->item] = true;
    read->seen = MarksOf(view);
  }
  return seen;
}

}  // namespace dolmen::test
