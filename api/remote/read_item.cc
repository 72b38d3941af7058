#include "remote/read_item.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "database/validate.h"
#include "engine/base/status_macros.h"
#include "engine/value/stored_form.h"
#include "remote/backend.h"
#include "remote/request_body.h"
#include "remote/retry.h"
#include "wire/constraints.h"
#include "wire/item_requests.h"

namespace dolmen::remote {
namespace {

// The parts of a read that the client adds to its request and needs for its response.
struct SentGet {
  std::optional<HiddenItems> hidden = {};
  SentProjection projection = {};

  // Sets the projection and the names of `request`. `asked` is the read as the program wants it, and
  // `options` are those of the whole request. Adds the attributes `needed` to the projection.
  template <typename Asked, typename Request>
  Status Begin(const Service& service, const RemoteTable& table, const Asked& asked,
               const RequestOptions& options, std::vector<std::string> needed, Request* request) {
    const std::optional<bool>& own = asked.options.hide_expired;
    hidden = table.definition()->HiddenFrom(own ? own : options.hide_expired, service.Now());
    if (hidden) needed.push_back(hidden->attribute);
    internal::ExpressionWriter expressions;
    DOLMEN_RETURN_IF_ERROR(expressions.Begin(asked.names, {}));
    DOLMEN_RETURN_IF_ERROR(projection.Set(asked.projection, needed, &expressions));
    request->projection = projection.text;
    request->names = expressions.names();
    return {};
  }
  // Returns the item as the program gets it; nothing if it is hidden.
  Result<std::optional<StoredItem>> Restore(std::optional<StoredItem> item) const {
    if (!item || (hidden && hidden->Hides(item->view()))) return std::optional<StoredItem>();
    DOLMEN_ASSIGN_OR_RETURN(item, projection.Restore(*std::move(item)));
    return item;
  }
};

// One part of a BatchGetItem, with the keys that are still to read.
struct Part {
  const KeysAndAttributes* request;
  SentGet get;
  wire::TableKeys left;
  bool is_sent = false;
  std::vector<std::optional<StoredItem>> found;  // for each key of the request

  const std::string& table() const { return request->table.name(); }
};

bool SharesKey(const KeysAndAttributes& a, const KeysAndAttributes& b) {
  return a.table.name() == b.table.name() && std::ranges::any_of(a.keys, [&](const Item& key) {
           return std::ranges::find(b.keys, key) != b.keys.end();
         });
}

// Checks parts of the same table together. The service gets them in different requests, because a
// request names each table once.
Status CheckParts(const std::vector<KeysAndAttributes>& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!SharesKey(parts[i], parts[j])) continue;
      return Status::Validation("Provided list of item keys contains duplicates");
    }
  }
  return {};
}

Status BeginPart(const Service& service, const KeysAndAttributes& request,
                 const RequestOptions& options, Part* part) {
  for (const Item& key : request.keys) {
    DOLMEN_RETURN_IF_ERROR(Validate(
        GetItemInput{.key = key, .projection = request.projection, .names = request.names}));
  }
  part->request = &request;
  part->found.resize(request.keys.size());
  part->left = {.keys = request.keys, .consistent_read = request.consistent_read};
  return part->get.Begin(service, TableOf(request.table), request, options,
                         TableOf(request.table).definition()->TableKeys(), &part->left);
}

Status Keep(StoredItem item, Part* part) {
  for (std::size_t i = 0; i < part->request->keys.size(); ++i) {
    if (!internal::HasKey(item.view(), part->request->keys[i])) continue;
    DOLMEN_ASSIGN_OR_RETURN(auto restored, part->get.Restore(std::move(item)));
    if (restored) part->found[i] = std::move(restored);
    return {};
  }
  return {};
}

// Returns what the member of a response has for the table.
std::optional<wire::Json> OfTable(const wire::JsonObject& response, std::string_view member,
                                  const std::string& table) {
  const auto all = wire::Member(response, member);
  return all ? wire::Member(wire::ObjectOf(*all), table) : std::nullopt;
}

Status ReadPart(const wire::JsonObject& response, Part* part) {
  std::vector<StoredItem> items;
  if (const auto json = OfTable(response, "Responses", part->table())) {
    DOLMEN_RETURN_IF_ERROR(wire::members::ReadTo(*json, &items));
  }
  for (StoredItem& item : items) DOLMEN_RETURN_IF_ERROR(Keep(std::move(item), part));
  part->left.keys.clear();
  const auto left = OfTable(response, "UnprocessedKeys", part->table());
  if (!left) return {};
  wire::Faults faults = wire::Check(wire::kKeysOnly, *left);
  if (!faults.type.empty()) return Status::Validation(std::move(faults.type));
  return wire::DecodeMembers(wire::kKeysOnly, wire::ObjectOf(*left), &part->left);
}

// Returns the parts of the next request, of different tables, because a request names each table once: parts
// that were not sent, and with `retries` parts with unprocessed keys.
std::vector<Part*> NextParts(std::vector<Part>* parts, bool retries) {
  std::vector<Part*> next;
  for (Part& part : *parts) {
    const bool is_used = std::ranges::any_of(
        next, [&](const Part* other) { return other->table() == part.table(); });
    const bool is_repeated = retries && !part.left.keys.empty();
    if ((!part.is_sent || is_repeated) && !is_used) next.push_back(&part);
  }
  return next;
}

// Sends one request for the parts. Returns true if it has read a key.
Result<bool> SendKeys(const Service& service, const std::vector<Part*>& parts,
                      ReturnConsumedCapacity wanted, BatchGetItemOutput* output) {
  RequestBody body;
  std::size_t before = 0;
  std::size_t after = 0;
  body.json().Key("RequestItems");
  body.json().BeginObject();
  for (Part* const part : parts) {
    part->is_sent = true;
    before += part->left.keys.size();
    body.json().Key(part->table());
    wire::Encode(part->left, &body.json());
  }
  body.json().EndObject();
  WriteReturnConsumedCapacity(wanted, &body.json());
  DOLMEN_ASSIGN_OR_RETURN(const Response& response,
                          service.Send("BatchGetItem", body.Finish(), Repeat::kSafe));
  for (Part* const part : parts) {
    DOLMEN_RETURN_IF_ERROR(ReadPart(response.object(), part));
    after += part->left.keys.size();
  }
  AddCapacities(ReadCapacities(response.object(), Units::kRead), &output->consumed_capacity);
  return after < before;
}

void FinishBatch(std::vector<Part>* parts, BatchGetItemOutput* output) {
  for (Part& part : *parts) {
    std::vector<StoredItem>& items = output->responses.emplace_back();
    for (std::optional<StoredItem>& item : part.found) {
      if (item) items.push_back(*std::move(item));
    }
    if (part.left.keys.empty()) continue;
    KeysAndAttributes left = *part.request;
    std::erase_if(left.keys, [&](const Item& key) {
      return std::ranges::find(part.left.keys, key) == part.left.keys.end();
    });
    output->unprocessed_keys.push_back(std::move(left));
  }
}

}  // namespace

Status SentProjection::Set(const ProjectionExpression& projection,
                           std::span<const std::string> needed,
                           internal::ExpressionWriter* expressions) {
  if (!projection.given()) return {};
  DOLMEN_ASSIGN_OR_RETURN(std::string sent,
                          needed.empty() ? expressions->Text(projection)
                                         : expressions->Extended(projection, needed, &added));
  text = std::move(sent);
  return {};
}

Result<StoredItem> SentProjection::Restore(StoredItem item) const {
  if (added.empty()) return item;
  DOLMEN_ASSIGN_OR_RETURN(Item attributes, item.Copy());
  for (const std::string& name : added) attributes.erase(name);
  return internal::ToStored(attributes);
}

Status RemoteBackend::GetItem(const TableRef& table, const GetItemInput& input,
                              GetItemOutput* output) {
  output->item.reset();
  output->consumed_capacity.reset();
  DOLMEN_RETURN_IF_ERROR(Validate(input));
  SentGet get;
  GetItemInput sent = input;
  DOLMEN_RETURN_IF_ERROR(get.Begin(service_, TableOf(table), input, input.options, {}, &sent));
  DOLMEN_ASSIGN_OR_RETURN(
      const Response& response,
      service_.Send("GetItem", wire::ToJson(table.name(), sent), Repeat::kSafe));
  wire::TransactionItem read;
  DOLMEN_RETURN_IF_ERROR(wire::Decode(response.object(), &read));
  DOLMEN_ASSIGN_OR_RETURN(output->item, get.Restore(std::move(read.item)));
  output->consumed_capacity = ReadCapacity(response.object(), Units::kRead);
  return {};
}

Result<TransactGetItemsOutput> RemoteBackend::TransactGetItems(const TransactGetItemsInput& input) {
  for (const auto& item : input.items) DOLMEN_RETURN_IF_ERROR(CheckOwner(item.table));
  RequestBody body;
  wire::JsonWriter& json = body.json();
  std::vector<SentGet> gets(input.items.size());
  json.Key("TransactItems");
  json.BeginArray();
  for (std::size_t i = 0; i < gets.size(); ++i) {
    const TransactGetItem& item = input.items[i];
    GetItemInput sent{.key = item.key, .projection = item.projection, .names = item.names};
    DOLMEN_RETURN_IF_ERROR(Validate(sent));
    DOLMEN_RETURN_IF_ERROR(
        gets[i].Begin(service_, TableOf(item.table), item, input.options, {}, &sent));
    json.BeginObject();
    json.Key("Get");
    wire::EncodeFor(item.table.name(), wire::kTransactGet, sent, &json);
    json.EndObject();
  }
  json.EndArray();
  WriteReturnConsumedCapacity(input.options.return_consumed_capacity, &json);
  DOLMEN_ASSIGN_OR_RETURN(const Response& response,
                          service_.Send("TransactGetItems", body.Finish(), Repeat::kSafe));
  wire::TransactionItems read;
  DOLMEN_RETURN_IF_ERROR(wire::Decode(response.object(), &read));
  TransactGetItemsOutput output;
  output.items.resize(gets.size());
  output.consumed_capacity = ReadCapacities(response.object(), Units::kRead);
  for (std::size_t i = 0; i < std::min(gets.size(), read.items.size()); ++i) {
    DOLMEN_ASSIGN_OR_RETURN(output.items[i], gets[i].Restore(std::move(read.items[i].item)));
  }
  return output;
}

Result<BatchGetItemOutput> RemoteBackend::BatchGetItem(const BatchGetItemInput& input) {
  for (const auto& part : input.requests) DOLMEN_RETURN_IF_ERROR(CheckOwner(part.table));
  DOLMEN_RETURN_IF_ERROR(CheckParts(input.requests));
  std::vector<Part> parts(input.requests.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    DOLMEN_RETURN_IF_ERROR(BeginPart(service_, input.requests[i], input.options, &parts[i]));
  }
  BatchGetItemOutput output;
  std::vector<Part*> next = NextParts(&parts, service_.retries());
  int repetitions = 0;
  bool is_repetition = false;
  do {
    const Result<bool> progress =
        SendKeys(service_, next, input.options.return_consumed_capacity, &output);
    const bool is_throttled = is_repetition && IsThrottled(progress.status());
    if (!progress.ok() && !is_throttled) return progress.status();
    is_repetition = true;
    next = NextParts(&parts, service_.retries());
    repetitions = RepetitionsAfter(repetitions, progress.ok() && *progress, is_throttled);
    if (!next.empty() && repetitions > 0) service_.PauseBefore(repetitions);
  } while (!next.empty() && repetitions < kBatchRepetitionsMax);
  FinishBatch(&parts, &output);
  return output;
}

}  // namespace dolmen::remote
