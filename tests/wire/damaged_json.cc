#include "tests/wire/damaged_json.h"

#include <simdjson.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace dolmen {
namespace {

using test::Random;

// A JSON value that a test damages. Its printed text may be invalid JSON.
struct Node {
  std::string text = {};  // the text of a scalar; "{" for an object, "[" for an array
  std::vector<std::pair<std::string, Node>> members = {};  // an array's members have empty names

  bool is_object() const { return text == "{"; }
  bool is_array() const { return text == "["; }
};

void Print(const Node& node, std::string* out) {
  *out += node.text;
  if (!node.is_object() && !node.is_array()) return;
  for (const auto& [name, member] : node.members) {
    if (&member != &node.members.front().second) *out += ",";
    if (node.is_object()) *out += "\"" + name + "\":";
    Print(member, out);
  }
  *out += node.is_object() ? "}" : "]";
}

Node Parsed(simdjson::dom::element json) {
  Node node;
  if (json.is_object()) {
    node.text = "{";
    for (const auto [name, value] : simdjson::dom::object(json)) {
      node.members.emplace_back(name, Parsed(value));
    }
  } else if (json.is_array()) {
    node.text = "[";
    for (const simdjson::dom::element element : simdjson::dom::array(json)) {
      node.members.emplace_back("", Parsed(element));
    }
  } else {
    node.text = simdjson::minify(json);
  }
  return node;
}

Node Parsed(std::string_view json) {
  simdjson::dom::parser parser;
  return Parsed(parser.parse(json).value());
}

// A generator of random damage. It changes the structure of a request first and then the bytes.
class Spoiler {
 public:
  explicit Spoiler(Random* random) : random_(*random) {}

  void SpoilSome(Node* request) {
    for (std::size_t i = random_.Below(4); i > 0; --i) Spoil(SomeNode(request));
  }

  void SpoilBytes(std::string* text) {
    if (!random_.OneIn(8) || text->empty()) return;
    const std::size_t at = random_.Below(text->size());
    switch (random_.Below(3)) {
      case 0:
        text->resize(at);
        break;
      case 1:
        (*text)[at] = static_cast<char>(random_.Next());
        break;
      default:
        text->insert(at, 1, random_.Pick(std::vector<char>{'"', '{', '}', ',', '\0', '\xFF'}));
    }
  }

 private:
  Node* SomeNode(Node* node) {
    while (!node->members.empty() && !random_.OneIn(4)) {
      node = &node->members[random_.Below(node->members.size())].second;
    }
    return node;
  }

  void Spoil(Node* node) {
    if (node->members.empty() || random_.OneIn(3)) {
      *node = Anything(3);
      return;
    }
    const std::size_t at = random_.Below(node->members.size());
    auto& [name, member] = node->members[at];
    switch (random_.Below(5)) {
      case 0:
        node->members.erase(node->members.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 1:  // repeats an object's member, or makes a list longer
        node->members.insert(node->members.end(), 1 + random_.Below(3) * random_.Below(60),
                             std::pair(name, member));
        break;
      case 2:
        name = random_.Pick(Names());
        break;
      case 3:
        member = node->members[random_.Below(node->members.size())].second;
        break;
      default:
        member = Anything(3);
    }
  }

  Node Anything(int depth) {
    switch (random_.Below(depth > 0 ? 8 : 4)) {
      case 0:
        return {"null"};
      case 1:
        return {random_.Pick(Numbers())};
      case 2:
      case 3:
        return {Quoted()};
      case 4:
        return Container("[", depth);
      case 5:
        return Container("{", depth);
      case 6:
        return Nested();
      default:
        return AnAttributeValue(depth);
    }
  }

  Node Container(std::string bracket, int depth) {
    Node node{std::move(bracket)};
    for (std::size_t i = random_.Below(4); i > 0; --i) {
      node.members.emplace_back(random_.Pick(Names()), Anything(depth - 1));
    }
    return node;
  }

  Node AnAttributeValue(int depth) {
    static const std::vector<std::string> kTags = {"S",    "N",    "B",  "M",  "L",
                                                   "BOOL", "NULL", "SS", "NS", "BS"};
    Node node{"{"};
    node.members.emplace_back(random_.Pick(kTags), Anything(depth - 1));
    if (random_.OneIn(5)) node.members.emplace_back(random_.Pick(kTags), Anything(depth - 1));
    return node;
  }

  // Returns a nested value, often deeper than DynamoDB's 32 levels. One value in ten has 3000
  // levels, which would overflow the stack of a recursive parser.
  Node Nested() {
    Node node{R"({"S":"deep"})"};
    const std::size_t levels = random_.OneIn(10) ? 3000 : random_.Below(80);
    static const std::vector<std::pair<std::string, std::string>> kWays = {
        {R"({"L":[)", "]}"}, {R"({"M":{"k":)", "}}"}, {"[", "]"}, {R"({"k":)", "}"}};
    const auto& [before, after] = random_.Pick(kWays);
    std::string text;
    for (std::size_t i = 0; i < levels; ++i) text += before;
    text += node.text;
    for (std::size_t i = 0; i < levels; ++i) text += after;
    return {text};
  }

  std::string Quoted() {
    if (random_.OneIn(20)) return '"' + std::string(random_.Below(70'000), 'x') + '"';
    return '"' + random_.Pick(Texts()) + '"';
  }

  static const std::vector<std::string>& Numbers() {
    static const std::vector<std::string> numbers = {
        "0",
        "-1",
        "1.5",
        "1e400",
        "-0.0",
        "9223372036854775808",
        "18446744073709551616",
        "true",
        "123456789012345678901234567890123456789012345678901234567890",
        "1e-400",
        "false",
        "NaN"};
    return numbers;
  }

  // Returns texts to put between quotes without escaping. Some of them are invalid in a string.
  static const std::vector<std::string>& Texts() {
    static const std::vector<std::string> texts = {"",
                                                   "app",
                                                   "two",
                                                   "p",
                                                   "1",
                                                   "-1e125",
                                                   "1e999",
                                                   "0x10",
                                                   "AQ==",
                                                   "AQ=",
                                                   "A",
                                                   "%%%%",
                                                   "éab",
                                                   "a€",
                                                   "😀",
                                                   "\xFF",
                                                   "\xC3",
                                                   "\xED\xA0\x80",
                                                   R"(\ud800)",
                                                   R"(\u0000)",
                                                   R"(\ud83d\ude00)",
                                                   "\n",
                                                   "é",
                                                   "true",
                                                   "yes",
                                                   "ALL_OLD",
                                                   "NULL",
                                                   "SET n = n + n",
                                                   "a = :a",
                                                   "((((",
                                                   "size(n)",
                                                   "#n",
                                                   ":n",
                                                   "arn:aws:dynamodb:x:y:table/app",
                                                   "arn:",
                                                   "PK",
                                                   "a.b",
                                                   "n[0]"};
    return texts;
  }

  static const std::vector<std::string>& Names() {
    static const std::vector<std::string> names = {
        "TableName", "Item",  "Key", "PK",           "SK", "S",    "N",         "L",
        "M",         "n",     "",    "#n",           ":n", "\xFF", R"(\ud800)", "Expected",
        "Select",    "Limit", "app", "TransactItems"};
    return names;
  }

  Random& random_;
};

}  // namespace

std::string Damaged(std::string_view json, Random* random) {
  Spoiler spoiler(random);
  Node node = Parsed(json);
  spoiler.SpoilSome(&node);
  std::string damaged;
  Print(node, &damaged);
  spoiler.SpoilBytes(&damaged);
  return damaged;
}

}  // namespace dolmen
