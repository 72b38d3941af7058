// Random items and values for a table of any description.  Keys and values are few and short, so
// that they meet often.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/model/operations.h"
#include "tests/support/random.h"

namespace dolmen::test {

// What items hold beside the table's key; names of which one is a reserved word and two need a
// placeholder for their characters.
const std::vector<std::string>& AttributeNames();
const std::vector<std::string>& MemberNames();  // of the maps among them

// Those of which indexes may be made, with the type that they have then.
const std::vector<KeyAttribute>& IndexableAttributes();

class RandomValues {
 public:
  explicit RandomValues(Random* random) : random_(*random) {}

  // The table that is meant from now on; it must live as long as it is, and stay as it is.
  void Use(const CreateTableInput* table);

  Item Key();
  Item CrowdKey(std::size_t number) const;  // none that Key makes
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
  std::map<std::string, KeyAttribute> keys_;  // of the table and of its indexes, by name
};

}  // namespace dolmen::test
