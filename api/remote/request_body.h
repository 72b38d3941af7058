// The JSON of requests: the members that several operations share.

#pragma once

#include <string>
#include <string_view>

#include "dolmen/attribute_value.h"
#include "dolmen/consumed_capacity.h"
#include "dolmen/item_view.h"
#include "dolmen/operations.h"
#include "dolmen/result.h"
#include "engine/expression/expression_writer.h"
#include "wire/json_writer.h"

namespace dolmen::remote {

// A request that is being written. Not thread-safe; neither copyable nor movable.
class RequestBody {
 public:
  RequestBody() { json_.BeginObject(); }
  RequestBody(const RequestBody&) = delete;
  RequestBody& operator=(const RequestBody&) = delete;

  wire::JsonWriter& json() { return json_; }

  // Ends the request and returns its text. Called once, as the last method.
  std::string Finish() {
    json_.EndObject();
    return std::move(text_);
  }

 private:
  std::string text_;
  wire::JsonWriter json_{&text_};
};

// Writes a member with a text. Writes nothing if the text is empty.
void WriteText(std::string_view member, std::string_view text, wire::JsonWriter* json);

// Writes ExpressionAttributeNames and ExpressionAttributeValues, if there are any.
void WritePlaceholders(const internal::ExpressionWriter& expressions, wire::JsonWriter* json);

void WriteReturnConsumedCapacity(ReturnConsumedCapacity wanted, wire::JsonWriter* json);
void WriteReturnValues(ReturnValues wanted, wire::JsonWriter* json);

}  // namespace dolmen::remote
