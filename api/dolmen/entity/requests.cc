#include "dolmen/entity/requests.h"

#include <algorithm>
#include <span>
#include <utility>

#include "dolmen/entity/describe.h"

namespace dolmen {

Capacity RequestTrace::total() const {
  Capacity sum;
  for (const ConsumedCapacity& consumed : consumed_capacity) sum += consumed.total;
  return sum;
}

RequestObserver RequestLog::observer() const {
  return [state = state_](const RequestTrace& trace) {
    const std::lock_guard lock(state->mutex);
    state->traces.push_back(trace);
  };
}

std::vector<RequestTrace> RequestLog::Take() const {
  const std::lock_guard lock(state_->mutex);
  return std::exchange(state_->traces, {});
}

namespace entity {
namespace {

constexpr std::size_t kBatchGetMax = 100;
constexpr std::size_t kBatchWriteMax = 25;

}  // namespace

Requests::Requests(Database database, Table table, RequestObserver observer)
    : state_(std::make_shared<State>(database, std::move(table), std::move(observer),
                                     database.clock())) {}

ReturnConsumedCapacity Requests::Wanted() const {
  return state_->observer ? ReturnConsumedCapacity::kIndexes : ReturnConsumedCapacity::kNone;
}

void Requests::Tell(const char* operation, std::string request,
                    std::vector<ConsumedCapacity> consumed) const {
  state_->observer({.operation = operation,
                    .request = std::move(request),
                    .consumed_capacity = std::move(consumed)});
}

void Requests::Tell(const char* operation, std::string request,
                    const std::optional<ConsumedCapacity>& consumed) const {
  std::vector<ConsumedCapacity> all;
  if (consumed) all.push_back(*consumed);
  Tell(operation, std::move(request), std::move(all));
}

Result<GetItemOutput> Requests::GetItem(Item key) const {
  const GetItemInput input = {.key = std::move(key), .return_consumed_capacity = Wanted()};
  Result<GetItemOutput> output = table().GetItem(input);
  if (state_->observer) {
    Tell("GetItem", DescribeItemKey(input.key),
         output.ok() ? output->consumed_capacity : std::nullopt);
  }
  return output;
}

Result<WriteItemOutput> Requests::Send(Action* action) const {
  if (auto* put = std::get_if<PutItemInput>(action)) {
    put->return_consumed_capacity = Wanted();
    return table().PutItem(*put);
  }
  if (auto* update = std::get_if<UpdateItemInput>(action)) {
    update->return_consumed_capacity = Wanted();
    update->return_values = ReturnValues::kAllNew;
    return table().UpdateItem(*update);
  }
  if (auto* remove = std::get_if<DeleteItemInput>(action)) {
    remove->return_consumed_capacity = Wanted();
    return table().DeleteItem(*remove);
  }
  return Status::Validation("a ConditionCheck is for transactions");
}

Result<std::optional<StoredItem>> Requests::Do(Write write) const {
  Result<WriteItemOutput> output = Send(&write.action);
  if (state_->observer) {
    Tell(OperationOf(write.action), DescribeWrite(write),
         output.ok() ? output->consumed_capacity : std::nullopt);
  }
  if (!output.ok()) return Explain(write, output.status());
  return std::move(output->attributes);
}

Status Requests::Query(QueryInput input, const KeySpec& key, QueryOutput* page) const {
  input.return_consumed_capacity = Wanted();
  const Status status = table().Query(input, page);
  if (state_->observer) Tell("Query", DescribeQuery(input, key), page->consumed_capacity());
  return status;
}

Result<std::vector<StoredItem>> Requests::BatchGetItem(std::vector<Item> keys) const {
  std::vector<StoredItem> items;
  std::span<Item> rest = keys;
  while (!rest.empty()) {
    const std::span<Item> chunk = rest.first(std::min(rest.size(), kBatchGetMax));
    rest = rest.subspan(chunk.size());
    BatchGetItemInput input = {.return_consumed_capacity = Wanted()};
    input.requests.push_back({.table = table(), .keys = {chunk.begin(), chunk.end()}});
    while (!input.requests.empty()) {
      Result<BatchGetItemOutput> output = database().BatchGetItem(input);
      if (state_->observer) {
        Tell("BatchGetItem", std::to_string(input.requests[0].keys.size()) + " keys",
             output.ok() ? output->consumed_capacity : std::vector<ConsumedCapacity>());
      }
      if (!output.ok()) return output.status();
      std::ranges::move(output->responses[0], std::back_inserter(items));
      input.requests = std::move(output->unprocessed_keys);
    }
  }
  return items;
}

Status Requests::BatchWriteItem(std::vector<WriteRequest> requests) const {
  std::span<WriteRequest> rest = requests;
  while (!rest.empty()) {
    const std::span<WriteRequest> chunk = rest.first(std::min(rest.size(), kBatchWriteMax));
    rest = rest.subspan(chunk.size());
    BatchWriteItemInput input = {.return_consumed_capacity = Wanted()};
    input.requests.push_back({.table = table(), .requests = {chunk.begin(), chunk.end()}});
    const Result<BatchWriteItemOutput> output = database().BatchWriteItem(input);
    if (state_->observer) {
      Tell("BatchWriteItem", std::to_string(chunk.size()) + " items",
           output.ok() ? output->consumed_capacity : std::vector<ConsumedCapacity>());
    }
    if (!output.ok()) return output.status();
  }
  return {};
}

Result<std::vector<std::optional<StoredItem>>> Requests::TransactGetItems(
    std::vector<Item> keys) const {
  TransactGetItemsInput input = {.return_consumed_capacity = Wanted()};
  for (Item& key : keys) input.items.push_back({.table = table(), .key = std::move(key)});
  Result<TransactGetItemsOutput> output = database().TransactGetItems(input);
  if (state_->observer) {
    std::string request;
    for (const TransactGetItem& get : input.items) {
      request.append(request.empty() ? "" : "; ").append(DescribeItemKey(get.key));
    }
    Tell("TransactGetItems", request,
         output.ok() ? output->consumed_capacity : std::vector<ConsumedCapacity>());
  }
  if (!output.ok()) return output.status();
  return std::move(output->items);
}

Status Requests::TransactWriteItems(std::vector<Write>* writes, const std::string& token) const {
  TransactWriteItemsInput input = {.client_request_token = token,
                                   .return_consumed_capacity = Wanted()};
  std::string request = state_->observer ? DescribeWrites(*writes) : std::string();
  input.actions.reserve(writes->size());
  for (Write& write : *writes) {
    input.actions.push_back({.table = table(), .action = std::move(write.action)});
  }
  const Result<TransactWriteItemsOutput> output = database().TransactWriteItems(input);
  for (std::size_t i = 0; i < writes->size(); ++i) {
    (*writes)[i].action = std::move(input.actions[i].action);
  }
  if (state_->observer) {
    Tell("TransactWriteItems", std::move(request),
         output.ok() ? output->consumed_capacity : std::vector<ConsumedCapacity>());
  }
  const Status status = output.status();
  if (status.code() != StatusCode::kTransactionCanceled) return status;
  std::vector<Status> reasons;
  for (std::size_t i = 0; i < writes->size(); ++i) {
    reasons.push_back(Explain((*writes)[i], status.reasons()[i]));
  }
  return Status::TransactionCanceled(std::move(reasons));
}

}  // namespace entity
}  // namespace dolmen
