// The choice of the entity to which an item belongs.
//
// The type attribute decides. If several entities have the type, or if the item has no type
// attribute, as items of other programs, then the templates of the primary key decide.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/condition_builder.h"
#include "dolmen/entity/entity_spec.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"

namespace dolmen::entity {

// The answer of an item's type attribute.
enum class TypeMatch : std::uint8_t {
  kSame,    // it is a name of the entity
  kAbsent,  // the item has no type attribute
  kOther    // it has any other value
};
TypeMatch MatchType(const EntitySpec& entity, ItemView item);

// Returns the condition that the item exists and has a name of the entity: MatchType returns kSame.
ConditionBuilder HasType(const EntitySpec& entity);

// Returns the condition that the item, if it exists, does not belong to another entity: MatchType does
// not return kOther.
ConditionBuilder IsNotAnother(const EntitySpec& entity);

// Returns the value of the item's type attribute for a message; "unnamed" if it is absent.
std::string DescribeType(const EntitySpec& entity, ItemView item);

// Returns true if the item's primary key is a key that the entity's templates can produce.
bool HasKeyOf(const EntitySpec& entity, ItemView item);

// The entities of a query. Const methods are thread-safe.
class EntityMatcher {
 public:
  // `entities` must be valid as long as this object; at least one.
  explicit EntityMatcher(std::vector<const EntitySpec*> entities);

  const std::vector<const EntitySpec*>& entities() const DOLMEN_LIFETIME_BOUND { return entities_; }

  // Replaces the description of an entity. `entity` must be valid as long as this object.
  void Replace(std::size_t position, const EntitySpec* entity) { entities_[position] = entity; }

  // Makes an item that belongs to none of the entities an error, except an item that reserves a unique
  // value of one of them (claims.h).
  void set_strict() { is_strict_ = true; }

  // Returns the position of the entity to which the item belongs. Returns nothing if it belongs to
  // none of them.
  // - kCorruption: it belongs to none of them and is not their claim, and set_strict() was called.
  Result<std::optional<std::size_t>> Find(ItemView item) const;

  // Like Find, but faster. May return an entity that has the item's type, although the item can be
  // read neither by its key nor by its attributes. Find then returns another answer.
  Result<std::optional<std::size_t>> Guess(ItemView item) const;

 private:
  Status UnknownEntityError(ItemView item) const;

  std::vector<const EntitySpec*> entities_;
  bool is_strict_ = false;
  bool shares_types_ = false;  // two of the entities have the same name
};

}  // namespace dolmen::entity

#include "dolmen/internal/show_macros.h"
