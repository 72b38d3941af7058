// Placeholders of a request: its ExpressionAttributeNames and ExpressionAttributeValues, which
// define the tokens "#name" and ":value" of its expressions.

#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "dolmen/item_view.h"
#include "dolmen/lifetime.h"
#include "dolmen/operations.h"
#include "dolmen/result.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// An expression that an operation allows, and whether the request contains it.
struct ExpressionParameter {
  ExpressionKind kind;
  bool given;
};

// The names and encoded values of one request.  Create it once per request, pass it to the binding
// of each expression, then check that the expressions used every name and value:
//
//   auto placeholders = Placeholders::Make(input.names, input.values,
//                                          {{ExpressionKind::kCondition, true}});
//   ... ParseCondition, BindCondition ...
//   if (Status used = placeholders->CheckAllUsed(); !used.ok()) return used;
//
// BindExpressions does all of this for a request (request_expression.h).
//
// Bound expressions borrow from `names` and from this object.  This object borrows from `names` and
// `values`.  All of them must outlive the expressions.  Do not move this object after the first
// expression is bound.  Not thread-safe.
class Placeholders {
 public:
  // Checks the tokens and encodes the values into one buffer.  An empty map counts as absent.
  // `parameters` are the expressions that the operation allows, in any order.
  // - kValidation: there are names or values, but no expression that can use them.
  // - kValidation: a token is empty, malformed or longer than 255 bytes.
  // - kValidation: a name is empty, longer than kAttributeNameBytesMax or not UTF-8.
  // - kValidation: DynamoDB does not store a value (EncodeValue).
  // - kValidation: the values have more than 2 MB in all.
  static Result<Placeholders> Make(const Names& names DOLMEN_LIFETIME_BOUND,
                                   const Values& values DOLMEN_LIFETIME_BOUND,
                                   std::initializer_list<ExpressionParameter> parameters);

  // Returns the name of `token` ("#a") and marks it as used.  Returns null if it is not defined.
  // The name lives as long as the request's names.
  const std::string* UseName(std::string_view token);
  // Returns the value of `token` (":v") and marks it as used.  Returns an absent view if it is not
  // defined.  The value lives until this object is moved from or destroyed.
  AttributeView UseValue(std::string_view token) DOLMEN_LIFETIME_BOUND;

  // Checks that every name and value was used.
  // - kValidation: a name was not used, or a value was not used.  Names are reported first.
  Status CheckAllUsed() const;

 private:
  struct EncodedValue {
    std::size_t start;  // in bytes_
    std::size_t size;
    bool used;
  };

  Placeholders(const Names& names, const Values& values)
      : names_(&names), values_(&values), name_used_(names.size(), false) {}
  Status EncodeValues();

  const Names* names_;
  const Values* values_;
  boost::container::small_vector<bool, 16> name_used_;        // by position in *names_
  boost::container::small_vector<EncodedValue, 16> encoded_;  // by position in *values_
  std::string bytes_;                                         // the values' payloads
};

}  // namespace dolmen::engine
