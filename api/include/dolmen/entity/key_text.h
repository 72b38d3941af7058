// Functions that build the text of a key from a template and values, and split it into parts again.
//
//   template  BOOKING#{arrival:date}#{bookingId}
//   text      BOOKING#2026-05-01#b1
//   parts     arrival = "2026-05-01", bookingId = "b1"

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/entity/entity_spec.h"
#include "dolmen/result.h"

namespace dolmen::entity {

// A source of values for the parts of a template: a struct, an update, or the parts of a query.
class PartValues {
 public:
  virtual ~PartValues() = default;

  // Writes the value of the attribute to `*value` and returns true. Returns false if the source has
  // no value for the attribute. `attribute` is a position in EntitySpec::attributes.
  // - kValidation: the value cannot be encoded.
  virtual Result<bool> Get(std::size_t attribute, AttributeValue* value) const = 0;
};

// Appends the text of a key to `*text`, up to the first part without a value. Returns the number
// of complete segments: key.count if all parts have values. If a part is missing, the literal
// before the part is still appended. `*text` is then the common prefix of all keys with the known
// parts. On an error `*text` is incomplete.
// - kValidation: a value does not fit into the key (key.h); the message names the entity and the
//   attribute.
Result<std::size_t> RenderKey(const EntitySpec& entity, const KeyTemplate& key,
                              const PartValues& parts, std::string* text);

// Checks the text of a value in the segment. The text must not be empty, and must not contain the
// separator before or after it, because two keys with different values could then be equal.
// - kValidation: the text does not fit into the key.
Status CheckPartText(const KeyTemplate& key, const KeySegment& segment, std::string_view text);

// Returns true if the text has the form of a day: 2026-04-15.
bool IsDay(std::string_view text);

// Appends the text of one part with the value `value`. Does not append the literal before the
// part.
// REQUIRES: the segment has an attribute
// - kValidation: the value does not fit into the key.
Status RenderPart(const EntitySpec& entity, const KeyTemplate& key, const KeySegment& segment,
                  const AttributeValue& value, std::string* text);

// A part that SplitKey found. `segment` is borrowed from the template, `text` from the split text.
struct KeyPart {
  const KeySegment* segment = nullptr;
  std::string_view text = {};
};

// Appends the parts of a key's text to `*parts`. A part may be empty.
// - kValidation: the text does not match the template. `*parts` then has the parts before the
//   mismatch.
Status SplitKey(const KeyTemplate& key, std::string_view text, std::vector<KeyPart>* parts);

}  // namespace dolmen::entity

#include "dolmen/internal/show_macros.h"
