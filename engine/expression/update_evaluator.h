// Evaluation of an update for one item.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"
#include "engine/expression/update.h"

namespace dolmen::engine {

// The state of one call of Update::Apply. Borrows the update and the old item; both must outlive
// this object. Not thread-safe.
class UpdateEvaluator {
 public:
  UpdateEvaluator(const Update& update, const ItemView& old) : update_(update), old_(old) {}

  // Implements Update::Apply, which documents the contract. Call Apply once.
  Result<Item> Apply(Item base);

 private:
  // A change of a target. It sets the target to a value or, without a value, removes the target.
  struct Change {
    const DocumentPath* target;
    std::optional<AttributeValue> value;
  };

  Status CheckRemovable(const DocumentPath& target) const;
  Status ComputeChange(std::size_t action);
  Result<AttributeValue> Evaluate(std::uint16_t node);
  Result<AttributeValue> Read(const AttributeView& view);
  Result<AttributeValue> AddNumbers(const Update::Node& node);
  Result<AttributeValue> AppendLists(const Update::Node& node);
  Result<AttributeValue> Add(const AttributeView& old, const AttributeView& operand);
  Result<std::optional<AttributeValue>> Delete(const AttributeView& old,
                                               const AttributeView& operand);

  const Update& update_;
  const ItemView& old_;
  std::vector<Change> changes_;
  std::size_t copied_bytes_ = 0;  // bytes of all values read so far
};

}  // namespace dolmen::engine
