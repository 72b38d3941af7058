// Updates written in C++:
//
//   .update = Update().Set("firstName", "Ann").Add("version", 1)
//   .update = Update()
//                 .Set("balance", Attr("balance") - 5)
//                 .Set("log", ListAppend(IfNotExists("log", List()), List{"paid 5"}))
//                 .Remove(Attr("cart")[0])
//                 .Delete("tags", StringSet{"new"})
//
// The first argument is the attribute; what follows is a value unless it is an Attr, so that
// Set("a", "b") gives "a" the text "b", and Set("a", Attr("b")) what "b" has.
//
// What is built is the tree that the same UpdateExpression would be parsed to, with the same
// meaning, and limits as in condition_builder.h.  What is wrong with it is said by the request that
// uses it.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.UpdateExpressions.html

#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "dolmen/attribute_value.h"
#include "dolmen/condition_builder.h"
#include "dolmen/expression.h"

namespace dolmen {

// What Set computes with: an attribute, a value, or IfNotExists.  A value.
class UpdateOperand {
 public:
  UpdateOperand(const Attr& attribute);
  template <typename T>
    requires(std::convertible_to<T, AttributeValue> &&
             !std::derived_from<std::remove_cvref_t<T>, ConditionOperand>)
  UpdateOperand(T&& value) : UpdateOperand(OfValue(AttributeValue(std::forward<T>(value)))) {}

  friend UpdateOperand IfNotExists(const Attr& attribute, const UpdateOperand& otherwise);
  friend UpdateValue ListAppend(const UpdateOperand& first, const UpdateOperand& second);
  friend UpdateValue operator+(const UpdateOperand& a, const UpdateOperand& b);
  friend UpdateValue operator-(const UpdateOperand& a, const UpdateOperand& b);

 private:
  friend class UpdateBuilder;

  explicit UpdateOperand(SyntaxTree<engine::UpdateSyntax> tree) : tree_(std::move(tree)) {}
  static UpdateOperand OfValue(const AttributeValue& value);

  SyntaxTree<engine::UpdateSyntax> tree_;
};

// The attribute, or `otherwise` if the item has none.
UpdateOperand IfNotExists(const Attr& attribute, const UpdateOperand& otherwise);

// The elements of the one list and then those of the other.
UpdateValue ListAppend(const UpdateOperand& first, const UpdateOperand& second);

// What an attribute can be set to, but nothing computed with: a sum or difference of numbers, or a
// ListAppend.  DynamoDB does one of them per Set.
class UpdateValue {
 private:
  friend class UpdateBuilder;
  friend UpdateValue ListAppend(const UpdateOperand& first, const UpdateOperand& second);
  friend UpdateValue operator+(const UpdateOperand& a, const UpdateOperand& b);
  friend UpdateValue operator-(const UpdateOperand& a, const UpdateOperand& b);

  explicit UpdateValue(SyntaxTree<engine::UpdateSyntax> tree) : tree_(std::move(tree)) {}

  SyntaxTree<engine::UpdateSyntax> tree_;
};

// What Delete takes; an AttributeValue is looked at when the update is used.
template <typename T>
concept SetValue = std::same_as<T, AttributeValue> || std::same_as<T, StringSet> ||
                   std::same_as<T, NumberSet> || std::same_as<T, BinarySet>;

// And what Add takes.
template <typename T>
concept NumberOrSetValue = SetValue<T> || std::convertible_to<T, Number>;

// An update.  Its actions all see the item as it was before.  A value; each method returns a longer
// one.  Called on a temporary, as in a chain, or with std::move(), it goes on with what there is;
// else with a copy, and leaves this one as it is.
class UpdateBuilder {
 public:
  explicit UpdateBuilder(SyntaxTree<engine::UpdateSyntax> tree) : tree_(std::move(tree)) {}

  // Gives the attribute a value.
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

  // Removes the attribute, or the element of a list.
  UpdateBuilder Remove(const Attr& attribute) &&;
  UpdateBuilder Remove(const Attr& attribute) const& {
    return UpdateBuilder(*this).Remove(attribute);
  }

  // Adds to a number (0 if there is none), or adds members to a set.
  template <NumberOrSetValue T>
  UpdateBuilder Add(const Attr& attribute, const T& value) && {
    return std::move(*this).AddValue(attribute, AttributeValue(value));
  }
  template <NumberOrSetValue T>
  UpdateBuilder Add(const Attr& attribute, const T& value) const& {
    return UpdateBuilder(*this).AddValue(attribute, AttributeValue(value));
  }

  // Removes members from a set, and the set with its last one.
  template <SetValue T>
  UpdateBuilder Delete(const Attr& attribute, const T& value) && {
    return std::move(*this).DeleteValue(attribute, AttributeValue(value));
  }
  template <SetValue T>
  UpdateBuilder Delete(const Attr& attribute, const T& value) const& {
    return UpdateBuilder(*this).DeleteValue(attribute, AttributeValue(value));
  }

  // Without actions it is as if the request had no UpdateExpression.
  operator UpdateExpression() const;

 private:
  UpdateBuilder SetTree(const Attr& attribute, const SyntaxTree<engine::UpdateSyntax>& value) &&;
  UpdateBuilder AddValue(const Attr& attribute, const AttributeValue& value) &&;
  UpdateBuilder DeleteValue(const Attr& attribute, const AttributeValue& value) &&;

  SyntaxTree<engine::UpdateSyntax> tree_;
};

// An update without actions, to begin with.
UpdateBuilder Update();

}  // namespace dolmen
