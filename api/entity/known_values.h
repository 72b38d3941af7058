// The values of an entity that are known before its item is read: those of the primary key, and those
// that an update sets.

#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/entity/entity_spec.h"
#include "dolmen/entity/update_steps.h"

namespace dolmen::entity {

// The known values of one update. Attributes are named by their positions in EntitySpec::attributes.
class KnownValues {
 public:
  explicit KnownValues(const EntitySpec& entity)
      : entity_(entity),
        initial_(entity),
        values_(entity),
        is_known_(entity.attributes.size()),
        is_in_key_(entity.attributes.size()) {}

  // Reads the values of the primary key, and those of the steps. Called once, before the functions
  // below. Returns false if a value cannot be read as that of its member.
  bool Read(const Item& key, std::span<const UpdateStep> steps);

  // Computes the Derived attributes outside the primary key. Returns false if one of them does not name
  // its inputs, or if the value of an input is unknown. Called after Read.
  bool Derive();

  // Returns true if the attribute's value after the update is known. It is that of get().
  bool IsKnown(std::size_t attribute) const { return is_known_[attribute]; }

  // Returns true if the whole value is in the primary key, or is derived from such values. No update
  // changes it.
  bool IsInKey(std::size_t attribute) const { return is_in_key_[attribute]; }

  // Returns a struct of the entity with the known values. Other members have their initial values.
  const void* get() const { return values_.get(); }

  // Returns the attributes that must all be absent so that a stored entity has no value of `attribute`:
  // itself, or those that fill the same optional struct. Returns nothing if the entity always has a
  // value.
  std::optional<std::vector<std::size_t>> AbsentTogether(std::size_t attribute) const;

  // Returns the attributes with which an item must also have this one: those that fill the optional
  // struct around a required member. Returns none for other members.
  std::vector<std::size_t> RequiredWith(std::size_t attribute) const;

  // The required members of each optional struct, by the attributes that fill the struct.
  using Structs = std::map<std::vector<std::size_t>, std::vector<std::size_t>>;
  Structs OptionalStructs() const;

 private:
  bool ReadKey(const Item& key);
  bool ReadStep(const UpdateStep& step, std::size_t attribute);
  // Returns the only attribute whose value is in the member; nothing if there are several.
  std::optional<std::size_t> SourceOf(const void* member_id) const;
  // Returns the attributes whose decoding fills the optional structs on the path to this one.
  std::vector<std::size_t> FillersOf(std::size_t attribute) const;

  const EntitySpec& entity_;
  OwnedStruct initial_;
  OwnedStruct values_;
  std::vector<bool> is_known_;
  std::vector<bool> is_in_key_;
};

}  // namespace dolmen::entity
