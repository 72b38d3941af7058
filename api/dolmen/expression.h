// The expressions of a request, whichever way they were written: as DynamoDB's text, prepared from
// such a text beforehand, or built in C++ (condition_builder.h, update_builder.h).
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.html
//
//   .condition = "version = :v"                       with .values = {{":v", 3}}
//   .condition = Attr("version") == 3                 the same, without a text
//
// A text is parsed when it is first used; some hundred texts of up to 1 KB are remembered parsed,
// by the whole process, so that preparing is for long texts, for thousands of them, and for who
// wants their errors early.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "dolmen/lifetime.h"
#include "dolmen/result.h"

namespace dolmen {

namespace engine {
struct ConditionSyntax;
struct ProjectionSyntax;
struct UpdateSyntax;
}  // namespace engine

// The parameter of a request that an expression is for; its error messages begin with the name.
// In the order in which messages list them.
enum class ExpressionKind : std::uint8_t {
  kUpdate,
  kCondition,
  kFilter,
  kKeyCondition,
  kProjection,
};

// DynamoDB's name of the parameter: "UpdateExpression", "ConditionExpression", ...
std::string_view ExpressionKindName(ExpressionKind kind);

// One step of a document path: a name, or a list's index.
using PathPart = std::variant<std::string, std::int64_t>;

// An expression as a syntax tree, which is immutable and shared, or why there is none.
template <typename Syntax>
using SyntaxTree = Result<std::shared_ptr<const Syntax>>;

// One expression of a request, or none.  Names and values of its placeholders come with the
// request.  A value; copies share what was prepared or built; const methods may be called from any
// thread.  One that was moved from is refused where it is used.
template <ExpressionKind kKind, typename SyntaxType>
class Expression {
 public:
  using Syntax = SyntaxType;

  // None: the request has no such parameter.
  Expression() = default;

  // A text.  An empty one is not the same as none: DynamoDB refuses it, and so do we.
  Expression(std::string text) : source_(std::move(text)) {}
  Expression(std::string_view text) : source_(std::string(text)) {}
  Expression(const char* text) : source_(std::string(text)) {}
  Expression(std::nullptr_t) = delete;  // none is Expression()

  // For the builders: what one has made, or its error, with which any request fails that uses this.
  explicit Expression(SyntaxTree<Syntax> tree) : source_(std::move(tree)) {}

  // Parses the text now.  kValidation, with DynamoDB's message, if it is no such expression; what
  // depends on the names and values of a request is only said when it is used.
  static Result<Expression> Prepare(std::string_view text);

  bool given() const { return !std::holds_alternative<std::monostate>(source_); }

  // The text; null unless it was given as one.
  const std::string* text() const DOLMEN_LIFETIME_BOUND {
    return std::get_if<std::string>(&source_);
  }
  // The tree; null unless it was prepared or built.
  const SyntaxTree<Syntax>* tree() const DOLMEN_LIFETIME_BOUND {
    return std::get_if<SyntaxTree<Syntax>>(&source_);
  }

 private:
  std::variant<std::monostate, std::string, SyntaxTree<Syntax>> source_;
};

using ConditionExpression = Expression<ExpressionKind::kCondition, engine::ConditionSyntax>;
using FilterExpression = Expression<ExpressionKind::kFilter, engine::ConditionSyntax>;
using KeyConditionExpression = Expression<ExpressionKind::kKeyCondition, engine::ConditionSyntax>;
using ProjectionExpression = Expression<ExpressionKind::kProjection, engine::ProjectionSyntax>;
using UpdateExpression = Expression<ExpressionKind::kUpdate, engine::UpdateSyntax>;

}  // namespace dolmen
