// The texts of keys: made of a template's parts, and taken apart again.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/entity/entity_spec.h"
#include "dolmen/result.h"

namespace dolmen::entity {

// What a template is filled with: the attributes that are known, by their places.
class PartValues {
 public:
  virtual ~PartValues() = default;
  // Makes `*value` the attribute's; false if it is not known.
  virtual Result<bool> Get(std::size_t attribute, AttributeValue* value) const = 0;
};

// Appends the template's text as far as the parts are known.  Returns how many segments that were:
// all of them, or those before the one whose attribute is not known, its literal being appended.
// kValidation: a value is not fit for a key.
Result<std::size_t> RenderKey(const EntitySpec& entity, const KeyTemplate& key,
                              const PartValues& parts, std::string* text);

// Appends the text of the segment's attribute with this value.
Status RenderPart(const EntitySpec& entity, const KeyTemplate& key, const KeySegment& segment,
                  const AttributeValue& value, std::string* text);

// A segment's attribute and what of a key's text is it.
struct KeyPart {
  const KeySegment* segment = nullptr;
  std::string_view text = {};
};

// The parts of a key's text, as far as it is as the template has it; `*problem` says where not.
std::vector<KeyPart> SplitKey(const KeyTemplate& key, std::string_view text, Problem* problem);

}  // namespace dolmen::entity
