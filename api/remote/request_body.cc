#include "remote/request_body.h"

#include "wire/enum_names.h"
#include "wire/members.h"

namespace dolmen::remote {

void WriteText(std::string_view member, std::string_view text, wire::JsonWriter* json) {
  if (!text.empty()) json->StringField(member, text);
}

void WritePlaceholders(const internal::ExpressionWriter& expressions, wire::JsonWriter* json) {
  if (!expressions.names().empty()) {
    json->Key("ExpressionAttributeNames");
    wire::members::WriteFrom(expressions.names(), json);
  }
  if (expressions.values().empty()) return;
  json->Key("ExpressionAttributeValues");
  json->ItemAttributes(expressions.values());
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
