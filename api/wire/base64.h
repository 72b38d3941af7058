// Base64 with the standard alphabet and padding, as DynamoDB's JSON has binary values.

#pragma once

#include <string>
#include <string_view>

namespace dolmen::wire {

void AppendBase64(std::string_view bytes, std::string* out);

// Appends the bytes that `text`, which is UTF-8, stands for.  Returns an empty text, or what
// DynamoDB says is wrong with it; then `out` is unspecified.
std::string DecodeBase64(std::string_view text, std::string* out);

}  // namespace dolmen::wire
