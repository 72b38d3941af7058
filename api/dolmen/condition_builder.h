// Conditions and filters written in C++: the compiler knows their grammar, and no placeholders are
// needed.
//
//   .condition = AttributeNotExists("PK")
//   .condition = Attr("version") == 3 && AttributeExists("PK")
//   .filter    = !(Attr("address")["city"] == "Bonn") || Size("tags") > 2
//   .filter    = Attr("price").Between(10, 20) && Attr("name").BeginsWith("A")
//
// What is built is the tree that the same expression's text would be parsed to, with the same
// meaning and the same limits: 300 operators, 32 steps into an attribute, 100 operands of In.  Only
// reserved words are none here.  What breaks a limit is said by the request that uses the
// condition.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html

#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/expression.h"
#include "dolmen/lifetime.h"

namespace dolmen {

namespace engine {
struct OperandParts;
}  // namespace engine

class UpdateOperand;
class UpdateValue;

// A condition, or a part of one.  A value; combining leaves the parts as they were.
class ConditionBuilder {
 public:
  explicit ConditionBuilder(SyntaxTree<engine::ConditionSyntax> tree) : tree_(std::move(tree)) {}

  operator ConditionExpression() const { return ConditionExpression(tree_); }
  operator FilterExpression() const { return FilterExpression(tree_); }

  friend ConditionBuilder operator&&(const ConditionBuilder& a, const ConditionBuilder& b);
  friend ConditionBuilder operator||(const ConditionBuilder& a, const ConditionBuilder& b);
  friend ConditionBuilder operator!(const ConditionBuilder& condition);

 private:
  SyntaxTree<engine::ConditionSyntax> tree_;
};

// What conditions compare: an attribute (Attr), the size of one (Size), or a value.
class ConditionOperand {
 public:
  template <typename T>
    requires(std::convertible_to<T, AttributeValue> &&
             !std::derived_from<std::remove_cvref_t<T>, ConditionOperand>)
  ConditionOperand(T&& value) : source_(AttributeValue(std::forward<T>(value))) {}

  friend ConditionBuilder operator==(const ConditionOperand& a, const ConditionOperand& b);
  friend ConditionBuilder operator!=(const ConditionOperand& a, const ConditionOperand& b);
  friend ConditionBuilder operator<(const ConditionOperand& a, const ConditionOperand& b);
  friend ConditionBuilder operator<=(const ConditionOperand& a, const ConditionOperand& b);
  friend ConditionBuilder operator>(const ConditionOperand& a, const ConditionOperand& b);
  friend ConditionBuilder operator>=(const ConditionOperand& a, const ConditionOperand& b);

  ConditionBuilder Between(const ConditionOperand& lower, const ConditionOperand& upper) const;
  // In({1, 2, 3}).  Each is one operand: a List among them is compared as the list that it is.
  ConditionBuilder In(const std::vector<ConditionOperand>& operands) const;

  // What the engine composes predicates of; lives as long as the operand.
  engine::OperandParts parts() const DOLMEN_LIFETIME_BOUND;

 protected:
  using Path = std::vector<PathPart>;

  explicit ConditionOperand(Path path, bool is_size = false)
      : source_(std::move(path)), is_size_(is_size) {}

  const Path& path() const { return *std::get_if<Path>(&source_); }  // REQUIRES: it is no value

 private:
  std::variant<Path, AttributeValue> source_;
  bool is_size_ = false;
};

// An attribute, or with [] what it holds: Attr("address")["city"], Attr("orders")[0]["total"].  A
// name is taken as it stands, dots and reserved words included.
class Attr : public ConditionOperand {
 public:
  Attr(std::string name) : ConditionOperand(Path{std::move(name)}) {}
  Attr(std::string_view name) : Attr(std::string(name)) {}
  Attr(const char* name) : Attr(std::string(name)) {}
  Attr(std::nullptr_t) = delete;

  Attr operator[](std::string_view key) const { return Into(std::string(key)); }
  Attr operator[](std::nullptr_t) const = delete;
  template <std::integral I>
    requires(!std::same_as<I, bool> && !std::same_as<I, char>)
  Attr operator[](I index) const {
    return Into(static_cast<std::int64_t>(index));
  }

  ConditionBuilder BeginsWith(const ConditionOperand& prefix) const;
  ConditionBuilder Contains(const ConditionOperand& part) const;
  ConditionBuilder IsType(AttributeType type) const;  // attribute_type

  // Sums and differences, for updates (update_builder.h).
  friend UpdateValue operator+(const UpdateOperand& a, const UpdateOperand& b);
  friend UpdateValue operator-(const UpdateOperand& a, const UpdateOperand& b);

  using ConditionOperand::path;

 private:
  explicit Attr(Path path) : ConditionOperand(std::move(path)) {}
  Attr Into(PathPart part) const {
    Path longer = path();
    longer.push_back(std::move(part));
    return Attr(std::move(longer));
  }
};

ConditionBuilder AttributeExists(const Attr& attribute);
ConditionBuilder AttributeNotExists(const Attr& attribute);

// The size of an attribute, as a number to compare: Size("tags") > 2.
class Size : public ConditionOperand {
 public:
  explicit Size(const Attr& attribute) : ConditionOperand(attribute.path(), true) {}
};

}  // namespace dolmen
