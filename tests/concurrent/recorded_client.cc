#include "tests/concurrent/recorded_client.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "tests/support/status_matchers.h"

namespace dolmen::test {
namespace {

const StoredItem* Pointer(const std::optional<StoredItem>& item) { return item ? &*item : nullptr; }

// Records the writes of the changes, and the reads that follow from their conditions. Assumes that
// the changes succeed.
void NoteChanges(const std::vector<Change>& changes, Operation* operation) {
  for (const Change& change : changes) {
    if (change.kind != Change::Kind::kConditionCheck) {
      operation->writes.push_back({change.item, change.appended});
    }
    if (change.expected) operation->reads.push_back({change.item, *change.expected});
  }
}

bool Returns(ReturnValues returns) { return returns != ReturnValues::kNone; }

// Returns true if the change's condition holds for `seen`.
// REQUIRES: `seen` is absent or has all its marks
bool Holds(const Change& change, const Seen& seen, bool starts_absent) {
  if (!change.expected) return starts_absent || !seen.absent();
  const Seen& expected = *change.expected;
  if (seen.absent() || expected.absent()) return seen.absent() && expected.absent();
  if (expected.marks() == nullptr) return seen.count() == expected.count();
  return *seen.marks() == *expected.marks();
}

const char* NameOf(Change::Kind kind) {
  switch (kind) {
    case Change::Kind::kPut:
      return "PutItem";
    case Change::Kind::kDelete:
      return "DeleteItem";
    default:
      return "UpdateItem";
  }
}

bool IsConflict(const Status& status) { return status.code() == StatusCode::kTransactionConflict; }

}  // namespace

RecordedClient::RecordedClient(const Database& database, const TrackedItems& items,
                               Recorder* recorder, const Options& options)
    : database_(&database), items_(&items), recorder_(recorder), options_(options) {}

std::vector<ItemRead> RecordedClient::Recorded(Operation operation, std::vector<ItemRead> reads) {
  operation.reads = reads;
  recorder_->End(std::move(operation));
  return reads;
}

std::vector<ItemRead> RecordedClient::GetItem(std::size_t item) {
  Operation operation = recorder_->Begin(options_.thread, "GetItem");
  const auto got =
      items_->TableOf(item).GetItem({.key = items_->KeyOf(item), .consistent_read = options_.lags});
  if (IsSimulated(got.status())) return {};
  EXPECT_THAT(got, IsOk());
  if (!got.ok()) return {};
  return Recorded(std::move(operation), {{item, SeenOf(Pointer(got->item))}});
}

std::vector<ItemRead> RecordedClient::TransactGetItems(const std::vector<std::size_t>& items) {
  TransactGetItemsInput input;
  for (const std::size_t item : items) {
    input.items.push_back({.table = items_->TableOf(item), .key = items_->KeyOf(item)});
  }
  Operation operation = recorder_->Begin(options_.thread, "TransactGetItems");
  const auto got = database_->TransactGetItems(input);
  if (IsSimulated(got.status())) return {};
  std::vector<ItemRead> reads;
  if (got.ok()) {
    EXPECT_EQ(got->items.size(), items.size());
    for (std::size_t i = 0; i < std::min(items.size(), got->items.size()); ++i) {
      reads.push_back({items[i], SeenOf(Pointer(got->items[i]))});
    }
  } else {
    operation.committed = false;
    EXPECT_THAT(got, StatusIs(StatusCode::kTransactionCanceled, testing::_));
    EXPECT_TRUE(options_.conflicts);
    EXPECT_TRUE(std::ranges::any_of(got.status().reasons(), IsConflict));
  }
  return Recorded(std::move(operation), std::move(reads));
}

std::vector<ItemRead> RecordedClient::RecordPage(Operation operation,
                                                 const Result<QueryOutput>& page,
                                                 const std::vector<std::size_t>& items) {
  if (IsSimulated(page.status())) return {};
  EXPECT_THAT(page, IsOk());
  if (!page.ok()) return {};
  std::vector<ItemRead> reads = items_->SeenOn(*page, items);
  if (!page->last_evaluated_key().empty()) {  // the page does not show which items are absent
    EXPECT_TRUE(options_.faults);
    std::erase_if(reads, [](const ItemRead& read) { return read.seen.absent(); });
  }
  return Recorded(std::move(operation), std::move(reads));
}

std::vector<ItemRead> RecordedClient::Query(std::size_t table, std::size_t partition) {
  Operation operation = recorder_->Begin(options_.thread, "Query");
  const auto page = items_->table(table).Query(
      {.key_condition = Partition(TrackedItems::PartitionName(partition)),
       .consistent_read = options_.lags});
  return RecordPage(std::move(operation), page, items_->InPartition(table, partition));
}

std::vector<ItemRead> RecordedClient::Scan(std::size_t table) {
  Operation operation = recorder_->Begin(options_.thread, "Scan");
  const auto page = items_->table(table).Scan({.consistent_read = options_.lags});
  return RecordPage(std::move(operation), page, items_->InTable(table));
}

std::vector<ItemRead> RecordedClient::ScanIndex() {
  if (options_.lags) return {};
  Operation operation = recorder_->Begin(options_.thread, "Scan of the index");
  const auto page = items_->table(TrackedItems::kIndexed).Scan({.index = TrackedItems::kIndex});
  return RecordPage(std::move(operation), page, items_->InTable(TrackedItems::kIndexed));
}

Result<WriteItemOutput> RecordedClient::Write(const Change& change, ReturnValues returns) {
  const Table& table = items_->TableOf(change.item);
  if (change.kind == Change::Kind::kPut) {
    PutItemInput input = items_->Put(change);
    input.return_values = returns;
    return table.PutItem(input);
  }
  if (change.kind == Change::Kind::kDelete) {
    DeleteItemInput input = items_->Delete(change);
    input.return_values = returns;
    return table.DeleteItem(input);
  }
  UpdateItemInput input = items_->Update(change);
  input.return_values = returns;
  return table.UpdateItem(input);
}

void RecordedClient::WriteOne(const Change& change, ReturnValues returns) {
  if (change.kind == Change::Kind::kDelete) returns = ReturnValues::kAllOld;
  Operation operation = recorder_->Begin(options_.thread, NameOf(change.kind));
  const auto written = Write(change, returns);
  if (written.ok()) {
    NoteChanges({change}, &operation);
    if (Returns(returns)) {
      operation.reads.push_back({change.item, SeenOf(Pointer(written->attributes))});
    }
  } else {
    NoteFailure(written.status(), {change}, &operation);
  }
  recorder_->End(std::move(operation));
}

void RecordedClient::TransactWriteItems(const std::vector<Change>& changes, bool repeated) {
  const bool deletes = std::ranges::count(changes, Change::Kind::kDelete, &Change::kind) > 0;
  if (options_.faults && deletes) return;
  TransactWriteItemsInput input;
  for (const Change& change : changes) input.actions.push_back(items_->Action(change));
  if (repeated) {
    input.client_request_token = items_->table(0).name() + "/" + std::to_string(options_.thread) +
                                 "/" + std::to_string(++tokens_);
  }
  const auto send = [&] {
    auto sent = database_->TransactWriteItems(input);
    while (repeated && IsSimulated(sent.status())) sent = database_->TransactWriteItems(input);
    return sent;
  };
  Operation operation = recorder_->Begin(options_.thread, "TransactWriteItems");
  const auto written = send();
  if (written.ok()) {
    NoteChanges(changes, &operation);
  } else {
    NoteFailure(written.status(), changes, &operation);
  }
  recorder_->End(std::move(operation));
  if (repeated && written.ok()) {
    EXPECT_THAT(send(), IsOk());
  }
}

// Records a failed write and the items that its error contains. The error contains one item for
// each condition that was false, and the database read all these items at one moment. The error
// shows nothing about the other items of the write. If the error is a conflict, no read is
// recorded, because the database may have read the items at several moments.
void RecordedClient::NoteFailure(const Status& status, const std::vector<Change>& changes,
                                 Operation* operation) {
  NoteChanges(changes, operation);
  operation->committed = false;
  operation->unclear =
      IsSimulated(status) && IsUnclear(status) && changes[0].kind != Change::Kind::kDelete;
  if (!operation->unclear) operation->reads.clear();
  if (IsSimulated(status)) return;
  std::vector<Status> reasons = status.reasons();
  if (status.code() != StatusCode::kTransactionCanceled) reasons = {status};
  ASSERT_EQ(reasons.size(), changes.size()) << status.ToString();
  if (std::ranges::any_of(reasons, IsConflict)) {
    EXPECT_TRUE(options_.conflicts) << status.ToString();
    return;
  }
  bool explained = false;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (reasons[i].ok()) continue;
    explained = true;
    NoteFalseCondition(reasons[i], changes[i], operation);
  }
  EXPECT_TRUE(explained) << "the transaction was canceled without a reason";
}

void RecordedClient::NoteFalseCondition(const Status& status, const Change& change,
                                        Operation* operation) {
  ASSERT_EQ(status.code(), StatusCode::kConditionalCheckFailed) << status.ToString();
  const Seen seen = SeenOf(status.item());
  operation->reads.push_back({change.item, seen});
  EXPECT_FALSE(Holds(change, seen, items_->items()[change.item].starts_absent))
      << "the condition failed on an item for which it holds";
}

}  // namespace dolmen::test
