// The types of key attributes. An attribute has one type in all keys of a table and its indexes.

#pragma once

#include <vector>

#include "dolmen/create_table.h"
#include "dolmen/result.h"
#include "engine/key/key_schema.h"

namespace dolmen::engine {

// The key attributes of a new table and its indexes.
class KeyDefinitions {
 public:
  // Adds the attributes of a key.
  // - kValidation: an attribute is invalid, is twice in the key, or has another type in a key that
  //   was added before.
  Status Add(const KeySchema& keys);

 private:
  Status Add(const KeyAttribute& attribute);

  std::vector<KeyAttribute> attributes_;
};

// Checks that each attribute that both keys have has the same type in both. `existing` is a key of
// a table or an index, `added` is the key of an index to create.
// - kValidation: an attribute has different types.
Status CheckNotRedefined(const KeySchema& existing, const KeySchema& added);

}  // namespace dolmen::engine
