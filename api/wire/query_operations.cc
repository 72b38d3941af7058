#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "engine/base/status_macros.h"
#include "wire/attribute_json.h"
#include "wire/first_fault.h"
#include "wire/item_requests.h"
#include "wire/item_responses.h"
#include "wire/operation.h"

namespace dolmen::wire {
namespace {

Status ReadStartKey(const JsonObject& request, Checker checker, Item* key) {
  const std::optional<Json> json = Member(request, "ExclusiveStartKey");
  if (!json) return {};
  if (Status read = ReadAttributes(ObjectOf(*json), key, checker); !read.ok()) {
    if (!IsStartKeyFault(read)) return read;
    return Status::Validation("The provided starting key is invalid: " + read.message());
  }
  // Makes the engine reject an empty key, as DynamoDB does. The engine would read from the start of
  // the range if the key were empty. Therefore, this function adds an attribute of type NULL to an
  // empty key. The key is then invalid, because no key attribute can have the type NULL.
  if (key->empty()) (*key)["{}"] = Null{};
  return {};
}

Status Read(const JsonObject& request, QueryInput* input) {
  std::vector<LegacyCondition> keys;
  std::vector<LegacyCondition> filter;
  KeyConditionExpression range;
  DOLMEN_RETURN_IF_ERROR(CheckExpressionParameters(kMembers<QueryInput>, request));
  DOLMEN_RETURN_IF_ERROR(ReadCheckedConditions(request, "QueryFilter", kQueryChecker, &filter));
  DOLMEN_RETURN_IF_ERROR(ReadAttributesToGet(request, &input->projection));
  DOLMEN_RETURN_IF_ERROR(ReadStartKey(request, kQueryChecker, &input->exclusive_start_key));
  DOLMEN_RETURN_IF_ERROR(ReadCheckedConditions(request, "KeyConditions", kQueryChecker, &keys));
  DOLMEN_RETURN_IF_ERROR(SetKeyConditions(request, std::move(keys), &range));
  DOLMEN_RETURN_IF_ERROR(SetFilter(request, std::move(filter), &input->filter));
  input->key_condition = std::move(range);
  return Decode(request, input);
}

Status Read(const JsonObject& request, ScanInput* input) {
  std::vector<LegacyCondition> filter;
  DOLMEN_RETURN_IF_ERROR(CheckExpressionParameters(kMembers<ScanInput>, request));
  DOLMEN_RETURN_IF_ERROR(ReadAttributesToGet(request, &input->projection));
  DOLMEN_RETURN_IF_ERROR(ReadCheckedConditions(request, "ScanFilter", kScanChecker, &filter));
  DOLMEN_RETURN_IF_ERROR(ReadStartKey(request, kScanChecker, &input->exclusive_start_key));
  DOLMEN_RETURN_IF_ERROR(SetFilter(request, std::move(filter), &input->filter));
  return Decode(request, input);
}

void WritePage(const JsonObject& request, const QueryOutput& page, Select select,
               ReturnConsumedCapacity asked, JsonWriter* response) {
  response->BeginObject();
  response->UnsignedField("Count", page.count());
  response->UnsignedField("ScannedCount", page.scanned_count());
  if (select != Select::kCount) {
    response->Key("Items");
    response->BeginArray();
    for (const ItemView item : page) response->Attributes(item);
    response->EndArray();
  }
  if (!page.last_evaluated_key().empty()) {
    response->Key("LastEvaluatedKey");
    response->ItemAttributes(page.last_evaluated_key());
  }
  WriteCapacity(page.consumed_capacity(), asked, response);
  // Most requests do not ask for the capacity. They need no search for a further member.
  if (asked != ReturnConsumedCapacity::kNone &&
      ExtensionsOf<ReadExtensions>(request).return_scanned_bytes) {
    WriteExtensions(ReadExtensions{.scanned_bytes = page.scanned_bytes()}, response);
  }
  response->EndObject();
}

// Runs `kRead`, a member function of Table.
template <typename Input, Status (Table::*kRead)(const Input&, QueryOutput*) const>
Status RunRead(const Context& context, const JsonObject& request, JsonWriter* response) {
  Input input;
  DOLMEN_RETURN_IF_ERROR(Read(request, &input));
  DOLMEN_ASSIGN_OR_RETURN(const Table& table, OpenTableFor(context, request, input));
  static thread_local QueryOutput page;  // keeps its buffers between requests
  DOLMEN_RETURN_IF_ERROR((table.*kRead)(input, &page));
  WritePage(request, page, input.select, input.options.return_consumed_capacity, response);
  return {};
}

}  // namespace

std::span<const Operation> QueryOperations() {
  static constexpr Operation kOperations[] = {
      {"Query", &kMembers<QueryInput>, RunRead<QueryInput, &Table::Query>},
      {"Scan", &kMembers<ScanInput>, RunRead<ScanInput, &Table::Scan>},
  };
  return kOperations;
}

}  // namespace dolmen::wire
