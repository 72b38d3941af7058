#include "tests/model/random_operation.h"

namespace dolmen::test {

Path OperationGenerator::SomePath(const Shape* barred) {
  for (;;) {
    Path path{.attribute = random().OneIn(12) ? table().partition_key.name
                                              : random().Pick(AttributeNames())};
    if (barred != nullptr && barred->IsKey(path.attribute)) continue;
    if (path.attribute == "m" && random().OneIn(2)) path.member = random().Pick(MemberNames());
    if (path.attribute == "l" && random().OneIn(2)) path.index = random().Below(4);
    return path;
  }
}

Condition OperationGenerator::SomeCondition(const Shape* barred, int depth) {
  if (depth == 0 || random().OneIn(2)) return Predicate(barred);
  Condition condition;
  switch (random().Below(3)) {
    case 0:
      condition.kind = Condition::Kind::kNot;
      break;
    case 1:
      condition.kind = Condition::Kind::kAnd;
      condition.children.push_back(SomeCondition(barred, depth - 1));
      break;
    default:
      condition.kind = Condition::Kind::kOr;
      condition.children.push_back(SomeCondition(barred, depth - 1));
  }
  condition.children.push_back(SomeCondition(barred, depth - 1));
  return condition;
}

Condition OperationGenerator::Predicate(const Shape* barred) {
  switch (random().Below(8)) {
    case 0: {  // bounds of one type, in order
      AttributeValue low = random().Between(-4, 6);
      AttributeValue high = random().Between(6, 12);
      if (random().OneIn(2)) {
        low = "a";
        high = random().OneIn(2) ? "ab" : "b";
      }
      return {Condition::Kind::kBetween,
              "",
              {OperandAt(SomePath(barred)), OperandOf(low), OperandOf(high)},
              {}};
    }
    case 1: {
      Condition in{Condition::Kind::kIn, "", {OperandAt(SomePath(barred))}, {}};
      for (std::size_t i = 1 + random().Below(3); i > 0; --i) {
        in.operands.push_back(OperandOf(Value()));
      }
      return in;
    }
    case 2:
    case 3:
    case 4:
      return Function(barred);
    default:
      return Comparison(barred);
  }
}

Condition OperationGenerator::Comparison(const Shape* barred) {
  static const std::vector<std::string> kOrdering = {"<", "<=", ">", ">="};
  const Path path = SomePath(barred);
  if (random().OneIn(5)) {
    return {Condition::Kind::kCompare,
            random().Pick(kOrdering),
            {{.path = path, .size = true}, OperandOf(random().Between(0, 4))},
            {}};
  }
  if (random().OneIn(4)) {  // DynamoDB refuses to compare an operand with itself
    for (;;) {
      const Path other = SomePath(barred);
      if (other == path) continue;
      const std::string name = random().OneIn(2) ? random().Pick(kOrdering) : "=";
      return {Condition::Kind::kCompare, name, {OperandAt(path), OperandAt(other)}, {}};
    }
  }
  if (random().OneIn(2)) {
    const std::string name = random().OneIn(2) ? "=" : "<>";
    return {Condition::Kind::kCompare,
            name,
            {OperandAt(path), OperandOf(ValueFor(path.attribute))},
            {}};
  }
  AttributeValue bound = random().Between(-4, 12);
  if (random().OneIn(2)) bound = SomeString();
  if (random().OneIn(5)) bound = SomeBinary();
  return {
      Condition::Kind::kCompare, random().Pick(kOrdering), {OperandAt(path), OperandOf(bound)}, {}};
}

Condition OperationGenerator::Function(const Shape* barred) {
  static const std::vector<std::string> kTypes = {"S",  "SS",   "N",    "NS", "B",
                                                  "BS", "BOOL", "NULL", "L",  "M"};
  const Operand path = OperandAt(SomePath(barred));
  constexpr auto kFunction = Condition::Kind::kFunction;
  switch (random().Below(5)) {
    case 0:
      return {kFunction, "attribute_exists", {path}, {}};
    case 1:
      return {kFunction, "attribute_not_exists", {path}, {}};
    case 2:
      return {kFunction, "attribute_type", {path, OperandOf(random().Pick(kTypes))}, {}};
    case 3: {
      AttributeValue prefix = SomeString();
      if (random().OneIn(3)) prefix = SomeBinary();
      return {kFunction, "begins_with", {path, OperandOf(prefix)}, {}};
    }
    default:
      return {kFunction, "contains", {path, OperandOf(Scalar())}, {}};
  }
}

}  // namespace dolmen::test
