#include "engine/expression/compose.h"

#include <array>
#include <boost/container/small_vector.hpp>
#include <limits>
#include <string>
#include <variant>

#include "engine/expression/encoded_values.h"
#include "engine/expression/syntax/diagnostics.h"
#include "engine/value/codec.h"
#include "engine/value/utf8.h"

namespace dolmen::engine {

bool PartComposer::Fail(Status status) {
  if (status_.ok()) status_ = std::move(status);
  return false;
}

bool PartComposer::FailTooLarge() {
  return Fail(Status::Validation(is_legacy()
                                     ? "A parameter has more than " + std::to_string(count_max_) +
                                           " attributes, values and conditions in it"
                                     : "Expression size has exceeded the maximum allowed size"));
}

PathSyntax PartComposer::AddPath(std::span<const PathPart> path) {
  PathSyntax added;
  if (path.empty()) {
    Fail(Status::Validation("The attribute was moved from; create it again"));
    return added;
  }
  if (path.size() > kPathStepsMax) {
    Fail(Status::Validation(TooManySteps(path.size())));
    return added;
  }
  if (!RequireRoom(syntax_->steps.size(), path.size())) return added;
  added.first_step = static_cast<std::uint16_t>(syntax_->steps.size());
  added.step_count = static_cast<std::uint16_t>(path.size());
  for (const PathPart& part : path) {
    if (!AddStep(part)) break;
  }
  return added;
}

PathSyntax PartComposer::AddAttribute(std::string_view name) {
  const PathSyntax added = {.first_step = static_cast<std::uint16_t>(syntax_->steps.size()),
                            .step_count = 1};
  return RequireRoom(syntax_->steps.size(), 1) && AddName(name) ? added : PathSyntax();
}

bool PartComposer::AddStep(const PathPart& part) {
  if (const auto* const name = std::get_if<std::string>(&part)) return AddName(*name);
  const std::int64_t index = std::get<std::int64_t>(part);
  if (index < 0 || index > std::numeric_limits<std::uint32_t>::max()) {
    return Fail(Status::Validation(BadListIndex(std::to_string(index))));
  }
  syntax_->steps.push_back({.kind = PathStepSyntax::Kind::kIndex,
                            .text = {},
                            .index = static_cast<std::uint32_t>(index)});
  return true;
}

bool PartComposer::AddName(std::string_view name) {
  std::string fault = AttributeNameFault(name);
  if (!fault.empty()) return Fail(Status::Validation(std::move(fault)));
  PathStepSyntax step;
  if (!AddText(name, &step.text)) return false;
  syntax_->steps.push_back(step);
  return true;
}

ValueSyntax PartComposer::AddValue(const AttributeValue& value) {
  ValueSyntax added;
  if (const auto* const text = value.get_if<std::string>();
      text != nullptr && text->size() <= kValuesBytesMax && IsUtf8(*text)) {
    added.literal = true;  // its payload is the text itself
    added.type = AttributeType::kS;
    AddText(*text, &added.text);
    return added;
  }
  std::string payload;
  if (Status encoded = EncodeValue(value, &payload); !encoded.ok()) {
    Fail(std::move(encoded));
    return added;
  }
  added.literal = true;
  added.type = value.type();
  AddText(payload, &added.text);
  return added;
}

ValueSyntax PartComposer::AddPlaceholder(std::string_view token) {
  ValueSyntax added;
  AddText(token, &added.text);
  return added;
}

// Appends `text` to the text of the tree. Limits the whole text of the tree to kValuesBytesMax, the
// limit for all values of a request, because values are the largest part of this text.
bool PartComposer::AddText(std::string_view text, TextSpan* span) {
  const std::size_t max = is_legacy() ? std::numeric_limits<std::uint32_t>::max() : kValuesBytesMax;
  if (syntax_->text.size() + text.size() > max) return FailTooLarge();
  span->start = static_cast<std::uint32_t>(syntax_->text.size());
  span->size = static_cast<std::uint32_t>(text.size());
  syntax_->text.insert(syntax_->text.end(), text.begin(), text.end());
  return true;
}

bool PartComposer::Append(const ExpressionSyntax& other) {
  if (!RequireRoom(syntax_->steps.size(), other.steps.size())) return false;
  const auto shift = static_cast<std::uint32_t>(syntax_->text.size());
  TextSpan text;
  if (!AddText(other.Text({0, static_cast<std::uint32_t>(other.text.size())}), &text)) return false;
  for (PathStepSyntax step : other.steps) {
    step.text.start += shift;
    syntax_->steps.push_back(step);
  }
  return true;
}

namespace {

std::uint16_t AddOperand(const OperandParts& operand, TreeComposer<ConditionSyntax>* composer) {
  if (operand.value != nullptr) return composer->AddValue(*operand.value);
  const std::uint16_t path = composer->AddPath(operand.path);
  if (!operand.size) return path;
  return composer->AddParent({.kind = ConditionNode::Kind::kSize}, {&path, 1});
}

SyntaxTree<ConditionSyntax> Finish(const ConditionNode& root,
                                   std::span<const std::uint16_t> children,
                                   TreeComposer<ConditionSyntax>* composer) {
  composer->syntax().root = composer->AddParent(root, children);
  return composer->Finish();
}

}  // namespace

SyntaxTree<ConditionSyntax> ComposePredicate(ConditionOperator op,
                                             std::span<const OperandParts> operands) {
  TreeComposer<ConditionSyntax> composer;
  boost::container::small_vector<std::uint16_t, 4> children;
  for (const OperandParts& operand : operands) children.push_back(AddOperand(operand, &composer));
  return Finish({.kind = ConditionNode::Kind::kPredicate, .op = op},
                {children.data(), children.size()}, &composer);
}

SyntaxTree<ConditionSyntax> Combine(ConditionNode::Kind kind, SyntaxTree<ConditionSyntax> first,
                                    std::span<const SyntaxTree<ConditionSyntax>* const> others) {
  if (kind != ConditionNode::Kind::kNot && others.empty()) return first;
  TreeComposer<ConditionSyntax> composer(std::move(first));
  std::uint16_t root = composer.syntax().root;
  if (kind == ConditionNode::Kind::kNot) root = composer.AddParent({.kind = kind}, {&root, 1});
  for (const auto* const other : others) {
    const std::array children = {root, composer.AddTree(*other)};
    root = composer.AddParent({.kind = kind}, children);
  }
  composer.syntax().root = root;
  return composer.Finish();
}

}  // namespace dolmen::engine
