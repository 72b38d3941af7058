#include "tests/model/real_results.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "tests/support/status_matchers.h"

namespace dolmen::test {
namespace {

std::optional<Item> CopyOf(const StoredItem* item) {
  if (item == nullptr) return std::nullopt;
  Result<Item> copy = item->Copy();
  EXPECT_THAT(copy, IsOk());
  return copy.ok() ? std::optional(*std::move(copy)) : std::nullopt;
}

std::vector<ConsumedCapacity> CapacityOf(const std::optional<ConsumedCapacity>& capacity) {
  if (!capacity) return {};
  return {*capacity};
}

std::vector<ConsumedCapacity> CapacityOf(std::vector<ConsumedCapacity> capacity) {
  std::sort(capacity.begin(), capacity.end(),
            [](const auto& a, const auto& b) { return a.table_name < b.table_name; });
  return capacity;
}

template <typename Output>
Outcome OutcomeOf(const Result<Output>& result, std::optional<StoredItem> Output::*item) {
  if (!result.ok()) return ToOutcome(result.status());
  const std::optional<StoredItem>& found = (*result).*item;
  return {.item = CopyOf(found ? &*found : nullptr),
          .capacity = CapacityOf(result->consumed_capacity)};
}

template <typename Output>
Outcome OutcomeOf(const Result<Output>& result) {
  if (!result.ok()) return ToOutcome(result.status());
  return {.capacity = CapacityOf(result->consumed_capacity)};
}

}  // namespace

Outcome ToOutcome(const Status& status) {
  Outcome outcome{.code = status.code(), .item = CopyOf(status.item())};
  for (const Status& reason : status.reasons()) outcome.reasons.push_back(ToOutcome(reason));
  return outcome;
}

Outcome ToOutcome(const Result<WriteItemOutput>& result) {
  return OutcomeOf(result, &WriteItemOutput::attributes);
}

Outcome ToOutcome(const Result<GetItemOutput>& result) {
  return OutcomeOf(result, &GetItemOutput::item);
}

Outcome ToOutcome(const Result<TransactWriteItemsOutput>& result) { return OutcomeOf(result); }

Outcome ToOutcome(const Result<BatchWriteItemOutput>& result) {
  if (result.ok()) {
    EXPECT_TRUE(result->unprocessed_items.empty());
  }
  return OutcomeOf(result);
}

Page ToPage(const Status& status, const QueryOutput& output) {
  if (!status.ok()) {
    EXPECT_TRUE(output.empty() && output.last_evaluated_key().empty());
    return {.code = status.code()};
  }
  Page page{.count = output.count(),
            .scanned_count = output.scanned_count(),
            .last_evaluated_key = output.last_evaluated_key(),
            .capacity = CapacityOf(output.consumed_capacity())};
  for (const ItemView item : output) {
    Result<Item> copy = item.Copy();
    EXPECT_THAT(copy, IsOk());
    EXPECT_THAT(item.Check(), IsOk());
    if (copy.ok()) page.items.push_back(*std::move(copy));
  }
  return page;
}

Found ToFound(const Result<BatchGetItemOutput>& result) {
  if (!result.ok()) return {.code = result.status().code()};
  EXPECT_TRUE(result->unprocessed_keys.empty());
  Found found{.capacity = CapacityOf(result->consumed_capacity)};
  for (const std::vector<StoredItem>& stored : result->responses) {
    auto& items = found.items.emplace_back();
    for (const StoredItem& item : stored) items.push_back(CopyOf(&item).value_or(Item()));
  }
  return found;
}

Found ToFound(const Result<TransactGetItemsOutput>& result) {
  if (!result.ok()) return {.code = result.status().code()};
  Found found{.capacity = CapacityOf(result->consumed_capacity)};
  for (const std::optional<StoredItem>& item : result->items) {
    auto& items = found.items.emplace_back();
    if (item) items.push_back(CopyOf(&*item).value_or(Item()));
  }
  return found;
}

Outcome Write(const WriteOperation& operation, const Table& table) {
  switch (operation.kind) {
    case WriteOperation::Kind::kPut:
      return ToOutcome(table.PutItem(ToPut(operation)));
    case WriteOperation::Kind::kUpdate:
      return ToOutcome(table.UpdateItem(ToUpdate(operation)));
    default:
      return ToOutcome(table.DeleteItem(ToDelete(operation)));
  }
}

std::vector<Pages> Scan(const ScanOperation& operation, const Table& table) {
  std::vector<Pages> segments;
  ScanOutput output;
  for (std::uint32_t i = 0; i < std::max(operation.total_segments, 1u); ++i) {
    Pages& pages = segments.emplace_back();
    Item start_key;
    do {
      const Status status = table.Scan(ToScan(operation, i, start_key), &output);
      start_key = output.last_evaluated_key();
      pages.push_back(ToPage(status, output));
    } while (!start_key.empty());
  }
  return segments;
}

}  // namespace dolmen::test
