// Evaluation of an update for one item.

#pragma once

#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"
#include "engine/expression/update.h"

namespace dolmen::engine {

// The state of one application of an update. Computes the new values from the stored bytes of the
// operands. Borrows the update and the old item; both must outlive this object. Not thread-safe.
//
// Call one of the two methods, once. Both have the contract of Update::Apply, which calls one of
// them.
class UpdateEvaluator {
 public:
  UpdateEvaluator(const Update& update, const ItemView& old) : update_(update), old_(old) {}

  // Replaces whole attributes in a copy of the old item's bytes. Neither decodes nor encodes the
  // attributes that the update leaves alone.
  // REQUIRES: the update has no target of more than one step.
  Status ApplyToBytes(std::string* out);

  // Decodes the old item, changes the decoded item, and encodes it.
  Status ApplyToItem(std::string* out);

 private:
  // A change of a target. It sets the target to a value or, if the value is absent, removes the
  // target.
  struct Change {
    const DocumentPath* target;
    AttributeView value;
  };

  // Sets changes_, in ascending order of their targets.
  Status ComputeChanges();
  Result<AttributeView> ComputeValue(std::size_t action);
  Result<AttributeView> Evaluate(std::uint16_t node);
  // Return `view` itself. Return an error if the view is absent or damaged, or if the update has
  // read too many bytes.
  Result<AttributeView> ReadOld(const AttributeView& view);
  Result<AttributeView> ReadOperand(const AttributeView& view);
  Result<AttributeView> Sum(const AttributeView& a, const AttributeView& b,
                            Result<Number> (*add)(const Number&, const Number&));
  AttributeView AppendLists(const AttributeView& left, const AttributeView& right);
  Result<AttributeView> Add(const AttributeView& old, const AttributeView& operand);
  Result<AttributeView> Delete(const AttributeView& old, const AttributeView& operand);
  // Stores the payload in this object. Returns a view of the stored payload.
  AttributeView Keep(AttributeType type, std::string payload);

  // Return an error if a value, or the changed item, nests too deep.
  Status CheckDepth(const AttributeView& value) const;
  Status NestsTooDeep() const;

  Status ChangeItem(Item* item);
  Status CheckRemovable(const DocumentPath& target) const;

  const Update& update_;
  const ItemView& old_;
  std::vector<Change> changes_;
  std::forward_list<std::string> payloads_;  // of computed values
  std::size_t copied_bytes_ = 0;             // bytes of all values read so far
};

}  // namespace dolmen::engine
