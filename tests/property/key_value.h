// Key values whose order is known without the engine: a reference that orders text and binaries as
// unsigned bytes and numbers by sign, exponent and digits, and makers of values at which encodings
// go wrong.

#pragma once

#include <compare>
#include <optional>
#include <string>

#include "dolmen/attribute_value.h"
#include "tests/support/random.h"

namespace dolmen::test {

// +/- 0.d1d2d3... * 10^exponent with d1 != 0 and no zero at the end; zero has no digits.
struct Decimal {
  bool negative = false;
  int exponent = 0;
  std::string digits = {};

  // One of many spellings: "-12.50e3".
  std::string ToText(Random& random) const;

  friend bool operator==(const Decimal&, const Decimal&) = default;
  friend std::strong_ordering operator<=>(const Decimal& a, const Decimal& b);
};

struct KeyValue {
  AttributeType type = AttributeType::kS;
  std::string bytes = {};  // kS, kB
  Decimal number = {};     // kN

  AttributeValue ToAttribute(Random& random) const;
  std::string ToString() const;  // for people: x"00ff", -0.125e7
  bool BeginsWith(const KeyValue& prefix) const { return bytes.starts_with(prefix.bytes); }

  friend bool operator==(const KeyValue&, const KeyValue&) = default;
  // REQUIRES: one type
  friend std::strong_ordering operator<=>(const KeyValue& a, const KeyValue& b);
};

// A value that is often close to `near`: one byte or digit more, less or different.
KeyValue RandomKeyValue(Random& random, AttributeType type, const std::optional<KeyValue>& near);

// Something that many values begin with, `near` first of all.  REQUIRES: kS or kB
KeyValue RandomPrefix(Random& random, const KeyValue& near);

}  // namespace dolmen::test
