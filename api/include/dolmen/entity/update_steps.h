// The steps of an update, and the UpdateExpression that they form.
//
// UpdateBuilder copies its expression with each added attribute. ComposeUpdate builds the
// expression of all steps at once, so its cost is linear in their number.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <optional>
#include <span>
#include <string_view>

#include "dolmen/attribute_value.h"
#include "dolmen/entity/changes.h"
#include "dolmen/expression.h"

namespace dolmen::entity {

// One action of an update on one attribute.
struct UpdateStep {
  Change::Kind kind = Change::Kind::kSet;

  // The name of a top-level attribute, borrowed. A dot in it is part of the name.
  std::string_view attribute = {};

  // The operand. Ignored for kRemove.
  AttributeValue value = {};

  // For kAdd of a number: the value that an absent attribute has before the addition. Empty: 0.
  std::optional<AttributeValue> start = {};
};

// Returns the expression of all steps, or an empty expression if there are none. The caller
// ensures that no two steps name the same attribute; the table would reject them with kValidation.
UpdateExpression ComposeUpdate(std::span<const UpdateStep> steps);

}  // namespace dolmen::entity

#include "dolmen/internal/show_macros.h"
