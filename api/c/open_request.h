// The options of dolmen_open, which are JSON (dolmen.h lists them).

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dolmen/clock.h"
#include "dolmen/open_options.h"
#include "dolmen/result.h"
#include "dolmen/status.h"
#include "dolmen/wire.h"

namespace dolmen::c {

// A database to open.
struct OpenRequest {
  std::optional<std::string> directory = {};  // nothing: in memory
  OpenOptions open = {};
  EndpointOptions endpoint = {};
};

// - kValidation: the text is not a JSON object, or an option is unknown or wrong.
Result<OpenRequest> ParseOpenRequest(std::string_view json);

// Parses 64 hexadecimal digits. Returns nothing if the text is not a key.
std::optional<EncryptionKey> ParseEncryptionKey(std::string_view digits);

}  // namespace dolmen::c
