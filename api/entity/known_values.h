// The values of an entity that are known before its item is read: those of the primary key, and those
// that an update sets.

#pragma once

#include <cstddef>
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

 private:
  bool ReadKey(const Item& key);
  bool ReadStep(const UpdateStep& step, std::size_t attribute);
  // Returns the only attribute whose value is in the member; nothing if there are several.
  std::optional<std::size_t> SourceOf(const void* member_id) const;
  const EntitySpec& entity_;
  OwnedStruct values_;
  std::vector<bool> is_known_;
  std::vector<bool> is_in_key_;
};

}  // namespace dolmen::entity
