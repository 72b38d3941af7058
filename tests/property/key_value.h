// Key values and random generators of key values. The values are compared without the engine:
// strings and binaries as unsigned bytes, numbers by sign, exponent and digits. The generators
// prefer values for which encodings are likely to fail.

#pragma once

#include <compare>
#include <optional>
#include <string>

#include "dolmen/attribute_value.h"
#include "tests/support/random.h"

namespace dolmen::test {

// The number +/- 0.d1d2d3... * 10^exponent, in which `digits` is d1d2d3... The first and the last
// digit are not 0. Zero has no digits.
struct Decimal {
  bool negative = false;
  int exponent = 0;
  std::string digits = {};

  // Returns a random spelling of the number, such as "-12.50e3".
  std::string ToText(Random& random) const;

  friend bool operator==(const Decimal&, const Decimal&) = default;
  friend std::strong_ordering operator<=>(const Decimal& a, const Decimal& b);
};

struct KeyValue {
  AttributeType type = AttributeType::kS;
  std::string bytes = {};  // for kS and kB
  Decimal number = {};     // for kN

  AttributeValue ToAttribute(Random& random) const;
  std::string ToString() const;  // for failure messages: x"00ff", -0.125e7
  bool BeginsWith(const KeyValue& prefix) const { return bytes.starts_with(prefix.bytes); }

  friend bool operator==(const KeyValue&, const KeyValue&) = default;
  // REQUIRES: both values have the same type
  friend std::strong_ordering operator<=>(const KeyValue& a, const KeyValue& b);
};

// Returns a random value. About half of the values differ from the value `near` in only one byte,
// character or digit, or in the exponent or sign.
KeyValue RandomKeyValue(Random& random, AttributeType type, const std::optional<KeyValue>& near);

// Returns a short prefix of the value `near`, or a value that differs slightly from a prefix. The
// prefix is short so that many values begin with it.
// REQUIRES: `near` has the type kS or kB
KeyValue RandomPrefix(Random& random, const KeyValue& near);

}  // namespace dolmen::test
