// UUIDs of version 4: 36 characters that tell nothing about the time. They can serve as ids that
// another program or a person must not be able to guess, or that must not reveal an order.
//
//   const std::string id = NewUuid();  // "9b2f7a66-0a5c-4c57-9d0e-3f5f0a1b7c21"

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <string>

namespace dolmen {

// Returns a new UUID of version 4: 122 random bits from the operating system's source of
// randomness, as lower-case hexadecimal digits in groups. If that source fails, the bits come from
// the time; the UUID can then be guessed. Thread-safe.
// https://www.rfc-editor.org/rfc/rfc9562#name-uuid-version-4
std::string NewUuid();

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
