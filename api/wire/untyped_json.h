// The reader of JSON without types: {"PK":"a","n":5}. It is the only one, because numbers of JSON have more
// digits than the numbers of C++ and of JSON parsers. A number stays text until it is a Number.

#pragma once

#include <simdjson.h>

#include <string>
#include <string_view>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/result.h"
#include "wire/json.h"

namespace dolmen::wire {

// A parser of one text at a time, which may have values without types in any place. It keeps its buffers for
// the next text. Not thread-safe.
class UntypedJson {
 public:
  // Parses a text, as ParseJson does. A number in the result is only a reference for the methods below; its
  // value is unspecified. The result is valid until the next call, and as long as `text`.
  Result<Json> Parse(std::string_view text, std::string_view name);

  // Returns the value of JSON without types: a string is an S, a number an N, an object an M, an array an L,
  // and null is NULL. `json` is a part of the result of Parse.
  // - kValidation: a number is not one of DynamoDB's. The message names the number and its place in `json`.
  // - kValidation: arrays and objects nest more than 32 levels deep. The message names the place in `json`.
  Result<AttributeValue> ValueOf(const Json& json) const;
  // Returns the item with these members. Fails as ValueOf does.
  Result<Item> ItemOf(const JsonObject& members) const;

 private:
  // `level` is the nesting level of the value, or of the members. On an error `place` is the place of its
  // cause: .a[2].b
  Status Read(const Json& json, int level, AttributeValue* value, std::string* place) const;
  Status ReadMembers(const JsonObject& members, int level, Map* map, std::string* place) const;
  Status ReadNumber(const Json& json, AttributeValue* value) const;

  simdjson::dom::parser parser_;
  std::vector<std::string_view>
      numbers_;  // the number n of the result stands for the text numbers_[n]
};

}  // namespace dolmen::wire
