#include "engine/expression/binding.h"

#include <optional>
#include <string>

namespace dolmen::engine {

DocumentPath BindPath(const ExpressionSyntax& syntax, PathSyntax path, Placeholders& placeholders,
                      Diagnostics* diagnostics) {
  DocumentPath bound;
  for (const PathStepSyntax& step : syntax.Steps(path)) {
    std::string_view name = syntax.Text(step.text);
    if (step.kind == PathStepSyntax::Kind::kIndex) {
      bound.Append(PathStep::Index(step.index));
      continue;
    }
    if (step.kind == PathStepSyntax::Kind::kPlaceholder) {
      const std::string* const resolved = placeholders.UseName(name);
      if (resolved == nullptr) {
        diagnostics->Note(Fault::kUndefinedName,
                          "An expression attribute name used in the document path is not defined; "
                          "attribute name: " +
                              std::string(name));
      } else {
        name = *resolved;
      }
    }
    bound.Append(PathStep::Name(name));
  }
  return bound;
}

AttributeView BindValue(const ExpressionSyntax& syntax, TextSpan token, Placeholders& placeholders,
                        Diagnostics* diagnostics) {
  const AttributeView value = placeholders.UseValue(syntax.Text(token));
  if (!value.exists()) {
    diagnostics->Note(Fault::kUndefinedValue,
                      "An expression attribute value used in expression is not defined; attribute "
                      "value: " +
                          std::string(syntax.Text(token)));
  }
  return value;
}

void NoteOperandCount(Fault fault, std::string_view op, std::size_t count,
                      Diagnostics* diagnostics) {
  diagnostics->Note(fault,
                    std::string("Incorrect number of operands for operator or function; operator "
                                "or function: ")
                        .append(op)
                        .append(", number of operands: ")
                        .append(std::to_string(count)));
}

void NoteOperandType(std::string_view op, AttributeType type, Diagnostics* diagnostics) {
  diagnostics->Note(
      Fault::kOperandType,
      std::string("Incorrect operand type for operator or function; operator or function: ")
          .append(op)
          .append(", operand type: ")
          .append(AttributeTypeName(type)));
}

void NotePathRequired(std::string_view op, Diagnostics* diagnostics) {
  diagnostics->Note(
      Fault::kOperandType,
      std::string("Operator or function requires a document path; operator or function: ")
          .append(op));
}

void NoteClash(std::span<const DocumentPath> paths, Diagnostics* diagnostics) {
  const std::optional<PathClash> clash = FindClash(paths);
  if (!clash) return;
  diagnostics->Note(clash->kind == PathClash::Kind::kOverlap ? Fault::kOverlap : Fault::kConflict,
                    ClashMessage(*clash, paths));
}

}  // namespace dolmen::engine
