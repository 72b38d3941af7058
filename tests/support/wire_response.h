// A check of the rules that hold for every response of an endpoint.

#pragma once

#include <simdjson.h>

#include <string>
#include <string_view>

#include "dolmen/wire.h"

namespace dolmen::test {

// Returns a description of the rule that the response breaks, or an empty string if it breaks none.
// The status must be 200 or 400. The body must be a JSON object, but may be empty after TagResource
// and UntagResource. An error must name its type.
inline std::string FaultOf(std::string_view operation, const EndpointResponse& response) {
  if (response.status != 200 && response.status != 400) {
    return "status " + std::to_string(response.status) + ": " + response.body;
  }
  const bool may_be_empty = operation == "TagResource" || operation == "UntagResource";
  if (response.status == 200 && response.body.empty() && may_be_empty) return {};
  simdjson::dom::parser parser;
  simdjson::dom::object body;
  if (parser.parse(response.body).get(body) != simdjson::SUCCESS) {
    return "the response is not a JSON object: " + response.body;
  }
  if (response.status == 200) return {};
  std::string_view type;
  if (body.at_key("__type").get(type) != simdjson::SUCCESS)
    return "the error has no type: " + response.body;
  return type.find('#') != type.npos ? std::string() : "the type has no name: " + response.body;
}

}  // namespace dolmen::test
