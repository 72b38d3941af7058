// The expressions of a request.  There are three ways to write one:
//
//   .condition = "version = :v", .values = {{":v", 3}}      DynamoDB's text, with placeholders
//   .condition = *prepared, .values = {{":v", 3}}           a text that was parsed before
//   .condition = Attr("version") == 3                       built in C++, without placeholders
//
// A text is parsed when a request first uses it.  The process keeps the parsed form of up to 512
// texts of conditions, projections and updates each, if they have at most 1 KB.  So Prepare() pays
// only for long texts, for many different texts, or to see errors early.
//
// The builders are in condition_builder.h, key_condition_builder.h, projection_builder.h and
// update_builder.h.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.html

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

// The parameter of a request that an expression is for.  Error messages begin with its name, as in
// "Invalid UpdateExpression: ...".  The order is that in which messages list several parameters.
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

// A parsed or built expression, immutable and shared, or the error that it has.
template <typename Syntax>
using SyntaxTree = Result<std::shared_ptr<const Syntax>>;

// One expression of a request, or none.  The names and values of its placeholders are fields of the
// request, so one prepared text can serve many requests.
//
// The errors of an expression are reported by the request that uses it, as kValidation with
// DynamoDB's message.  Limits of a text: 4,096 bytes, 300 operators and functions, 32 steps in a
// path.
//
// A value type; copies share the parsed form.  Const methods are thread-safe.  An expression that
// was moved from is rejected when a request uses it, so that a write never loses its condition.
template <ExpressionKind kKind, typename SyntaxType>
class Expression {
 public:
  using Syntax = SyntaxType;

  // Makes none: the request does not have the parameter.
  Expression() = default;

  // Take a text.  It is not parsed yet.  An empty text is not the same as none: it is rejected, as
  // by DynamoDB.  REQUIRES: a `const char*` is not null.
  Expression(std::string text) : source_(std::move(text)) {}
  Expression(std::string_view text) : source_(std::string(text)) {}
  Expression(const char* text) : source_(std::string(text)) {}
  Expression(std::nullptr_t) = delete;  // write Expression() for none

  // Takes the result of a builder.  If it is an error, every request that uses this expression
  // fails with the error.
  explicit Expression(SyntaxTree<Syntax> tree) : source_(std::move(tree)) {}

  // Parses the text now.  Faults that depend on the names and values of a request are reported by
  // the request.
  // - kValidation, with DynamoDB's message: the text is not an expression of this kind.
  static Result<Expression> Prepare(std::string_view text);

  // Returns false for none.
  bool given() const { return !std::holds_alternative<std::monostate>(source_); }

  // Returns the text; null unless the expression was given as a text.  Valid as long as the object.
  const std::string* text() const DOLMEN_LIFETIME_BOUND {
    return std::get_if<std::string>(&source_);
  }
  // Returns the parsed form; null unless the expression was prepared or built.
  const SyntaxTree<Syntax>* tree() const DOLMEN_LIFETIME_BOUND {
    return std::get_if<SyntaxTree<Syntax>>(&source_);
  }

 private:
  std::variant<std::monostate, std::string, SyntaxTree<Syntax>> source_;
};

// A condition of a write, a filter of a read's results, and the range of a Query.
using ConditionExpression = Expression<ExpressionKind::kCondition, engine::ConditionSyntax>;
using FilterExpression = Expression<ExpressionKind::kFilter, engine::ConditionSyntax>;
using KeyConditionExpression = Expression<ExpressionKind::kKeyCondition, engine::ConditionSyntax>;
// The attributes that a read returns, and the changes of an UpdateItem.
using ProjectionExpression = Expression<ExpressionKind::kProjection, engine::ProjectionSyntax>;
using UpdateExpression = Expression<ExpressionKind::kUpdate, engine::UpdateSyntax>;

}  // namespace dolmen
