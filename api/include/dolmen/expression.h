// The expressions of a request. There are three ways to write one:
//
//   .condition = "version = :v", .values = {{":v", 3}}      DynamoDB's text, with placeholders
//   .condition = *prepared, .values = {{":v", 3}}           a text that was parsed before
//   .condition = Attr("version") == 3                       built in C++, without placeholders
//
// Dolmen parses a text when a request first uses it. A cache of the process keeps the parsed forms
// of texts of at most 1 KB: up to 512 conditions, 512 projections and 512 updates. Prepare() is
// therefore useful only for long texts, for many different texts, or to see errors early.
//
// The builders are in condition_builder.h, key_condition_builder.h, projection_builder.h and
// update_builder.h.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.html

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "dolmen/internal/lifetime.h"
#include "dolmen/result.h"

namespace dolmen {

namespace engine {
struct ConditionSyntax;
class EncodedValues;
struct ProjectionSyntax;
struct UpdateSyntax;
}  // namespace engine

// The request parameter that holds an expression. Error messages begin with the name of the
// parameter, as in "Invalid UpdateExpression: ...". A message that lists several parameters lists
// them in the order of this enum.
enum class ExpressionKind : std::uint8_t {
  kUpdate,
  kCondition,
  kFilter,
  kKeyCondition,
  kProjection,
};

// Returns DynamoDB's name of the parameter: "UpdateExpression", "ConditionExpression" and so on.
std::string_view ExpressionKindName(ExpressionKind kind);

// One step of a document path: a name, or a list's index.
using PathPart = std::variant<std::string, std::int64_t>;

// The syntax tree of a parsed or built expression, immutable and shared, or the error from parsing
// or building the expression.
template <typename Syntax>
using SyntaxTree = Result<std::shared_ptr<const Syntax>>;

// One expression of a request, or an empty one. The names and values of its placeholders are
// fields of the request, so one prepared text can serve many requests.
//
// If an expression has an error, the request that uses it fails with kValidation and DynamoDB's
// message. Limits of a text: 4,096 bytes, 300 operators and functions, 32 steps in a path.
//
// A value type; copies share the parsed form. Const methods are thread-safe. An expression that
// was moved from is rejected when a request uses it, so that a write never loses its condition.
template <ExpressionKind kKind, typename SyntaxType>
class Expression {
 public:
  using Syntax = SyntaxType;

  // Makes an empty expression: the request does not have the parameter.
  Expression() = default;

  // Make an expression from a text, which is not parsed yet. An empty text does not make an empty
  // expression: the request rejects it, as DynamoDB does. REQUIRES: a `const char*` is not null.
  Expression(std::string text) : source_(Source::kText), text_(std::move(text)) {}
  Expression(std::string_view text) : source_(Source::kText), text_(text) {}
  Expression(const char* text) : source_(Source::kText), text_(text) {}
  Expression(std::nullptr_t) = delete;  // write Expression() for an empty one

  // Makes an expression from the result of a builder. If the result is an error, every request
  // that uses this expression fails with that error.
  explicit Expression(SyntaxTree<Syntax> tree) : source_(Source::kTree), tree_(std::move(tree)) {}

  // Makes an expression from the tree of a statement and the parameters of one execution. Only the
  // engine uses it. REQUIRES: the parameters outlive the expression and its copies.
  Expression(std::shared_ptr<const Syntax> tree,
             const engine::EncodedValues* parameters DOLMEN_LIFETIME_BOUND)
      : source_(Source::kTree), tree_(std::move(tree)), parameters_(parameters) {}

  // Parses the text now. The request still reports the errors that depend on its names and values.
  // - kValidation, with DynamoDB's message: the text is not an expression of this kind.
  static Result<Expression> Prepare(std::string_view text);

  // Returns false for an empty expression.
  bool given() const { return source_ != Source::kNone; }

  // Returns the text; null unless the expression was given as a text. The text is valid as long as
  // this object.
  const std::string* text() const DOLMEN_LIFETIME_BOUND {
    return source_ == Source::kText ? &text_ : nullptr;
  }
  // Returns the parsed form; null unless the expression was prepared or built.
  const SyntaxTree<Syntax>* tree() const DOLMEN_LIFETIME_BOUND {
    return source_ == Source::kTree ? &tree_ : nullptr;
  }
  // Returns the parameters of a statement; null unless the expression is a part of a statement.
  const engine::EncodedValues* parameters() const { return parameters_; }

 private:
  // Not a std::variant, because a program would compile its visitors for each kind of expression.
  enum class Source : std::uint8_t { kNone, kText, kTree };

  Source source_ = Source::kNone;
  std::string text_;
  SyntaxTree<Syntax> tree_ = std::shared_ptr<const Syntax>();
  const engine::EncodedValues* parameters_ = nullptr;
};

// A condition of a write, a filter of a read's results, and a key condition of a Query.
using ConditionExpression = Expression<ExpressionKind::kCondition, engine::ConditionSyntax>;
using FilterExpression = Expression<ExpressionKind::kFilter, engine::ConditionSyntax>;
using KeyConditionExpression = Expression<ExpressionKind::kKeyCondition, engine::ConditionSyntax>;
// The attributes that a read returns, and the changes of an UpdateItem.
using ProjectionExpression = Expression<ExpressionKind::kProjection, engine::ProjectionSyntax>;
using UpdateExpression = Expression<ExpressionKind::kUpdate, engine::UpdateSyntax>;

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
