// From the syntax of operands to what they stand for in a request: the part that all expressions
// share.

#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "dolmen/item_view.h"
#include "dolmen/lifetime.h"
#include "engine/expression/document_path.h"
#include "engine/expression/placeholders.h"
#include "engine/expression/syntax/diagnostics.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// The path with its name placeholders resolved; notes those that are not defined, and then returns
// a path of no use.  Borrows from the syntax and from the request's names.
DocumentPath BindPath(const ExpressionSyntax& syntax DOLMEN_LIFETIME_BOUND, PathSyntax path,
                      Placeholders& placeholders DOLMEN_LIFETIME_BOUND, Diagnostics* diagnostics);

// The literal, or the placeholder's value; notes if it is not defined, and then returns an absent
// one.  Borrows from the syntax or from the placeholders.
AttributeView BindValue(const ExpressionSyntax& syntax DOLMEN_LIFETIME_BOUND, ValueSyntax value,
                        Placeholders& placeholders DOLMEN_LIFETIME_BOUND, Diagnostics* diagnostics);

// Note that an operator or function has operands that it can't have.
void NoteOperandCount(Fault fault, std::string_view op, std::size_t count,
                      Diagnostics* diagnostics);
void NoteOperandType(std::string_view op, AttributeType type, Diagnostics* diagnostics);
void NotePathRequired(std::string_view op, Diagnostics* diagnostics);
void NoteNotDistinct(std::string_view op, const DocumentPath& first, Diagnostics* diagnostics);

// Notes that paths of a projection or an update clash, if they do.
void NoteClash(std::span<const DocumentPath> paths, Diagnostics* diagnostics);

}  // namespace dolmen::engine
