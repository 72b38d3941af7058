// What holds of every response of an endpoint, whatever was asked of it.

#pragma once

#include <simdjson.h>

#include <string>
#include <string_view>

#include "dolmen/wire.h"

namespace dolmen::test {

// Empty, or which rule the response breaks: it is JSON, an object, and says success, or an error
// that the caller is to blame for.
inline std::string FaultOf(std::string_view operation, const EndpointResponse& response) {
  if (response.status != 200 && response.status != 400) {
    return "status " + std::to_string(response.status) + ": " + response.body;
  }
  const bool may_be_empty = operation == "TagResource" || operation == "UntagResource";
  if (response.status == 200 && response.body.empty() && may_be_empty) return {};
  simdjson::dom::parser parser;
  simdjson::dom::object body;
  if (parser.parse(response.body).get(body) != simdjson::SUCCESS) {
    return "no JSON object: " + response.body;
  }
  if (response.status == 200) return {};
  std::string_view type;
  if (body.at_key("__type").get(type) != simdjson::SUCCESS) return "no type: " + response.body;
  return type.find('#') != type.npos ? std::string() : "a type without a name: " + response.body;
}

}  // namespace dolmen::test
