// Placeholders of a request. ExpressionAttributeNames and ExpressionAttributeValues define the
// tokens "#name" and ":value" that the request's expressions contain.

#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "dolmen/internal/lifetime.h"
#include "dolmen/item_view.h"
#include "dolmen/operations.h"
#include "dolmen/result.h"
#include "engine/expression/encoded_values.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// A kind of expression that an operation allows, and whether the request contains this expression.
struct ExpressionParameter {
  ExpressionKind kind;
  bool given;
};

// The names and encoded values of one request. Create one Placeholders per request and pass it to
// the binding of each expression. Then check that the expressions used every name and value:
//
//   auto placeholders = Placeholders::Make(input.names, input.values,
//                                          {{ExpressionKind::kCondition, true}});
//   ... ParseCondition, BindCondition ...
//   if (Status used = placeholders->CheckAllUsed(); !used.ok()) return used;
//
// BindExpressions does all of this for a request (request_expression.h).
//
// Bound expressions borrow from the request and from the Placeholders. The Placeholders borrow from
// `names` and `values`. All three must outlive the expressions. Do not move the Placeholders
// after the first expression is bound. Not thread-safe.
class Placeholders {
 public:
  // Checks the tokens and the names of ExpressionAttributeNames.
  // - kValidation: a token is empty, malformed or longer than 255 bytes.
  // - kValidation: a name is empty, longer than kAttributeNameBytesMax or not UTF-8.
  static Status CheckNames(const Names& names);

  // Borrows the maps of a request. The object has no names and no values until Encode was called.
  Placeholders(const Names& names DOLMEN_LIFETIME_BOUND, const Values& values DOLMEN_LIFETIME_BOUND)
      : names_(&names), values_(&values), name_used_(names.size(), false) {}

  // Says that the request is an action of a transaction. A value of a transaction may nest one level deeper than an
  // item. A condition can use such a value, but an update cannot store it.
  // REQUIRES: Encode has not been called.
  void SetInTransaction() { in_transaction_ = true; }
  bool in_transaction() const { return in_transaction_; }
  // Returns true if a value nests deeper than an item may.
  bool has_deep_value() const { return has_deep_value_; }

  // Checks the tokens and the values, and encodes the values into one buffer, except texts. An empty
  // map counts as absent.
  // `parameters` are the expressions that the operation allows, in any order.
  // - kValidation: the request has names or values, but no expression that can use them.
  // - kValidation: a token is empty, malformed or longer than 255 bytes.
  // - kValidation: a name is empty, longer than kAttributeNameBytesMax or not UTF-8.
  // - kValidation: EncodeValue rejects a value (codec.h).
  // - kValidation: the values have more than 2 MB in total.
  // REQUIRES: Encode is called once, before the methods below.
  Status Encode(std::initializer_list<ExpressionParameter> parameters);

  // Returns the placeholders of a request. Errors: those of Encode.
  static Result<Placeholders> Make(const Names& names DOLMEN_LIFETIME_BOUND,
                                   const Values& values DOLMEN_LIFETIME_BOUND,
                                   std::initializer_list<ExpressionParameter> parameters);

  // Defines the parameters of a statement. UseValue then returns the parameter of a token
  // (ParameterToken), and the request needs no values. Does nothing if `parameters` is null.
  // REQUIRES: the parameters outlive this object.
  void SetParameters(const EncodedValues* parameters) {
    if (parameters != nullptr) parameters_ = parameters;
  }
  // Returns the parameters of a statement, or null.
  const EncodedValues* parameters() const { return parameters_; }

  // Returns the name that the request defines for `token` ("#a"), and marks the token as used.
  // Returns null if the request does not define the token. The request owns the name.
  const std::string* UseName(std::string_view token);
  // Returns the value that the request defines for `token` (":v"), and marks the token as used.
  // Returns an absent view if the request does not define the token. The view is valid until this
  // object is moved from or destroyed, or the request is.
  AttributeView UseValue(std::string_view token) DOLMEN_LIFETIME_BOUND;

  // Returns the bytes of the stored forms of all values.
  std::size_t value_bytes() const { return encoded_.size_bytes(); }

  // Checks that every name and every value was used.
  // - kValidation: a name was not used.
  // - kValidation: all names were used, but a value was not used.
  Status CheckAllUsed() const;

 private:
  Status EncodeValues();
  Status Encode(const AttributeValue& value);

  const Names* names_;
  const Values* values_;
  const EncodedValues* parameters_ = nullptr;
  boost::container::small_vector<bool, 16> name_used_;   // by position in *names_
  boost::container::small_vector<bool, 16> value_used_;  // by position in *values_
  EncodedValues encoded_;                                // by position in *values_
  bool in_transaction_ = false;
  bool has_deep_value_ = false;
};

}  // namespace dolmen::engine
