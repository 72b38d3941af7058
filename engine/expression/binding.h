// Binding of document paths and values, for all kinds of expression. Binding replaces each
// placeholder by the name or value that the request defines for it.
//
// The functions add each error that they find to `*diagnostics`. They keep no state, so different
// threads may call them with different arguments.

#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "dolmen/internal/lifetime.h"
#include "dolmen/item_view.h"
#include "engine/expression/document_path.h"
#include "engine/expression/placeholders.h"
#include "engine/expression/syntax/diagnostics.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// Returns the path with its name placeholders resolved. The path borrows names from the syntax and
// from the request. Adds an error for each undefined placeholder. After an error, the returned path
// must not be used.
DocumentPath BindPath(const ExpressionSyntax& syntax DOLMEN_LIFETIME_BOUND, PathSyntax path,
                      Placeholders& placeholders DOLMEN_LIFETIME_BOUND, Diagnostics* diagnostics);

// Returns the literal, or the value of the placeholder. The view borrows from the syntax, from the
// request or from the placeholders. If the placeholder is not defined, adds an error and returns an
// absent view.
AttributeView BindValue(const ExpressionSyntax& syntax DOLMEN_LIFETIME_BOUND, ValueSyntax value,
                        Placeholders& placeholders DOLMEN_LIFETIME_BOUND, Diagnostics* diagnostics);

// Add an error about the operands of the operator or function `op`: a wrong number of operands, a
// wrong type, a value where a path is required, or equal operands.
void AddOperandCountFault(Fault fault, std::string_view op, std::size_t count,
                          Diagnostics* diagnostics);
void AddOperandTypeFault(std::string_view op, AttributeType type, Diagnostics* diagnostics);
void AddPathRequiredFault(std::string_view op, Diagnostics* diagnostics);
void AddNotDistinctFault(std::string_view op, const DocumentPath& first, Diagnostics* diagnostics);

// Adds an error if two paths of a projection or an update clash (FindClash).
void CheckForClash(std::span<const DocumentPath> paths, Diagnostics* diagnostics);

}  // namespace dolmen::engine
