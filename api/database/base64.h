// Base64 with the standard alphabet and padding, which DynamoDB's JSON uses for binary values.

#pragma once

#include <string>
#include <string_view>

#include "dolmen/result.h"

namespace dolmen::internal {

// Appends the Base64 text of `bytes` to `out`.
void AppendBase64(std::string_view bytes, std::string* out);

// Appends to `out` the bytes that `text` encodes. `text` is UTF-8. After an error `out` is
// unspecified.
// - kValidation, with DynamoDB's message: the text is not Base64.
Status DecodeBase64(std::string_view text, std::string* out);

}  // namespace dolmen::internal
