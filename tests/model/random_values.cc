#include "tests/model/random_values.h"

#include <utility>

namespace dolmen::test {
namespace {

using namespace std::string_literals;

const std::vector<std::string> kPartitionKeys = {
    "a"s, "a\0"s, "a\0\x01"s, "a\0\xC3\xBF"s, "a\x01"s, "aa"s, "b"s, "b\x7F"s, "c"s};
const std::vector<std::string> kSortKeys = {"\0"s, "\0\x01"s, "1"s, "10"s, "2"s,
                                            "a"s,  "ab"s,     "b"s, "z"s,  "\xC3\xA9"s};
const std::vector<std::string> kIndexPartitionKeys = {"g"s, "g\0"s, "gg"s, "h"s};
const std::vector<std::string> kStrings = {""s, "a"s, "ab"s, "abc"s, "b"s, "g"s, "h"s};
const std::vector<std::string> kBytes = {""s, "\0"s, "\0\xFF"s, "\xFF"s, "\xFF\xFF"s};
const std::vector<std::string> kBinaryKeys = {"\0"s,   "\0\0"s, "\0\x01"s, "\0\xFF"s,  "\x01"s,
                                              "\x7F"s, "\xFF"s, "\xFF\0"s, "\xFF\xFF"s};
// Strings at and just above the limits of a sort key (1024 bytes) and a partition key (2048 bytes).
const std::vector<std::string> kLongStrings = {std::string(1024, 'w'), std::string(1025, 'x'),
                                               std::string(2048, 'y'), std::string(2049, 'z')};

}  // namespace

const std::vector<std::string>& AttributeNames() {
  static const std::vector<std::string> kNames = {"GSI1PK", "GSI1SK",  "GSI2PK",   "n",  "s",
                                                  "l",      "m",       "ss",       "ns", "bs",
                                                  "status", "dot.dot", "\xC3\xBC", "b"};
  return kNames;
}

const std::vector<std::string>& MemberNames() {
  static const std::vector<std::string> kNames = {"status", "x", "y"};
  return kNames;
}

const std::vector<KeyAttribute>& IndexableAttributes() {
  static const std::vector<KeyAttribute> kAttributes = {
      {.name = "GSI1PK"},
      {.name = "GSI1SK"},
      {.name = "GSI2PK", .type = AttributeType::kN},
      {.name = "n", .type = AttributeType::kN},
      {.name = "s"},
      {.name = "status"},
      {.name = "dot.dot", .type = AttributeType::kB},
      {.name = "\xC3\xBC", .type = AttributeType::kN},
      {.name = "b", .type = AttributeType::kB}};
  return kAttributes;
}

void RandomValues::Use(const CreateTableInput* table) {
  table_ = table;
  keys_.clear();
  for (const std::string& index : IndexNames(*table)) {
    for (const KeyAttribute& key : ShapeOf(*table, index).order) keys_.emplace(key.name, key);
  }
}

Item RandomValues::Key() {
  Item key;
  for (const KeyAttribute& part : KeyOf(*table_)) key.emplace(part.name, KeyValue(part));
  return key;
}

Item RandomValues::CrowdKey(std::size_t number) const {
  Item key;
  const std::string text = "crowd#" + std::to_string(number);
  for (const KeyAttribute& part : KeyOf(*table_)) {
    AttributeValue value = text;
    if (part.type == AttributeType::kN) value = number + 1000;
    if (part.type == AttributeType::kB) value = Binary{text};
    // Gives a quarter of the items one common partition key. Each other item gets a partition key
    // of its own.
    if (part == table_->partition_key && table_->sort_key && number % 4 == 0) {
      value = part.type == AttributeType::kN   ? AttributeValue(1000)
              : part.type == AttributeType::kB ? AttributeValue(Binary{"crowd"})
                                               : AttributeValue("crowd");
    }
    key.emplace(part.name, std::move(value));
  }
  return key;
}

AttributeValue RandomValues::KeyValue(const KeyAttribute& key) {
  if (key.name == "GSI2PK") return random_.Between(1, 3);
  if (key.type == AttributeType::kN) return random_.Between(-4, 12);
  if (key.type == AttributeType::kB) return Binary{random_.Pick(kBinaryKeys)};
  if (key == table_->partition_key) return random_.Pick(kPartitionKeys);
  if (key == table_->sort_key || key.name == "GSI1SK") return random_.Pick(kSortKeys);
  return random_.Pick(kIndexPartitionKeys);
}

std::string RandomValues::SomeString() { return random_.Pick(kStrings); }

Binary RandomValues::SomeBinary() { return {random_.Pick(kBytes)}; }

AttributeValue RandomValues::Scalar() {
  switch (random_.Below(5)) {
    case 0:
      return SomeString();
    case 1:
      return SomeBinary();
    case 2:
      return random_.OneIn(2) ? AttributeValue(nullptr) : AttributeValue(random_.OneIn(2));
    default:
      return random_.Between(-4, 12);
  }
}

List RandomValues::SomeList() {
  List list;
  for (std::size_t i = random_.Below(4); i > 0; --i) list.push_back(Scalar());
  return list;
}

Map RandomValues::SomeMap() {
  Map map;
  for (const std::string& member : MemberNames()) {
    if (random_.OneIn(2)) map.emplace(member, Scalar());
  }
  return map;
}

StringSet RandomValues::SomeStrings() {
  StringSet set{SomeString()};
  while (random_.OneIn(2)) set.insert(SomeString());
  return set;
}

NumberSet RandomValues::SomeNumbers() {
  NumberSet set{Number(random_.Between(1, 4))};
  while (random_.OneIn(2)) set.insert(Number(random_.Between(1, 4)));
  return set;
}

AttributeValue RandomValues::Value() {
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
      return BinarySet{SomeBinary(), SomeBinary()};
    default:
      return Scalar();
  }
}

AttributeValue RandomValues::ValueFor(const std::string& attribute) {
  if (const auto key = keys_.find(attribute); key != keys_.end()) return KeyValue(key->second);
  if (attribute == "n") return random_.Between(-4, 12);
  if (random_.OneIn(6)) return Value();
  if (attribute == "s") return SomeString();
  if (attribute == "l") return SomeList();
  if (attribute == "m") return SomeMap();
  if (attribute == "ss") return SomeStrings();
  if (attribute == "ns") return SomeNumbers();
  if (attribute == "bs") return BinarySet{SomeBinary()};
  // An index whose key contains this attribute may be created later. The attribute gets a value of
  // the right type for such a key in at least half of the cases.
  for (const KeyAttribute& key : IndexableAttributes()) {
    if (key.name == attribute && random_.OneIn(2)) return KeyValue(key);
  }
  return Value();
}

Item RandomValues::NewItem() {
  Item item = Key();
  for (const std::string& attribute : AttributeNames()) {
    const bool more_often = keys_.contains(attribute) && random_.OneIn(2);
    if (more_often || random_.OneIn(2)) item.emplace(attribute, ValueFor(attribute));
  }
  // Sometimes an attribute gets a value of a random type. If the attribute is a key of an index,
  // Dolmen must reject a value of a wrong type.
  if (random_.OneIn(30)) item.insert_or_assign(random_.Pick(AttributeNames()), Scalar());
  if (random_.OneIn(60)) {
    item.insert_or_assign(random_.Pick(AttributeNames()), random_.Pick(kLongStrings));
  }
  return item;
}

}  // namespace dolmen::test
