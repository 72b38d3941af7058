// The access keys whose signatures the server accepts, and their secrets.

#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "dolmen/result.h"

namespace dolmen::server {

// A map from the id of each access key to its secret.
using AccessKeys = std::map<std::string, std::string, std::less<>>;

// Adds a key in the form "ID=SECRET".
// - kValidation: the text does not have this form. The message does not contain the text, because
//   the text may be secret.
Status AddAccessKey(std::string_view text, AccessKeys* keys);

// Adds the keys in the content of a file or of an environment variable, one ID=SECRET per line.
// Ignores empty lines and lines that begin with #. The message of an error names `source`.
// - kValidation: a line does not have the form ID=SECRET, or there is no key.
Status AddAccessKeys(std::string_view lines, const std::string& source, AccessKeys* keys);

// Adds the keys in a file or a pipe, which may have up to 1 MiB.
// - kValidation: the file cannot be read, is too large or is a device, a line does not have the form
//   ID=SECRET, or there is no key.
Status AddAccessKeysFromFile(const std::string& file, AccessKeys* keys);

}  // namespace dolmen::server
