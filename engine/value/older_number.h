// Reader of numbers with the rules of DynamoDB's older checker of values: PartiQL, and the operations
// whose requests the newer checker does not read yet.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "dolmen/number.h"
#include "dolmen/result.h"

namespace dolmen::engine {

// The size of a decimal text, as Java's BigDecimal stores it.
struct DecimalSize {
  std::int64_t precision = 1;  // the number of digits without leading zeros; 1 for zero
  std::int32_t scale = 0;      // the number of digits after the point, less the exponent
};

// Returns the size, or nothing if the text is no decimal, or if its exponent or its scale leaves the
// range of 32 bits. Takes time linear in the size of the text.
std::optional<DecimalSize> ReadDecimalSize(std::string_view text);

// Reads a number. A number that is too large or too small is found with the arithmetic of 32 bits that
// DynamoDB uses, which wraps round: 5e2147483646 is too large and 55e2147483646 is too small. Zero is
// judged by its scale. Each error has DynamoDB's message:
// - kValidation: ReadDecimalSize returns nothing. An empty text is not repeated in the message.
// - kValidation: the number is too large or too small, or has more than 38 significant digits.
Result<Number> ReadOlderNumber(std::string_view text);

}  // namespace dolmen::engine
