#include "tests/model/random_operation.h"

#include <algorithm>
#include <set>
#include <utility>

namespace dolmen::test {
namespace {

using namespace std::string_literals;

using Operator = SortKeyCondition::Operator;

// Each list is in order of bytes.
const std::vector<std::string> kPartitionKeys = {
    "a"s, "a\0"s, "a\0\x01"s, "a\0\xC3\xBF"s, "a\x01"s, "aa"s, "b"s, "b\x7F"s, "c"s};
const std::vector<std::string> kSortKeys = {"\0"s, "\0\x01"s, "1"s, "10"s, "2"s,
                                            "a"s,  "ab"s,     "b"s, "z"s,  "\xC3\xA9"s};
const std::vector<std::string> kIndexPartitionKeys = {"g"s, "g\0"s, "gg"s, "h"s};
const std::vector<std::string> kStrings = {""s, "a"s, "ab"s, "abc"s, "b"s, "g"s, "h"s};
const std::vector<std::string> kBytes = {""s, "\0"s, "\0\xFF"s, "\xFF"s, "\xFF\xFF"s};
// What items hold beside their keys; names of which one is a reserved word and two need a
// placeholder for their characters.
const std::vector<std::string> kAttributes = {"GSI1PK", "GSI1SK",  "GSI2PK",  "n",  "s",
                                              "l",      "m",       "ss",      "ns", "bs",
                                              "status", "dot.dot", "\xC3\xBC"};
const std::vector<std::string> kMembers = {"status", "x", "y"};

Operand At(Path path) { return {.path = std::move(path)}; }
Operand Of(AttributeValue value) { return {.value = std::move(value)}; }

}  // namespace

std::vector<AttributeValue> OperationGenerator::Partitions(std::string_view index) {
  if (index == "GSI2") {
    std::vector<AttributeValue> numbers;
    for (int i = -4; i <= 12; ++i) numbers.emplace_back(i);
    return numbers;
  }
  if (index.empty()) return {kPartitionKeys.begin(), kPartitionKeys.end()};
  std::set<std::string> keys(kIndexPartitionKeys.begin(), kIndexPartitionKeys.end());
  // What updates may copy there.
  keys.insert(kStrings.begin() + 1, kStrings.end());
  keys.insert(kPartitionKeys.begin(), kPartitionKeys.end());
  keys.insert(kSortKeys.begin(), kSortKeys.end());
  return {keys.begin(), keys.end()};
}

Item OperationGenerator::Key() {
  return {{"PK", random_.Pick(kPartitionKeys)}, {"SK", random_.Pick(kSortKeys)}};
}

AttributeValue OperationGenerator::Scalar() {
  switch (random_.Below(5)) {
    case 0:
      return random_.Pick(kStrings);
    case 1:
      return Binary{random_.Pick(kBytes)};
    case 2:
      return random_.OneIn(2) ? AttributeValue(nullptr) : AttributeValue(random_.OneIn(2));
    default:
      return random_.Between(-4, 12);
  }
}

List OperationGenerator::SomeList() {
  List list;
  for (std::size_t i = random_.Below(4); i > 0; --i) list.push_back(Scalar());
  return list;
}

Map OperationGenerator::SomeMap() {
  Map map;
  for (const std::string& member : kMembers) {
    if (random_.OneIn(2)) map.emplace(member, Scalar());
  }
  return map;
}

StringSet OperationGenerator::SomeStrings() {
  StringSet set{random_.Pick(kStrings)};
  while (random_.OneIn(2)) set.insert(random_.Pick(kStrings));
  return set;
}

NumberSet OperationGenerator::SomeNumbers() {
  NumberSet set{Number(random_.Between(1, 4))};
  while (random_.OneIn(2)) set.insert(Number(random_.Between(1, 4)));
  return set;
}

AttributeValue OperationGenerator::Value() {
  switch (random_.Below(9)) {
    case 0:
      return SomeList();
    case 1:
      return SomeMap();
    case 2:
      return SomeStrings();
    case 3:
      return SomeNumbers();
    case 4:
      return BinarySet{Binary{random_.Pick(kBytes)}, Binary{random_.Pick(kBytes)}};
    default:
      return Scalar();
  }
}

AttributeValue OperationGenerator::ValueFor(const std::string& attribute) {
  if (attribute == "GSI1PK") return random_.Pick(kIndexPartitionKeys);
  if (attribute == "GSI1SK") return random_.Pick(kSortKeys);
  if (attribute == "GSI2PK") return random_.Between(1, 3);
  if (attribute == "n") return random_.Between(-4, 12);
  if (random_.OneIn(6)) return Value();
  if (attribute == "s") return random_.Pick(kStrings);
  if (attribute == "l") return SomeList();
  if (attribute == "m") return SomeMap();
  if (attribute == "ss") return SomeStrings();
  if (attribute == "ns") return SomeNumbers();
  if (attribute == "bs") return BinarySet{Binary{random_.Pick(kBytes)}};
  return Value();
}

Item OperationGenerator::NewItem() {
  Item item = Key();
  for (const std::string& attribute : kAttributes) {
    if (random_.OneIn(2)) item.emplace(attribute, ValueFor(attribute));
  }
  if (random_.OneIn(30)) {  // which an index refuses, unless it is right by chance
    item.insert_or_assign(random_.Pick(kAttributes), Scalar());
  }
  return item;
}

Path OperationGenerator::SomePath(const char* index) {
  for (;;) {
    Path path{.attribute = random_.OneIn(12) ? "PK" : random_.Pick(kAttributes)};
    if (index != nullptr) {
      const KeyNames& keys = KeyNamesOf(index);
      if (path.attribute == keys.partition || path.attribute == keys.sort) continue;
    }
    if (path.attribute == "m" && random_.OneIn(2)) path.member = random_.Pick(kMembers);
    if (path.attribute == "l" && random_.OneIn(2)) path.index = random_.Below(4);
    return path;
  }
}

Condition OperationGenerator::SomeCondition(const char* index, int depth) {
  if (depth == 0 || random_.OneIn(2)) return Predicate(index);
  Condition condition;
  switch (random_.Below(3)) {
    case 0:
      condition.kind = Condition::Kind::kNot;
      break;
    case 1:
      condition.kind = Condition::Kind::kAnd;
      condition.children.push_back(SomeCondition(index, depth - 1));
      break;
    default:
      condition.kind = Condition::Kind::kOr;
      condition.children.push_back(SomeCondition(index, depth - 1));
  }
  condition.children.push_back(SomeCondition(index, depth - 1));
  return condition;
}

Condition OperationGenerator::Predicate(const char* index) {
  switch (random_.Below(8)) {
    case 0: {  // between two values of one type, in order
      AttributeValue low = random_.Between(-4, 6);
      AttributeValue high = random_.Between(6, 12);
      if (random_.OneIn(2)) {
        low = "a";
        high = random_.OneIn(2) ? "ab" : "b";
      }
      return {Condition::Kind::kBetween, "", {At(SomePath(index)), Of(low), Of(high)}, {}};
    }
    case 1: {
      Condition in{Condition::Kind::kIn, "", {At(SomePath(index))}, {}};
      for (std::size_t i = 1 + random_.Below(3); i > 0; --i) in.operands.push_back(Of(Value()));
      return in;
    }
    case 2:
    case 3:
    case 4:
      return Function(index);
    default:
      return Comparison(index);
  }
}

Condition OperationGenerator::Comparison(const char* index) {
  static const std::vector<std::string> kOrdering = {"<", "<=", ">", ">="};
  const Path path = SomePath(index);
  if (random_.OneIn(5)) {
    return {Condition::Kind::kCompare,
            random_.Pick(kOrdering),
            {{.path = path, .size = true}, Of(random_.Between(0, 4))},
            {}};
  }
  if (random_.OneIn(4)) {  // an operand must not be compared with itself
    for (;;) {
      const Path other = SomePath(index);
      if (other == path) continue;
      const std::string name = random_.OneIn(2) ? random_.Pick(kOrdering) : "=";
      return {Condition::Kind::kCompare, name, {At(path), At(other)}, {}};
    }
  }
  if (random_.OneIn(2)) {
    const std::string name = random_.OneIn(2) ? "=" : "<>";
    return {Condition::Kind::kCompare, name, {At(path), Of(ValueFor(path.attribute))}, {}};
  }
  AttributeValue bound = random_.Between(-4, 12);
  if (random_.OneIn(2)) bound = random_.Pick(kStrings);
  if (random_.OneIn(5)) bound = Binary{random_.Pick(kBytes)};
  return {Condition::Kind::kCompare, random_.Pick(kOrdering), {At(path), Of(bound)}, {}};
}

Condition OperationGenerator::Function(const char* index) {
  static const std::vector<std::string> kTypes = {"S",  "SS",   "N",    "NS", "B",
                                                  "BS", "BOOL", "NULL", "L",  "M"};
  const Operand path = At(SomePath(index));
  constexpr auto kFunction = Condition::Kind::kFunction;
  switch (random_.Below(5)) {
    case 0:
      return {kFunction, "attribute_exists", {path}, {}};
    case 1:
      return {kFunction, "attribute_not_exists", {path}, {}};
    case 2:
      return {kFunction, "attribute_type", {path, Of(random_.Pick(kTypes))}, {}};
    case 3: {
      AttributeValue prefix = random_.Pick(kStrings);
      if (random_.OneIn(3)) prefix = Binary{random_.Pick(kBytes)};
      return {kFunction, "begins_with", {path, Of(prefix)}, {}};
    }
    default:
      return {kFunction, "contains", {path, Of(Scalar())}, {}};
  }
}

std::vector<Path> OperationGenerator::Projection() {
  std::vector<Path> paths;
  std::vector<std::string> attributes = kAttributes;
  attributes.insert(attributes.end(), {"PK", "SK"});
  random_.Shuffle(&attributes);
  attributes.resize(1 + random_.Below(4));
  for (const std::string& attribute : attributes) {
    if (attribute == "m" && random_.OneIn(2)) {
      for (const std::string& member : kMembers) {
        if (random_.OneIn(2)) paths.push_back({.attribute = attribute, .member = member});
      }
    } else if (attribute == "l" && random_.OneIn(2)) {
      for (const std::size_t i : {2u, 0u, 1u}) {
        if (random_.OneIn(2)) paths.push_back({.attribute = attribute, .index = i});
      }
    } else {
      paths.push_back({.attribute = attribute});
    }
  }
  return paths;
}

GetOperation OperationGenerator::Get() {
  return {Key(), random_.OneIn(2) ? Projection() : std::vector<Path>()};
}

QueryOperation OperationGenerator::Query() {
  QueryOperation query;
  query.index = random_.OneIn(2) ? "" : random_.OneIn(2) ? "GSI1" : "GSI2";
  query.partition = query.index.empty() ? AttributeValue(random_.Pick(kPartitionKeys))
                                        : ValueFor(KeyNamesOf(query.index).partition);
  const auto sort = [&]() -> AttributeValue {
    if (query.index == "GSI2") return random_.Between(-4, 12);
    return random_.Pick(kSortKeys);
  };
  if (random_.OneIn(2)) {
    query.sort = SortKeyCondition{static_cast<Operator>(random_.Below(7)), sort(), {}};
    if (query.sort->op == Operator::kBeginsWith && query.index == "GSI2") {
      query.sort->op = Operator::kGreater;  // numbers don't begin with anything
    }
    if (query.sort->op == Operator::kBetween) {
      query.sort->upper = sort();
      const bool swapped =
          query.index == "GSI2"
              ? *query.sort->upper.get_if<Number>() < *query.sort->value.get_if<Number>()
              : *query.sort->upper.get_if<std::string>() < *query.sort->value.get_if<std::string>();
      if (swapped) std::swap(query.sort->value, query.sort->upper);
    }
  }
  query.as_expression = random_.OneIn(2);
  if (random_.OneIn(2)) query.filter = SomeCondition(query.index.c_str(), 2);
  query.forward = random_.OneIn(2);
  if (!random_.OneIn(3)) query.limit = static_cast<std::uint32_t>(1 + random_.Below(6));
  if (random_.OneIn(6)) {
    query.select = Select::kCount;
  } else if (random_.OneIn(4)) {
    query.projection = Projection();
  }
  return query;
}

}  // namespace dolmen::test
