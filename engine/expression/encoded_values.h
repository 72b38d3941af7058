// Values of a request, encoded for the evaluation of expressions.

#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <string>

#include "dolmen/attribute_value.h"
#include "dolmen/internal/lifetime.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"
#include "engine/value/codec.h"

namespace dolmen::engine {

// The most bytes that all encoded values of a request may have together. The limit applies both to texts
// and to builders.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
inline constexpr std::size_t kValuesBytesMax = std::size_t{2} << 20;

// A list of encoded values. The payload of a text is the text itself, so the list borrows texts and
// copies nothing of them. All other values are encoded into one buffer. Const methods are
// thread-safe.
class EncodedValues {
 public:
  // Appends a value to the list. A text must outlive the list.
  // - kValidation: EncodeValue rejects the value (codec.h).
  Status Add(const AttributeValue& value DOLMEN_LIFETIME_BOUND, int levels_max = kNestingLevelsMax);

  // Appends the types and payloads of all values to `*out`. Equal lists have equal bytes.
  void AppendTo(std::string* out) const;

  // Returns the bytes of all payloads.
  std::size_t size_bytes() const { return text_bytes_ + bytes_.size(); }

  // Returns the value at a position. The view is valid until a value is added, or this object is
  // moved from or destroyed. REQUIRES: `i` is less than the number of values.
  AttributeView operator[](std::size_t i) const DOLMEN_LIFETIME_BOUND {
    const Place& place = places_[i];
    const char* const base = place.text != nullptr ? place.text : bytes_.data() + place.start;
    return {place.type, {base, place.size}};
  }

 private:
  struct Place {
    const char* text;   // null: the payload is in bytes_
    std::size_t start;  // in bytes_
    std::size_t size;
    AttributeType type;
  };

  boost::container::small_vector<Place, 16> places_;
  std::string bytes_;
  std::size_t text_bytes_ = 0;
};

}  // namespace dolmen::engine
