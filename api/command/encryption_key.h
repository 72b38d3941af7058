// The key of an encrypted database, which the command reads from a file or from the environment. It
// takes no key as an argument, because other users of the machine can see the command line.

#pragma once

#include <optional>
#include <string>

#include "dolmen/open_options.h"
#include "dolmen/result.h"

namespace dolmen::command {

// The environment variable that may hold the key.
inline constexpr const char* kEncryptionKeyVariable = "DOLMEN_ENCRYPTION_KEY";

// Reads the key from `file`. If `file` is empty, reads the key from the environment variable.
// Returns nothing if the variable is not set, or is empty. The key is 64 hexadecimal digits, and
// spaces and line ends may surround it. Prints a warning if other users can read the file.
// - kValidation: the file cannot be read, or there is no key in the file or variable.
Result<std::optional<EncryptionKey>> ReadEncryptionKey(const std::string& file);

}  // namespace dolmen::command
