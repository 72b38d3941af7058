// KeySchema and AttributeDefinitions of requests: the keys of tables and indexes.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_KeySchemaElement.html

#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/create_table.h"
#include "dolmen/status.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace dolmen::wire {

// Which types the key attributes have.
class AttributeDefinitions {
 public:
  explicit AttributeDefinitions(const JsonObject& request);

  // An attribute that a table has among its keys already.  The request may define it, too.
  void AddKnown(const KeyAttribute& attribute) { types_.emplace(attribute.name, attribute.type); }

  std::optional<AttributeType> TypeOf(std::string_view name) const;

  // Those that the request has.
  const std::vector<KeyAttribute>& given() const { return given_; }

 private:
  std::vector<KeyAttribute> given_;
  std::map<std::string, AttributeType, std::less<>> types_;  // also of those that are known
};

// Names as DynamoDB's messages list them: "[a, b]"; of very many the first.
std::string Listed(const std::vector<KeyAttribute>& attributes);

struct Keys {
  std::vector<KeyAttribute> partition = {};
  std::vector<KeyAttribute> sort = {};
};

// Where a key schema is: a global index alone may have several attributes of each kind.
enum class KeySchemaOf : std::uint8_t { kTableOrLocalIndex, kGlobalIndex };

// Reads the structure's KeySchema.  kValidation, with DynamoDB's message: an attribute is not
// defined, or there twice, or of the wrong kind.  Then `keys` is unspecified.
Status ReadKeySchema(const JsonObject& structure, const AttributeDefinitions& definitions,
                     KeySchemaOf of, Keys* keys);

// The same in responses, as the member KeySchema.
void WriteKeySchema(const Keys& keys, JsonWriter* json);
void WriteKeySchema(const KeyAttribute& partition_key, const std::optional<KeyAttribute>& sort_key,
                    JsonWriter* json);

}  // namespace dolmen::wire
