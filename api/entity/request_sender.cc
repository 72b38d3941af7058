#include "dolmen/entity/request_sender.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <variant>

#include "dolmen/entity/query_planner.h"
#include "engine/base/status_macros.h"
#include "engine/value/stored_form.h"
#include "entity/describe_request.h"

namespace dolmen::entity {
namespace {

constexpr std::size_t kBatchGetMax = 100;
constexpr std::size_t kBatchWriteMax = 25;

// The limit up to which QueryPages doubles the limit of a request.
constexpr std::uint32_t kLimitMax = 1000;

std::uint64_t CountRanges(const QueryInput& input) {
  const auto* const partitions = std::get_if<Partitions>(&input.key_condition);
  return partitions != nullptr ? partitions->keys.size() : 1;
}

// Returns the number of keys or writes that a batch has left unprocessed. It was sent for one table.
std::size_t CountLeft(const BatchGetItemOutput& output) {
  return output.unprocessed_keys.empty() ? 0 : output.unprocessed_keys[0].keys.size();
}
std::size_t CountLeft(const BatchWriteItemOutput& output) {
  return output.unprocessed_items.empty() ? 0 : output.unprocessed_items[0].requests.size();
}

// Fails if the batch has left all its `sent` keys or writes, because it could be sent without an end.
template <typename Output>
Status CheckProgress(const Output& output, std::size_t sent) {
  if (CountLeft(output) < sent) return {};
  return Status::ProvisionedThroughputExceeded().WithMessage(
      "The service has left all " + std::to_string(sent) +
      " items of a batch unprocessed. Other items of the call may have been processed. Repeat the"
      " call later.");
}

// Sorts the items in the order of their keys.
void SortByKeys(std::span<const Item> keys, std::span<StoredItem> items) {
  for (const Item& key : keys) {
    const auto found = std::ranges::find_if(
        items, [&](const StoredItem& item) { return internal::HasKey(item.view(), key); });
    if (found == items.end()) continue;
    std::swap(*found, items.front());
    items = items.subspan(1);
  }
}

// Adds an item that a request has read to the request's trace.
void AddItem(const StoredItem& item, RequestTrace* trace) {
  ++trace->items_read;
  trace->bytes_read += item.view().size_bytes();
}

}  // namespace

RequestSender::RequestSender(Database database, Table table, RequestObserver observer)
    : state_(std::make_shared<State>(database, std::move(table), std::move(observer),
                                     database.clock())) {}

ReturnConsumedCapacity RequestSender::CapacityToReturn() const {
  return state_->observer ? ReturnConsumedCapacity::kIndexes : ReturnConsumedCapacity::kNone;
}

void RequestSender::NotifyObserver(RequestTrace trace,
                                   std::vector<ConsumedCapacity> consumed) const {
  trace.consumed_capacity = std::move(consumed);
  state_->observer(trace);
}

void RequestSender::NotifyObserver(RequestTrace trace,
                                   const std::optional<ConsumedCapacity>& consumed) const {
  if (consumed) trace.consumed_capacity.push_back(*consumed);
  state_->observer(trace);
}

Result<GetItemOutput> RequestSender::GetItem(Item key, bool consistent_read) const {
  const GetItemInput input = {.key = std::move(key),
                              .consistent_read = consistent_read,
                              .options = {.return_consumed_capacity = CapacityToReturn()}};
  Result<GetItemOutput> output = table().GetItem(input);
  if (state_->observer) {
    RequestTrace trace = {.operation = "GetItem", .request = DescribeItemKey(input.key)};
    if (output.ok() && output->item) AddItem(*output->item, &trace);
    NotifyObserver(std::move(trace), output.ok() ? output->consumed_capacity : std::nullopt);
  }
  return output;
}

Status RequestSender::Query(const QueryPlanner& planner, QueryOutput* page) const {
  DOLMEN_ASSIGN_OR_RETURN(QueryInput input, planner.Plan());
  input.exact_end = true;
  return SendQuery(std::move(input), planner.key(), page);
}

Status RequestSender::SendQuery(QueryInput input, const KeySpec& key, QueryOutput* page) const {
  input.options.return_consumed_capacity = CapacityToReturn();
  const Status status = table().Query(input, page);
  if (state_->observer) {
    NotifyObserver({.operation = "Query",
                    .request = DescribeQuery(input, key),
                    .details = DescribeDetails(input.filter, input.projection),
                    .items_read = page->scanned_count(),
                    .bytes_read = page->scanned_bytes(),
                    .ranges = CountRanges(input)},
                   page->consumed_capacity());
  }
  return status;
}

Status RequestSender::QueryPages(
    const QueryPlanner& planner,
    const std::function<Result<bool>(const QueryOutput&)>& visit) const {
  DOLMEN_ASSIGN_OR_RETURN(QueryInput input, planner.Plan());
  return SendQueryPages(std::move(input), planner.key(), visit);
}

Status RequestSender::SendQueryPages(
    QueryInput input, const KeySpec& key,
    const std::function<Result<bool>(const QueryOutput&)>& visit) const {
  QueryOutput page;
  do {
    DOLMEN_RETURN_IF_ERROR(SendQuery(input, key, &page));
    const Result<bool> more = visit(page);
    if (!more.ok() || !*more) return more.status();
    input.exclusive_start_key = page.last_evaluated_key();
    if (input.limit && *input.limit < kLimitMax) {
      input.limit = std::min(2 * *input.limit, kLimitMax);
    }
  } while (!input.exclusive_start_key.empty());
  return {};
}

Status RequestSender::ScanPages(ScanInput input,
                                const std::function<Result<bool>(const ScanOutput&)>& visit) const {
  input.options.return_consumed_capacity = CapacityToReturn();
  ScanOutput page;
  do {
    const Status status = table().Scan(input, &page);
    if (state_->observer) {
      NotifyObserver({.operation = "Scan",
                      .request = DescribeScan(input),
                      .details = DescribeDetails(input.filter, input.projection),
                      .items_read = page.scanned_count(),
                      .bytes_read = page.scanned_bytes(),
                      .ranges = 1},
                     page.consumed_capacity());
    }
    DOLMEN_RETURN_IF_ERROR(status);
    const Result<bool> more = visit(page);
    if (!more.ok() || !*more) return more.status();
    input.exclusive_start_key = page.last_evaluated_key();
  } while (!input.exclusive_start_key.empty());
  return {};
}

Result<std::uint64_t> RequestSender::QueryCount(const QueryPlanner& planner) const {
  DOLMEN_ASSIGN_OR_RETURN(QueryInput input, planner.Plan());
  input.limit.reset();
  std::uint64_t count = 0;
  const auto visit = [&](const QueryOutput& page) -> Result<bool> {
    for (const ItemView item : page) {
      DOLMEN_ASSIGN_OR_RETURN(const auto found, planner.matcher().Find(item));
      if (found) ++count;
    }
    return true;
  };
  DOLMEN_RETURN_IF_ERROR(SendQueryPages(std::move(input), planner.key(), visit));
  return count;
}

Result<std::vector<StoredItem>> RequestSender::BatchGetItem(std::vector<Item> keys) const {
  std::vector<StoredItem> items;
  std::span<Item> rest = keys;
  while (!rest.empty()) {
    const std::span<Item> chunk = rest.first(std::min(rest.size(), kBatchGetMax));
    rest = rest.subspan(chunk.size());
    BatchGetItemInput input = {.options = {.return_consumed_capacity = CapacityToReturn()}};
    input.requests.push_back({.table = table(), .keys = {chunk.begin(), chunk.end()}});
    const std::size_t first = items.size();
    bool is_complete = true;  // after one request
    while (!input.requests.empty()) {
      Result<BatchGetItemOutput> output = database().BatchGetItem(input);
      if (state_->observer) {
        const std::span<const Item> sent = input.requests[0].keys;
        RequestTrace trace = {.operation = "BatchGetItem",
                              .request = std::to_string(sent.size()) + " keys",
                              .details = DescribeDetails(sent)};
        if (output.ok()) {
          for (const StoredItem& item : output->responses[0]) AddItem(item, &trace);
        }
        NotifyObserver(std::move(trace),
                       output.ok() ? output->consumed_capacity : std::vector<ConsumedCapacity>());
      }
      if (!output.ok()) return output.status();
      DOLMEN_RETURN_IF_ERROR(CheckProgress(*output, input.requests[0].keys.size()));
      std::ranges::move(output->responses[0], std::back_inserter(items));
      input.requests = std::move(output->unprocessed_keys);
      is_complete = is_complete && input.requests.empty();
    }
    if (!is_complete) SortByKeys(chunk, std::span(items).subspan(first));
  }
  return items;
}

Status RequestSender::BatchWriteItem(std::vector<WriteRequest> requests) const {
  std::span<WriteRequest> rest = requests;
  while (!rest.empty()) {
    const std::span<WriteRequest> chunk = rest.first(std::min(rest.size(), kBatchWriteMax));
    rest = rest.subspan(chunk.size());
    BatchWriteItemInput input = {.options = {.return_consumed_capacity = CapacityToReturn()}};
    input.requests.push_back({.table = table(), .requests = {chunk.begin(), chunk.end()}});
    while (!input.requests.empty()) {
      DOLMEN_ASSIGN_OR_RETURN(input.requests, SendWrites(input));
    }
  }
  return {};
}

Result<std::vector<WriteRequests>> RequestSender::SendWrites(
    const BatchWriteItemInput& input) const {
  const std::vector<WriteRequest>& writes = input.requests[0].requests;
  Result<BatchWriteItemOutput> output = database().BatchWriteItem(input);
  if (state_->observer) {
    NotifyObserver({.operation = "BatchWriteItem",
                    .request = std::to_string(writes.size()) + " items",
                    .details = DescribeDetails(writes)},
                   output.ok() ? output->consumed_capacity : std::vector<ConsumedCapacity>());
  }
  if (!output.ok()) return output.status();
  DOLMEN_RETURN_IF_ERROR(CheckProgress(*output, writes.size()));
  return std::move(output->unprocessed_items);
}

Result<std::vector<std::optional<StoredItem>>> RequestSender::TransactGetItems(
    std::vector<Item> keys) const {
  TransactGetItemsInput input = {.options = {.return_consumed_capacity = CapacityToReturn()}};
  for (Item& key : keys) input.items.push_back({.table = table(), .key = std::move(key)});
  Result<TransactGetItemsOutput> output = database().TransactGetItems(input);
  if (state_->observer) {
    RequestTrace trace = {.operation = "TransactGetItems"};
    for (const TransactGetItem& get : input.items) {
      trace.request.append(trace.request.empty() ? "" : "; ").append(DescribeItemKey(get.key));
    }
    if (output.ok()) {
      for (const std::optional<StoredItem>& item : output->items) {
        if (item) AddItem(*item, &trace);
      }
    }
    NotifyObserver(std::move(trace),
                   output.ok() ? output->consumed_capacity : std::vector<ConsumedCapacity>());
  }
  if (!output.ok()) return output.status();
  return std::move(output->items);
}

}  // namespace dolmen::entity
