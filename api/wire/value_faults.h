// DynamoDB's messages about an attribute value that cannot be read, and about where a request has it. Some
// operations use an older checker, whose messages differ.

#pragma once

#include <cstdint>
#include <string_view>

#include "dolmen/number.h"
#include "dolmen/result.h"
#include "wire/json.h"
#include "wire/shape.h"

namespace dolmen::wire {

// The two checkers of values. The older one names the parameter of an expression that has the value:
// "ExpressionAttributeValues contains invalid value: ... for key :v".
enum class Checker : std::uint8_t { kCurrent, kOlder };

// The checker of each operation, as in most of AWS's regions in October 2026. AWS moves one operation after the other
// to the current checker.
inline constexpr Checker kGetItemChecker = Checker::kCurrent;
inline constexpr Checker kPutItemChecker = Checker::kCurrent;
inline constexpr Checker kUpdateItemChecker = Checker::kCurrent;
inline constexpr Checker kDeleteItemChecker = Checker::kCurrent;
inline constexpr Checker kBatchGetItemChecker = Checker::kCurrent;
inline constexpr Checker kQueryChecker = Checker::kCurrent;
inline constexpr Checker kScanChecker = Checker::kOlder;
inline constexpr Checker kBatchWriteItemChecker = Checker::kOlder;
inline constexpr Checker kTransactChecker = Checker::kOlder;
inline constexpr Checker kStatementChecker = Checker::kOlder;

// The functions below return kValidation with the message for one kind of fault, except ReadNumber, which may succeed.

// Reads a number as the checker does.
// - kValidation: the text is not a number in DynamoDB's range. The message shows the start of a long text.
Result<Number> ReadNumber(std::string_view text, Checker checker);

// The set `json` of the type "SS", "NS" or "BS" is empty, or has equal members. The members are valid.
Status EmptySetFault(std::string_view type);
Status DuplicatesFault(std::string_view type, const Json& json, Checker checker);

// The value NULL is false.
Status NullFault();

// A value has no type, or several. DynamoDB has the second message for every structure of which a request must set
// exactly one member, too.
Status NoDatatype();
Status SeveralDatatypes();

// The value of the parameter `token` of an expression is at `fault`, one of the faults above.
Status ExpressionValueFault(std::string_view token, const Status& fault);

// Returns the fault of a value that nests so deeply that DynamoDB finds it before all others, or success. `shape` is
// that of the request.
Status ParserFault(const Shape& shape, const JsonObject& request);

// Returns true if `fault` is NoDatatype or SeveralDatatypes.
bool IsDatatypeFault(const Status& fault);

// Returns true if DynamoDB puts "The provided starting key is invalid: " before the message of `fault`, one of the
// faults above. It does not do this for numbers, duplicates in sets, and empty number sets.
bool IsStartKeyFault(const Status& fault);

}  // namespace dolmen::wire
