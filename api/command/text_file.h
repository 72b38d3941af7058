// Files that are read as a whole.

#pragma once

#include <string>
#include <string_view>

#include "dolmen/result.h"

namespace dolmen::command {

// Returns the bytes of a file. The message of an error names the file, for example as "the fixture".
// - kValidation: the file cannot be read.
Result<std::string> ReadTextFile(const std::string& path, std::string_view name);

}  // namespace dolmen::command
