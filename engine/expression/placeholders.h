// A request's ExpressionAttributeNames and ExpressionAttributeValues: what its expressions' "#name"
// and ":value" stand for.

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

// An expression that an operation takes, and whether the request has it.
struct ExpressionParameter {
  ExpressionKind kind;
  bool given;
};

// Made once per request, handed to the binding of each of its expressions, and asked at last
// whether everything was used:
//
//   auto placeholders = Placeholders::Make(input.names, input.values,
//                                          {{ExpressionKind::kCondition, true}});
//   ... ParseCondition, BindCondition ...
//   if (Status used = placeholders->CheckAllUsed(); !used.ok()) return used;
//
// which for requests BindExpressions does (request_expression.h).
//
// Bound expressions borrow from `names` and from this object, which borrows from `names` and
// `values`: all of them must outlive the expressions.  Move it only before the first is bound.
// For one thread at a time.
class Placeholders {
 public:
  // Checks the tokens, and encodes the values into one buffer.  An empty map is an absent one.
  // `parameters` are the expressions that the operation knows, in any order.
  // kValidation: placeholders without an expression that could use them, a bad token, a name of no
  // or too many bytes, a value that DynamoDB refuses, values of more than 2 MB in all.
  static Result<Placeholders> Make(const Names& names DOLMEN_LIFETIME_BOUND,
                                   const Values& values DOLMEN_LIFETIME_BOUND,
                                   std::initializer_list<ExpressionParameter> parameters);

  // What `token` ("#a", ":v") stands for, marking it as used.  Null, or absent, if it is not
  // defined.  The name lives as long as the request's names, the value until this object is moved
  // from or destroyed.
  const std::string* UseName(std::string_view token);
  AttributeView UseValue(std::string_view token) DOLMEN_LIFETIME_BOUND;

  // kValidation if some name or value was not used; names are reported first.
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
