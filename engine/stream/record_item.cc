#include "engine/stream/record_item.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/value/codec.h"
#include "engine/value/item_form.h"

namespace dolmen {

std::string_view EventNameText(EventName name) {
  switch (name) {
    case EventName::kInsert:
      return "INSERT";
    case EventName::kModify:
      return "MODIFY";
    case EventName::kRemove:
      return "REMOVE";
  }
  return {};
}

namespace engine {
namespace {

AttributeView AsMap(const StoredItem& item) {
  return {AttributeType::kM, item.view().bytes().substr(kItemHeaderBytes)};
}

// Returns the stored form of the userIdentity that DynamoDB gives to the deletion of an expired
// item: the map {principalId: "dynamodb.amazonaws.com", type: "Service"}.
const std::string& ServiceIdentity() {
  static const std::string kPayload = [] {
    std::string payload;
    EncodeValue(Map{{"principalId", "dynamodb.amazonaws.com"}, {"type", "Service"}}, &payload)
        .IgnoreError();
    return payload;
  }();
  return kPayload;
}

}  // namespace

Result<StoredItem> ToItem(const StreamRecord& record) {
  std::string bytes;
  ItemWriter writer(&bytes);  // needs the names in byte order
  writer.Add("Keys", AsMap(record.keys));
  if (record.new_image) writer.Add("NewImage", AsMap(*record.new_image));
  if (record.old_image) writer.Add("OldImage", AsMap(*record.old_image));
  writer.Add("eventName", {AttributeType::kS, EventNameText(record.event_name)});
  if (record.by_service) writer.Add("userIdentity", {AttributeType::kM, ServiceIdentity()});
  writer.Finish();
  return StoredItem::FromBytes(std::move(bytes));
}

}  // namespace engine
}  // namespace dolmen
