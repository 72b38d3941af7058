// Random items and values for a table of any description. There are few keys and values, all short,
// so that they often collide.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/model/operations.h"
#include "tests/support/random.h"

namespace dolmen::test {

// Returns the names of the attributes that items hold in addition to the table's key. One name is
// a reserved word. Two names contain characters that require a placeholder.
const std::vector<std::string>& AttributeNames();
const std::vector<std::string>& MemberNames();  // the members of maps

// Returns the attributes that can be keys of an index, each with its type as a key.
const std::vector<KeyAttribute>& IndexableAttributes();

class RandomValues {
 public:
  explicit RandomValues(Random* random) : random_(*random) {}

  // Sets the table for the following calls.
  // REQUIRES: `table` stays unchanged until after the last of these calls
  void Use(const CreateTableInput* table);

  Item Key();
  Item CrowdKey(std::size_t number) const;  // a key that Key() never returns
  Item NewItem();

  AttributeValue KeyValue(const KeyAttribute& key);
  AttributeValue Scalar();
  AttributeValue Value();  // of any type
  AttributeValue ValueFor(const std::string& attribute);
  std::string SomeString();
  Binary SomeBinary();
  List SomeList();
  Map SomeMap();
  StringSet SomeStrings();
  NumberSet SomeNumbers();

 protected:
  const CreateTableInput& table() const { return *table_; }
  Random& random() const { return random_; }

 private:
  Random& random_;
  const CreateTableInput* table_ = nullptr;
  std::map<std::string, KeyAttribute> keys_;  // of the table and its indexes, by name
};

}  // namespace dolmen::test
