// Return early from a function if a call has failed. Both macros work in functions that return a
// Status or a Result. They take the place of a test of ok() after each call:
//
//   DOLMEN_RETURN_IF_ERROR(CheckName(input.name));
//   DOLMEN_ASSIGN_OR_RETURN(const TableSchema* schema, catalog.Find(input.name));
//
// Public headers do not include this file, so that programs that use Dolmen do not see the macros.

#pragma once

#include <utility>

#include "dolmen/result.h"

// Evaluates an expression of type Status once. If the Status is an error, returns it from the
// enclosing function.
#define DOLMEN_RETURN_IF_ERROR(...) \
  DOLMEN_INTERNAL_RETURN(DOLMEN_INTERNAL_NAME(dolmen_status_, __COUNTER__), __VA_ARGS__)

// Evaluates an expression of type Result<T> once. If there is no value, returns the error from the
// enclosing function. Otherwise initializes `declaration` with the value:
// - `T name`, or an existing variable or field: moves the value.
// - `const T& name`: refers to the value without moving it. The value lives until the end of the
//   enclosing block.
// The macro expands to several statements, so it must not be the whole body of an `if` or a loop
// without braces. If T contains a comma, `declaration` must name T by an alias or by `auto`.
#define DOLMEN_ASSIGN_OR_RETURN(declaration, ...)                                        \
  DOLMEN_INTERNAL_ASSIGN(DOLMEN_INTERNAL_NAME(dolmen_result_, __COUNTER__), declaration, \
                         __VA_ARGS__)

// Implement the macros above. Only these macros use them. __COUNTER__ keeps the names of variables
// apart if a lambda in one macro's expression uses a macro on the same line.
#define DOLMEN_INTERNAL_RETURN(status, ...)                                   \
  do {                                                                        \
    if (::dolmen::Status status = (__VA_ARGS__); !status.ok()) return status; \
  } while (false)
#define DOLMEN_INTERNAL_ASSIGN(result, declaration, ...) \
  auto result = (__VA_ARGS__);                           \
  if (!result.ok()) return std::move(result).status();   \
  declaration = std::move(*result)
#define DOLMEN_INTERNAL_NAME(prefix, number) DOLMEN_INTERNAL_JOIN(prefix, number)
#define DOLMEN_INTERNAL_JOIN(prefix, number) prefix##number
