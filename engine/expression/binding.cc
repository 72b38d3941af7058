#include "engine/expression/binding.h"

#include <optional>
#include <string>
#include <utility>

namespace dolmen::engine {

namespace {

// Returns the name in a path step that is not a list index. If the step is an undefined
// placeholder, adds an error to `*diagnostics` and returns the placeholder.
std::string_view BindName(const ExpressionSyntax& syntax, const PathStepSyntax& step,
                          Placeholders& placeholders, Diagnostics* diagnostics) {
  const std::string_view text = syntax.Text(step.text);
  if (step.kind == PathStepSyntax::Kind::kName) return text;
  const std::string* const name = placeholders.UseName(text);
  if (name != nullptr) return *name;
  diagnostics->AddFault(Fault::kUndefinedName,
                        "An expression attribute name used in the document path is not defined; "
                        "attribute name: " +
                            std::string(text));
  return text;
}

}  // namespace

DocumentPath BindPath(const ExpressionSyntax& syntax, PathSyntax path, Placeholders& placeholders,
                      Diagnostics* diagnostics) {
  const std::span<const PathStepSyntax> steps = syntax.Steps(path);
  DocumentPath bound(BindName(syntax, steps.front(), placeholders, diagnostics));
  for (const PathStepSyntax& step : steps.subspan(1)) {
    bound.Append(step.kind == PathStepSyntax::Kind::kIndex
                     ? PathStep::Index(step.index)
                     : PathStep::Name(BindName(syntax, step, placeholders, diagnostics)));
  }
  return bound;
}

AttributeView BindValue(const ExpressionSyntax& syntax, ValueSyntax value,
                        Placeholders& placeholders, Diagnostics* diagnostics) {
  const std::string_view text = syntax.Text(value.text);
  if (value.literal) return {value.type, text};
  const AttributeView found = placeholders.UseValue(text);
  if (!found.exists()) {
    diagnostics->AddFault(
        Fault::kUndefinedValue,
        "An expression attribute value used in expression is not defined; attribute "
        "value: " +
            std::string(text));
  }
  return found;
}

void AddOperandCountFault(Fault fault, std::string_view op, std::size_t count,
                          Diagnostics* diagnostics) {
  diagnostics->AddFault(
      fault, std::string("Incorrect number of operands for operator or function; operator "
                         "or function: ")
                 .append(op)
                 .append(", number of operands: ")
                 .append(std::to_string(count)));
}

void AddOperandTypeFault(std::string_view op, AttributeType type, Diagnostics* diagnostics) {
  diagnostics->AddFault(
      Fault::kOperandType,
      std::string("Incorrect operand type for operator or function; operator or function: ")
          .append(op)
          .append(", operand type: ")
          .append(AttributeTypeName(type)));
}

void AddPathRequiredFault(std::string_view op, Diagnostics* diagnostics) {
  diagnostics->AddFault(
      Fault::kOperandType,
      std::string("Operator or function requires a document path; operator or function: ")
          .append(op));
}

void AddNotDistinctFault(std::string_view op, const DocumentPath& first, Diagnostics* diagnostics) {
  diagnostics->AddFault(
      Fault::kNotDistinct,
      std::string("The first operand must be distinct from the remaining operands for this "
                  "operator or function; operator: ")
          .append(op)
          .append(", first operand: ")
          .append(first.ToString()));
}

void CheckForClash(std::span<const DocumentPath> paths, Diagnostics* diagnostics) {
  std::optional<PathClash> clash = FindClash(paths);
  if (!clash) return;
  // DynamoDB names the paths of a statement in the other order.
  if (diagnostics->dialect() == Dialect::kStatement) std::swap(clash->first, clash->second);
  diagnostics->AddFault(
      clash->kind == PathClash::Kind::kOverlap ? Fault::kOverlap : Fault::kConflict,
      ClashMessage(*clash, paths));
}

}  // namespace dolmen::engine
