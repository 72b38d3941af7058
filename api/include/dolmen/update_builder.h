// Updates written in C++:
//
//   .update = Update().Set("firstName", "Ann").Add("version", 1)
//   .update = Update()
//                 .Set("balance", Attr("balance") - 5)
//                 .Set("log", ListAppend(IfNotExists("log", List()), List{"paid 5"}))
//                 .Remove(Attr("cart")[0])
//                 .Delete("tags", StringSet{"new"})
//
// The first argument of a method is the attribute. The second is a value unless it is an Attr:
// Set("a", "b") sets "a" to the text "b". Set("a", Attr("b")) sets "a" to the value of the
// attribute "b".
//
// A built update has the meaning of the UpdateExpression with the same actions. condition_builder.h
// lists the limits. A request fails with kValidation if its update contains:
// - two actions on one attribute, or on an attribute and an element of it;
// - an action on a key attribute of the table;
// - an operand that the item does not have, or that has the wrong type;
// - an action on an element whose map or list does not exist.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.UpdateExpressions.html

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <concepts>
#include <type_traits>
#include <utility>

#include "dolmen/attribute_value.h"
#include "dolmen/condition_builder.h"
#include "dolmen/expression.h"

namespace dolmen {

// An operand of Set, +, - and the functions below: an attribute, a value, or IfNotExists. A value
// type.
class UpdateOperand {
 public:
  // Makes an operand of the value that the attribute has before the update.
  UpdateOperand(const Attr& attribute);

  // Takes a value.
  template <typename T>
    requires(std::convertible_to<T, AttributeValue> &&
             !std::derived_from<std::remove_cvref_t<T>, ConditionOperand>)
  UpdateOperand(T&& value) : UpdateOperand(OfValue(AttributeValue(std::forward<T>(value)))) {}

  friend UpdateOperand IfNotExists(const Attr& attribute, const UpdateOperand& otherwise);
  friend UpdateValue ListAppend(const UpdateOperand& first, const UpdateOperand& second);
  // Return the sum or the difference of two numbers, exact to 38 digits.
  friend UpdateValue operator+(const UpdateOperand& a, const UpdateOperand& b);
  friend UpdateValue operator-(const UpdateOperand& a, const UpdateOperand& b);

 private:
  friend class UpdateBuilder;

  explicit UpdateOperand(SyntaxTree<engine::UpdateSyntax> tree) : tree_(std::move(tree)) {}
  static UpdateOperand OfValue(const AttributeValue& value);

  SyntaxTree<engine::UpdateSyntax> tree_;
};

// if_not_exists: returns the value of the attribute, or `otherwise` if the item does not have it.
UpdateOperand IfNotExists(const Attr& attribute, const UpdateOperand& otherwise);

// list_append: returns a list of the elements of `first`, followed by the elements of `second`.
UpdateValue ListAppend(const UpdateOperand& first, const UpdateOperand& second);

// The result of one computation: a sum or difference of numbers, or a ListAppend. Set can assign
// it to an attribute. It cannot be an operand of a second computation, because DynamoDB allows only
// one computation per Set.
class UpdateValue {
 private:
  friend class UpdateBuilder;
  friend UpdateValue ListAppend(const UpdateOperand& first, const UpdateOperand& second);
  friend UpdateValue operator+(const UpdateOperand& a, const UpdateOperand& b);
  friend UpdateValue operator-(const UpdateOperand& a, const UpdateOperand& b);

  explicit UpdateValue(SyntaxTree<engine::UpdateSyntax> tree) : tree_(std::move(tree)) {}

  SyntaxTree<engine::UpdateSyntax> tree_;
};

// The argument types of Delete: sets, and AttributeValue. The request fails if the AttributeValue
// does not hold a set.
template <typename T>
concept SetValue = std::same_as<T, AttributeValue> || std::same_as<T, StringSet> ||
                   std::same_as<T, NumberSet> || std::same_as<T, BinarySet>;

// The argument types of Add: numbers and sets. The request fails if a double is not in the range of
// DynamoDB's numbers.
template <typename T>
concept NumberOrSetValue = SetValue<T> || std::convertible_to<T, Number> ||
                           std::same_as<T, double> || std::same_as<T, float>;

// An update: a list of actions. All actions see the item as it is before the update, so their
// order has no meaning. It converts to the expression of an UpdateItemInput.
//
// A value type; each method returns the update with one more action. On a temporary, as in a
// chain, or after std::move() the method extends the update in place. Otherwise it extends a copy
// and leaves the object unchanged, so several updates can begin with the same actions.
class UpdateBuilder {
 public:
  // For Dolmen's own use. A program creates an empty update with Update().
  explicit UpdateBuilder(SyntaxTree<engine::UpdateSyntax> tree) : tree_(std::move(tree)) {}

  // SET: sets the attribute, or the element of a map or list. An index at or past the end of a
  // list appends to the list. The map or list that holds the element must exist.
  UpdateBuilder Set(const Attr& attribute, const UpdateOperand& value) && {
    return std::move(*this).SetTree(attribute, value.tree_);
  }
  UpdateBuilder Set(const Attr& attribute, const UpdateOperand& value) const& {
    return UpdateBuilder(*this).SetTree(attribute, value.tree_);
  }
  UpdateBuilder Set(const Attr& attribute, const UpdateValue& value) && {
    return std::move(*this).SetTree(attribute, value.tree_);
  }
  UpdateBuilder Set(const Attr& attribute, const UpdateValue& value) const& {
    return UpdateBuilder(*this).SetTree(attribute, value.tree_);
  }

  // REMOVE: removes the attribute, or the element of a map or list. Does nothing if the attribute
  // or the element does not exist. The elements after a removed list element move forward.
  UpdateBuilder Remove(const Attr& attribute) &&;
  UpdateBuilder Remove(const Attr& attribute) const& {
    return UpdateBuilder(*this).Remove(attribute);
  }

  // ADD: adds to a number, or adds members to a set of the same type. A missing number counts as
  // 0, and a missing set is created.
  template <NumberOrSetValue T>
  UpdateBuilder Add(const Attr& attribute, const T& value) && {
    return std::move(*this).AddValue(attribute, AttributeValue(value));
  }
  template <NumberOrSetValue T>
  UpdateBuilder Add(const Attr& attribute, const T& value) const& {
    return UpdateBuilder(*this).AddValue(attribute, AttributeValue(value));
  }

  // DELETE: removes members from a set. Removes the attribute if no member is left.
  template <SetValue T>
  UpdateBuilder Delete(const Attr& attribute, const T& value) && {
    return std::move(*this).DeleteValue(attribute, AttributeValue(value));
  }
  template <SetValue T>
  UpdateBuilder Delete(const Attr& attribute, const T& value) const& {
    return UpdateBuilder(*this).DeleteValue(attribute, AttributeValue(value));
  }

  // Converts to the expression of a request. An update without actions becomes an empty
  // expression.
  operator UpdateExpression() const;

 private:
  UpdateBuilder SetTree(const Attr& attribute, const SyntaxTree<engine::UpdateSyntax>& value) &&;
  UpdateBuilder AddValue(const Attr& attribute, const AttributeValue& value) &&;
  UpdateBuilder DeleteValue(const Attr& attribute, const AttributeValue& value) &&;

  SyntaxTree<engine::UpdateSyntax> tree_;
};

// Returns an update without actions, to begin a chain with.
UpdateBuilder Update();

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
