// The functions of the C library that JavaScript calls by a database, and their arguments.

#pragma once

#include <array>
#include <span>

#include "bindings/javascript/native/call.h"

namespace dolmen_node {

enum class Argument {
  kNone,
  kText,           // a string without U+0000 and without half of a surrogate pair
  kOptionalText,   // such a string, undefined or null
  kBytes,          // a string or a Uint8Array
  kOptionalBytes,  // a string, a Uint8Array, undefined or null
  kNumber,
};

// A function of the C library.
struct Definition {
  const char* name;  // its name in JavaScript
  Function function;
  std::array<Argument, 3> arguments = {};
  bool has_database = true;
};

// Returns all functions. They live as long as the process.
std::span<const Definition> Definitions();

}  // namespace dolmen_node
