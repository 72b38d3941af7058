// What a table's description says of the table and of each index, as the model asks for it.

#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/dolmen.h"

namespace dolmen::test {

// Of the table itself, or of one of its indexes.
struct Shape {
  enum class Kind { kTable, kGlobal, kLocal };
  Kind kind = Kind::kTable;
  std::vector<KeyAttribute> partition = {};
  std::vector<KeyAttribute> sort = {};
  std::vector<KeyAttribute> table_key = {};
  // All of these, each once: what a start key is made of.
  std::vector<KeyAttribute> order = {};
  std::optional<std::set<std::string>> held = {};  // the attributes of an entry; nothing: all

  bool Holds(const std::string& attribute) const { return !held || held->contains(attribute); }
  bool IsKey(const std::string& attribute) const;  // of partition or sort
};

// `index` is the name of one that the table has, or "" for the table itself.
Shape ShapeOf(const CreateTableInput& table, std::string_view index);

// "" for the table itself, and then all indexes.
std::vector<std::string> IndexNames(const CreateTableInput& table);

// The table's key attributes: one or two.
std::vector<KeyAttribute> KeyOf(const CreateTableInput& table);

// The attributes of `item` that `names` names; all are there.
Item PartOf(const Item& item, const std::vector<KeyAttribute>& names);

}  // namespace dolmen::test
