// The members KeySchema and AttributeDefinitions: the keys of tables and indexes.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_KeySchemaElement.html

#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/create_table.h"
#include "dolmen/result.h"
#include "wire/json.h"
#include "wire/json_writer.h"
#include "wire/table_json.h"

namespace dolmen::wire {

// The types of key attributes, by name.
class AttributeDefinitions {
 public:
  // Reads the request's AttributeDefinitions.
  explicit AttributeDefinitions(const JsonObject& request);

  // Adds a key attribute of an existing table, so that TypeOf finds it. Does nothing if the request
  // defines an attribute of that name.
  void AddKnown(const KeyAttribute& attribute) { types_.emplace(attribute.name, attribute.type); }

  std::optional<AttributeType> TypeOf(std::string_view name) const;

  // The definitions in the order of the request.
  const std::vector<KeyAttribute>& given() const { return given_; }

 private:
  std::vector<KeyAttribute> given_;
  std::map<std::string, AttributeType, std::less<>> types_;  // of the request and of AddKnown
};

// Returns the names as DynamoDB's messages list them, "[a, b]". A long list is cut to about
// kShownMax bytes.
std::string ListNames(const std::vector<KeyAttribute>& attributes);

struct Keys {
  std::vector<KeyAttribute> partition = {};
  std::vector<KeyAttribute> sort = {};
};

// The owner of a key schema. Only a global index may have several partition key attributes or
// several sort key attributes.
enum class KeySchemaOf : std::uint8_t { kTableOrLocalIndex, kGlobalIndex };

// Reads the structure's KeySchema. After an error `keys` is unspecified. The error has DynamoDB's
// message:
// - kValidation: an attribute is not defined, is repeated, or is of the wrong kind.
Status ReadKeySchema(const JsonObject& structure, const AttributeDefinitions& definitions,
                     KeySchemaOf of, Keys* keys);

// Write the member KeySchema of a response.
void WriteKeySchema(const Keys& keys, JsonWriter* json);
void WriteKeySchema(const KeyAttribute& partition_key, const std::optional<KeyAttribute>& sort_key,
                    JsonWriter* json);

}  // namespace dolmen::wire
