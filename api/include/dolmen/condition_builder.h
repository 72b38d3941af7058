// Conditions and filters written in C++. The compiler checks their grammar, and values need no
// placeholders.
//
//   .condition = AttributeNotExists("PK")
//   .condition = Attr("version") == 3 && AttributeExists("PK")
//   .filter    = !(Attr("address")["city"] == "Bonn") || Size("tags") > 2
//   .filter    = Attr("price").Between(10, 20) && Attr("name").BeginsWith("A")
//
// A built condition has the meaning of an expression text with the same operators. The limits of a
// text apply: 300 operators and functions, 32 steps in a path, 100 operands of In. Builders have no
// reserved words: every attribute name is allowed. If a condition breaks a limit, the request that
// uses the condition fails with kValidation.
//
// A comparison with an attribute that the item does not have is false, except for !=, which is
// true. Values of different types are not equal, and none of <, <=, > and >= holds between them.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html

#pragma once

#include "dolmen/internal/hide_macros.h"

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
#include "dolmen/internal/lifetime.h"

namespace dolmen {

namespace engine {
struct OperandParts;
}  // namespace engine

class UpdateOperand;
class UpdateValue;

// A condition, or a part of one. It converts to the expression of a request. A value type; the
// operators copy the conditions that they combine, except for a temporary first one. Const methods
// are thread-safe.
class ConditionBuilder {
 public:
  // For Dolmen's own use. A program makes conditions with the operators and functions below.
  explicit ConditionBuilder(SyntaxTree<engine::ConditionSyntax> tree) : tree_(std::move(tree)) {}
  const SyntaxTree<engine::ConditionSyntax>& tree() const DOLMEN_LIFETIME_BOUND { return tree_; }

  operator ConditionExpression() const { return ConditionExpression(tree_); }
  operator FilterExpression() const { return FilterExpression(tree_); }

  // Combine conditions: AND, OR and NOT. Unlike the built-in && and ||, these operators always
  // evaluate both operands.
  friend ConditionBuilder operator&&(ConditionBuilder a, const ConditionBuilder& b);
  friend ConditionBuilder operator||(ConditionBuilder a, const ConditionBuilder& b);
  friend ConditionBuilder operator!(ConditionBuilder condition);

 private:
  SyntaxTree<engine::ConditionSyntax> tree_;
};

// An operand of a comparison: an attribute (Attr), the size of an attribute (Size), or a value that
// converts to AttributeValue. The operators below need an Attr or a Size as at least one operand.
class ConditionOperand {
 public:
  // Takes a value.
  template <typename T>
    requires(std::convertible_to<T, AttributeValue> &&
             !std::derived_from<std::remove_cvref_t<T>, ConditionOperand>)
  ConditionOperand(T&& value) : source_(AttributeValue(std::forward<T>(value))) {}

  // Compare two operands. Every type can be compared with == and !=. The other operators compare S,
  // N and B: texts and bytes by their bytes, numbers by value. With a value of any other type, the
  // request fails with kValidation.
  friend ConditionBuilder operator==(const ConditionOperand& a, const ConditionOperand& b);
  friend ConditionBuilder operator!=(const ConditionOperand& a, const ConditionOperand& b);
  friend ConditionBuilder operator<(const ConditionOperand& a, const ConditionOperand& b);
  friend ConditionBuilder operator<=(const ConditionOperand& a, const ConditionOperand& b);
  friend ConditionBuilder operator>(const ConditionOperand& a, const ConditionOperand& b);
  friend ConditionBuilder operator>=(const ConditionOperand& a, const ConditionOperand& b);

  // Holds if this operand lies between the bounds, both included.
  ConditionBuilder Between(const ConditionOperand& lower, const ConditionOperand& upper) const;
  // Holds if this operand equals one of 1 to 100 given operands: Attr("colour").In({"red",
  // "blue"}). A List among the given operands counts as one operand.
  ConditionBuilder In(const std::vector<ConditionOperand>& operands) const;

  // Returns the parts of this operand, for the engine. The parts borrow from this operand.
  engine::OperandParts parts() const DOLMEN_LIFETIME_BOUND;

 protected:
  using Path = std::vector<PathPart>;

  explicit ConditionOperand(Path path, bool is_size = false)
      : source_(std::move(path)), is_size_(is_size) {}

  const Path& path() const { return *std::get_if<Path>(&source_); }  // REQUIRES: not a value

 private:
  std::variant<Path, AttributeValue> source_;
  bool is_size_ = false;
};

// An attribute of the item, or with [] an element of it: Attr("address")["city"],
// Attr("orders")[0]["total"]. A name is used as it is: a dot in it is part of the name, and
// reserved words are allowed. List indexes start at 0. A value type.
class Attr : public ConditionOperand {
 public:
  Attr(std::string name) : ConditionOperand(PathOf(std::move(name))) {}
  Attr(std::string_view name) : Attr(std::string(name)) {}
  Attr(const char* name) : Attr(std::string(name == nullptr ? "" : name)) {}
  Attr(std::nullptr_t) = delete;

  // Return the path to an element of a map, or of a list.
  Attr operator[](std::string_view key) const { return Into(std::string(key)); }
  Attr operator[](std::nullptr_t) const = delete;
  template <Integer I>
  Attr operator[](I index) const {
    return Into(static_cast<std::int64_t>(index));
  }

  // begins_with: holds if the attribute, of type S or B, begins with a value of the same type.
  ConditionBuilder BeginsWith(const ConditionOperand& prefix) const;

  // contains: holds if `part` is a substring of a text, a contiguous part of bytes, or a member of
  // a set or list.
  ConditionBuilder Contains(const ConditionOperand& part) const;

  // attribute_type: holds if the attribute exists and has this type.
  ConditionBuilder IsType(AttributeType type) const;

  // Return the sum or the difference of two numbers, for an update (update_builder.h).
  friend UpdateValue operator+(const UpdateOperand& a, const UpdateOperand& b);
  friend UpdateValue operator-(const UpdateOperand& a, const UpdateOperand& b);

  using ConditionOperand::path;

 private:
  explicit Attr(Path path) : ConditionOperand(std::move(path)) {}
  static Path PathOf(std::string name) {
    Path path;
    path.emplace_back(std::move(name));  // a list of parts would copy the name
    return path;
  }
  Attr Into(PathPart part) const {
    Path longer = path();
    longer.push_back(std::move(part));
    return Attr(std::move(longer));
  }
};

// attribute_exists holds if the item has the attribute, attribute_not_exists if it does not have
// it. An attribute of type NULL exists. An item that does not exist has no attributes, so with
// AttributeNotExists("PK") a put succeeds only if it creates the item.
ConditionBuilder AttributeExists(const Attr& attribute);
ConditionBuilder AttributeNotExists(const Attr& attribute);

// The size of an attribute as a number to compare: Size("tags") > 2. For S the length in UTF-16
// units, for B the bytes, for sets, lists and maps the number of elements. N, BOOL and NULL have
// no size, so every comparison with their size is false, except for !=.
class Size : public ConditionOperand {
 public:
  // Makes the size of an attribute, which is given as an Attr or by its name.
  explicit Size(const Attr& attribute) : ConditionOperand(attribute.path(), true) {}
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
