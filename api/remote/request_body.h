// The JSON of the requests that no description writes as a whole (wire/item_requests.h).

#pragma once

#include <string>
#include <utility>

#include "dolmen/consumed_capacity.h"
#include "wire/enum_names.h"
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

inline void WriteReturnConsumedCapacity(ReturnConsumedCapacity wanted, wire::JsonWriter* json) {
  if (wanted == ReturnConsumedCapacity::kNone) return;
  json->StringField("ReturnConsumedCapacity", wire::kNames<ReturnConsumedCapacity>.NameOf(wanted));
}

}  // namespace dolmen::remote
