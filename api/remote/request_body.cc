#include "remote/request_body.h"

#include "engine/base/status_macros.h"
#include "engine/value/stored_form.h"
#include "wire/enum_names.h"

namespace dolmen::remote {

Status WriteItem(std::string_view member, const Item& item, wire::JsonWriter* json) {
  json->Key(member);
  return WriteItemValue(item, json);
}

Status WriteItemValue(const Item& item, wire::JsonWriter* json) {
  DOLMEN_ASSIGN_OR_RETURN(const StoredItem& stored, internal::ToStored(item));
  json->Attributes(stored.view());
  return {};
}

void WriteText(std::string_view member, std::string_view text, wire::JsonWriter* json) {
  if (!text.empty()) json->StringField(member, text);
}

void WritePlaceholders(const internal::ExpressionWriter& expressions, wire::JsonWriter* json) {
  if (!expressions.names().empty()) {
    json->Key("ExpressionAttributeNames");
    json->BeginObject();
    for (const auto& [token, name] : expressions.names()) json->StringField(token, name);
    json->EndObject();
  }
  if (expressions.values().empty()) return;
  json->Key("ExpressionAttributeValues");
  json->BeginObject();
  for (const internal::ExpressionWriter::Value& value : expressions.values()) {
    json->Key(value.token);
    json->Value(value.view());
  }
  json->EndObject();
}

void WriteReturnConsumedCapacity(ReturnConsumedCapacity wanted, wire::JsonWriter* json) {
  if (wanted == ReturnConsumedCapacity::kNone) return;
  json->StringField("ReturnConsumedCapacity", wire::kNames<ReturnConsumedCapacity>.NameOf(wanted));
}

void WriteReturnValues(ReturnValues wanted, wire::JsonWriter* json) {
  if (wanted == ReturnValues::kNone) return;
  json->StringField("ReturnValues", wire::kNames<ReturnValues>.NameOf(wanted));
}

}  // namespace dolmen::remote
