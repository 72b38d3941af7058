// Updates of many attributes at once, made into an expression in one go: an UpdateBuilder copies
// all that it has for each attribute more.

#pragma once

#include <span>
#include <string>

#include "dolmen/attribute_value.h"
#include "dolmen/entity/changes.h"
#include "dolmen/expression.h"

namespace dolmen::entity {

struct UpdateStep {
  Change::Kind kind = Change::Kind::kSet;
  std::string attribute = {};  // top-level
  AttributeValue value = {};   // not of kRemove
};

// None if there are no steps.
UpdateExpression ComposeUpdate(std::span<const UpdateStep> steps);

}  // namespace dolmen::entity
