#include "remote/batch_get.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "database/validate.h"
#include "engine/base/status_macros.h"
#include "engine/value/stored_form.h"
#include "remote/read_item.h"
#include "remote/remote_table.h"
#include "remote/request_body.h"
#include "remote/retry.h"
#include "wire/attribute_json.h"

namespace dolmen::remote {
namespace {

// One part of the request, with the keys that are still to read.
struct Part {
  const KeysAndAttributes* request;
  std::vector<std::string> key_names;
  std::optional<HiddenItems> hidden;
  internal::ExpressionWriter expressions;
  SentProjection projection;
  std::vector<Item> left;
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
  const auto definition = TableOf(request.table).definition();
  const auto asked =
      request.options.hide_expired ? request.options.hide_expired : options.hide_expired;
  part->request = &request;
  part->key_names = definition->TableKeys();
  part->hidden = definition->HiddenFrom(asked, service.Now());
  part->left = request.keys;
  part->found.resize(request.keys.size());
  std::vector<std::string> needed = part->key_names;
  if (part->hidden) needed.push_back(part->hidden->attribute);
  DOLMEN_RETURN_IF_ERROR(part->expressions.Begin(request.names, {}));
  return part->projection.Set(request.projection, needed, &part->expressions);
}

Status WritePart(const Part& part, wire::JsonWriter* json) {
  json->Key(part.table());
  json->BeginObject();
  json->Key("Keys");
  json->BeginArray();
  for (const Item& key : part.left) DOLMEN_RETURN_IF_ERROR(WriteItemValue(key, json));
  json->EndArray();
  WriteText("ProjectionExpression", part.projection.text, json);
  WritePlaceholders(part.expressions, json);
  if (part.request->consistent_read) json->BooleanField("ConsistentRead", true);
  json->EndObject();
  return {};
}

Status Keep(StoredItem item, Part* part) {
  for (std::size_t i = 0; i < part->request->keys.size(); ++i) {
    if (!internal::HasKey(item.view(), part->request->keys[i])) continue;
    if (part->hidden && part->hidden->Hides(item.view())) return {};
    DOLMEN_ASSIGN_OR_RETURN(part->found[i], part->projection.Restore(std::move(item)));
    return {};
  }
  return {};
}

Status ReadLeftKeys(const wire::JsonObject& response, Part* part) {
  part->left.clear();
  const auto all = wire::Member(response, "UnprocessedKeys");
  if (!all) return {};
  const auto left = wire::Member(wire::ObjectOf(*all), part->table());
  if (!left) return {};
  const auto keys = wire::Member(wire::ObjectOf(*left), "Keys");
  if (!keys) return {};
  for (const wire::Json key : wire::ArrayOf(*keys)) {
    DOLMEN_ASSIGN_OR_RETURN(part->left.emplace_back(), wire::ReadItem(key));
  }
  return {};
}

Status ReadPart(const wire::JsonObject& response, Part* part) {
  const auto responses = wire::Member(response, "Responses");
  const auto items =
      responses ? wire::Member(wire::ObjectOf(*responses), part->table()) : std::nullopt;
  if (items) {
    for (const wire::Json json : wire::ArrayOf(*items)) {
      DOLMEN_ASSIGN_OR_RETURN(StoredItem item, ReadStored(json));
      DOLMEN_RETURN_IF_ERROR(Keep(std::move(item), part));
    }
  }
  return ReadLeftKeys(response, part);
}

// Returns the parts of the next request, of different tables, because a request names each table once: parts
// that were not sent, and with `retries` parts with unprocessed keys.
std::vector<Part*> NextParts(std::vector<Part>* parts, bool retries) {
  std::vector<Part*> next;
  for (Part& part : *parts) {
    const bool is_used = std::ranges::any_of(
        next, [&](const Part* other) { return other->table() == part.table(); });
    const bool is_repeated = retries && !part.left.empty();
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
    before += part->left.size();
    DOLMEN_RETURN_IF_ERROR(WritePart(*part, &body.json()));
  }
  body.json().EndObject();
  WriteReturnConsumedCapacity(wanted, &body.json());
  DOLMEN_ASSIGN_OR_RETURN(const Response& response,
                          service.Send("BatchGetItem", body.Finish(), Repeat::kSafe));
  for (Part* const part : parts) {
    DOLMEN_RETURN_IF_ERROR(ReadPart(response.object(), part));
    after += part->left.size();
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
    if (part.left.empty()) continue;
    KeysAndAttributes left = *part.request;
    std::erase_if(left.keys, [&](const Item& key) {
      return std::ranges::find(part.left, key) == part.left.end();
    });
    output->unprocessed_keys.push_back(std::move(left));
  }
}

}  // namespace

Result<BatchGetItemOutput> BatchGet(const Service& service, const BatchGetItemInput& input) {
  DOLMEN_RETURN_IF_ERROR(CheckParts(input.requests));
  std::vector<Part> parts(input.requests.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    DOLMEN_RETURN_IF_ERROR(BeginPart(service, input.requests[i], input.options, &parts[i]));
  }
  BatchGetItemOutput output;
  std::vector<Part*> next = NextParts(&parts, service.retries());
  int repetitions = 0;
  bool is_repetition = false;
  do {
    const Result<bool> progress =
        SendKeys(service, next, input.options.return_consumed_capacity, &output);
    const bool is_throttled = is_repetition && IsThrottled(progress.status());
    if (!progress.ok() && !is_throttled) return progress.status();
    is_repetition = true;
    next = NextParts(&parts, service.retries());
    repetitions = RepetitionsAfter(repetitions, progress.ok() && *progress, is_throttled);
    if (!next.empty() && repetitions > 0) service.PauseBefore(repetitions);
  } while (!next.empty() && repetitions < kBatchRepetitionsMax);
  FinishBatch(&parts, &output);
  return output;
}

}  // namespace dolmen::remote
