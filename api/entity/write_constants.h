// The parts of a write that depend on the declaration of its entity alone.

#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "dolmen/condition_builder.h"
#include "dolmen/entity/entity_spec.h"
#include "dolmen/internal/lifetime.h"

namespace dolmen::entity {

// The constants of one entity (EntitySpec::write_constants). Attributes are named by their positions in
// EntitySpec::attributes. Immutable, so threads may share them.
class WriteConstants {
 public:
  // The key of an index.
  struct Index {
    const KeySpec* key = nullptr;
    // The attributes of the key, except for those that the primary key or the entity has, too.
    std::vector<std::string> names;
    // The name of the attribute that an item has exactly if it is in the index, and the condition that it is.
    std::string mark;
    ConditionBuilder has_mark;
    // For each part that an entity can lack: the attributes that a stored entity without it lacks. They are
    // the part itself, or the attributes that fill the same optional struct.
    std::vector<std::vector<std::size_t>> absent;
  };
  // The required members of each optional struct, by the attributes that fill the struct.
  using Structs = std::map<std::vector<std::size_t>, std::vector<std::size_t>>;

  explicit WriteConstants(const EntitySpec& entity);

  // Returns the condition that no item exists.
  const ConditionBuilder& is_absent() const DOLMEN_LIFETIME_BOUND { return is_absent_; }
  // Return the conditions of HasType and IsNotAnother (entity_matcher.h).
  const ConditionBuilder& has_type() const DOLMEN_LIFETIME_BOUND { return has_type_; }
  const ConditionBuilder& is_not_another() const DOLMEN_LIFETIME_BOUND { return is_not_another_; }

  // Returns the attributes whose whole value is in the primary key.
  const std::vector<std::size_t>& in_key() const DOLMEN_LIFETIME_BOUND { return in_key_; }
  // Returns true if the attributes of the primary key can be read from any key of an entity.
  bool key_reads_back() const { return key_reads_back_; }
  // Returns true if an update computes attributes (AttributeSpec::IsComputed).
  bool computes() const { return computes_; }
  // Returns the indexes that have a key attribute of their own, in the order of EntitySpec::keys.
  const std::vector<Index>& indexes() const DOLMEN_LIFETIME_BOUND { return indexes_; }
  const Structs& optional_structs() const DOLMEN_LIFETIME_BOUND { return optional_structs_; }

 private:
  ConditionBuilder is_absent_;
  ConditionBuilder has_type_;
  ConditionBuilder is_not_another_;
  std::vector<std::size_t> in_key_;
  bool key_reads_back_ = true;
  bool computes_ = false;
  std::vector<Index> indexes_;
  Structs optional_structs_;
};

// Returns the attributes whose decoding fills the optional structs on the path to this one.
std::vector<std::size_t> FillersOf(const EntitySpec& entity, std::size_t attribute);

}  // namespace dolmen::entity
