// Random damage to the JSON of a request.

#pragma once

#include <string>
#include <string_view>

#include "tests/support/random.h"

namespace dolmen {

// Returns the JSON with up to three random changes of its structure, and sometimes of its bytes.
// The result may be invalid JSON.
// REQUIRES: `json` is valid JSON
std::string Damaged(std::string_view json, test::Random* random);

}  // namespace dolmen
