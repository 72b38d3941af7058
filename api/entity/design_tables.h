// The tables of a design in Markdown (TableDesign).

#pragma once

#include <span>
#include <string>

#include "dolmen/entity/entity_spec.h"
#include "dolmen/entity/lint.h"

namespace dolmen::entity {

// Do the work of the methods of TableDesign that have the same names.
std::string KeyTable(std::span<const EntitySpec* const> entities);
std::string IndexTable(std::span<const EntitySpec* const> entities);
std::string PatternTable(std::span<const AccessPattern> patterns);

// Returns the text of a template: "CONVO#{conversationId}".
std::string TemplateText(const EntitySpec& entity, const KeyTemplate& key);

// Returns the request that serves the pattern, or the text of Lint if no key serves it:
// - GetItem `<partition key>` / `<sort key>`
// - Query `<partition key>`, begins_with `<the known beginning of the sort key>`
std::string RequestText(const AccessPattern& pattern);

}  // namespace dolmen::entity
