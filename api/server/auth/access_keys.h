// The access keys that are let in, and their secrets.

#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "dolmen/result.h"

namespace dolmen::server {

// Secrets by access key.
using AccessKeys = std::map<std::string, std::string, std::less<>>;

// Adds "ID=SECRET".  kValidation: it is not like that; the message does not repeat it.
Status AddAccessKey(std::string_view text, AccessKeys* keys);

// Adds what a file, or a variable of the environment, holds: one ID=SECRET per line; empty lines
// and such that begin with # are left out.  kValidation: a line is not like that, or there is no
// key; the message names `source`.
Status AddAccessKeys(std::string_view lines, const std::string& source, AccessKeys* keys);

// kValidation: the file can't be read, is not like that, or has no key.
Status AddAccessKeysOf(const std::string& file, AccessKeys* keys);

}  // namespace dolmen::server
