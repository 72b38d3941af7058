// The keys and projections of a table and its indexes, in the form that the model needs.

#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/dolmen.h"

namespace dolmen::test {

// The keys and projection of the table or of one of its indexes.
struct Shape {
  enum class Kind { kTable, kGlobal, kLocal };
  Kind kind = Kind::kTable;
  std::vector<KeyAttribute> partition = {};
  std::vector<KeyAttribute> sort = {};
  std::vector<KeyAttribute> table_key = {};
  // All key attributes of `partition`, `sort` and `table_key`, each once. An ExclusiveStartKey
  // consists of these attributes.
  std::vector<KeyAttribute> order = {};
  std::optional<std::set<std::string>> held = {};  // attributes of an entry; nothing: all

  bool Holds(const std::string& attribute) const { return !held || held->contains(attribute); }
  bool IsKey(const std::string& attribute) const;  // in partition or sort
};

// Returns the shape of the index with this name, or of the table if `index` is "".
Shape ShapeOf(const CreateTableInput& table, std::string_view index);

// Returns the name "", which means the table itself, and then the names of all indexes.
std::vector<std::string> IndexNames(const CreateTableInput& table);

// Returns the table's key attributes: one or two.
std::vector<KeyAttribute> KeyOf(const CreateTableInput& table);

// Returns the attributes of `item` that `names` lists. The item must have all of them.
Item PartOf(const Item& item, const std::vector<KeyAttribute>& names);

}  // namespace dolmen::test
