#include "database/statement/syntax/literal_parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "engine/base/deep.h"
#include "engine/expression/syntax/diagnostics.h"
#include "engine/value/codec.h"
#include "engine/value/invalid_parameter.h"
#include "engine/value/older_number.h"

namespace dolmen::database {
namespace {

using TokenType = StatementTokenKind;

constexpr std::string_view kBadBag =
    "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags";

// The place of a value in a literal, in the two forms that messages have: "root.0" and "root[0]".
struct Place {
  std::string key_path = "root";
  std::string value_path = "root";

  Place OfElement(std::size_t index) const {
    const std::string number = std::to_string(index);
    return {key_path + "." + number, value_path + "[" + number + "]"};
  }
  Place OfMember(const std::string& key) const {
    return {key_path + "." + key, value_path + "." + key};
  }
};

// Returns the message about a set of strings that has one string twice.
std::string DuplicateStrings(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list.append(list.empty() ? "" : ", ").append(text);
  return engine::InvalidParameter("Input collection [" + list + "] contains duplicates.").message();
}

// A reader whose functions that nest are coroutines. The Read functions return false if the parsing has ended.
class LiteralReader {
 public:
  explicit LiteralReader(TokenCursor* cursor) : cursor_(*cursor) {}

  bool Read(AttributeValue* value) {
    const Place root;
    return ReadAt(root, value).Run();
  }

 private:
  // The depth of the deepest value that is built. Requests refuse it, and each deeper one. The text of a deeper
  // value is checked, but no value is built that must be copied and destroyed level by level.
  static constexpr int kDepthMax = engine::kNestingLevelsMax + 2;

  engine::Deep<bool> ReadAt(const Place& place, AttributeValue* value) {
    depth_ = 0;
    if (cursor_.At(TokenType::kString)) co_return Take(UnquotedText(cursor_.current()), value);
    if (AtNumber()) co_return ReadNumber(place, value);
    if (cursor_.AcceptWord("true")) co_return Set(true, value);
    if (cursor_.AcceptWord("false")) co_return Set(false, value);
    if (cursor_.AcceptWord("null")) co_return Set(nullptr, value);
    if (cursor_.AtSymbol("[")) co_return co_await ReadList("]", place, value);
    if (cursor_.AtSymbol("(")) co_return co_await ReadList(")", place, value);
    if (cursor_.AtSymbol("{")) co_return co_await ReadTuple(place, value);
    if (cursor_.AtSymbol("<<")) co_return co_await ReadBag(value);
    co_return ReadUnsupported(place);
  }

  template <typename Value>
  static bool Set(Value from, AttributeValue* value) {
    *value = AttributeValue(std::move(from));
    return true;
  }
  template <typename Value>
  bool Take(Value from, AttributeValue* value) {
    cursor_.Advance();
    return Set(std::move(from), value);
  }

  bool AtNumber() const {
    return cursor_.At(TokenType::kNumber) || cursor_.AtSymbol("-") || cursor_.AtSymbol("+");
  }

  bool ReadNumber(const Place& place, AttributeValue* value) {
    bool negative = false;
    for (;;) {
      if (cursor_.AcceptSymbol("-")) {
        negative = !negative;
      } else if (!cursor_.AcceptSymbol("+")) {
        break;
      }
    }
    if (!cursor_.At(TokenType::kNumber)) return cursor_.FailTerm();
    const Result<Number> number =
        engine::ReadOlderNumber((negative ? "-" : "") + std::string(cursor_.current().text));
    cursor_.Advance();
    if (!number.ok()) {
      cursor_.AddLiteralFault(number.status().message() + " under " + place.value_path);
    }
    return Set(number.ok() ? *number : Number(), value);
  }

  engine::Deep<bool> ReadList(std::string_view end, const Place& place, AttributeValue* value) {
    cursor_.Advance();
    List list;
    Deepest deepest;
    if (!cursor_.AcceptSymbol(end)) {
      if (!cursor_.EnterNesting()) co_return false;
      do {
        const Place element = place.OfElement(list.size());
        AttributeValue content;
        const bool read = co_await ReadAt(element, &content);
        if (!read) co_return false;
        deepest.Add(depth_, &content);
        list.push_back(std::move(content));
      } while (cursor_.AcceptSymbol(","));
      if (!cursor_.LeaveNesting(end)) co_return false;
    }
    // One value in parentheses is the value itself.
    if (end == ")" && list.size() == 1 && deepest.depth < kDepthMax) {
      *value = AttributeValue(std::move(list.front()));
      depth_ = deepest.depth;
    } else {
      SetContainer(std::move(list), &deepest, value);
    }
    co_return true;
  }

  engine::Deep<bool> ReadTuple(const Place& place, AttributeValue* value) {
    const StatementToken start = cursor_.current();
    cursor_.Advance();
    Map map;
    Deepest deepest;
    if (!cursor_.AcceptSymbol("}")) {
      if (!cursor_.EnterNesting()) co_return false;
      do {
        std::string key;
        if (!ReadKey(&key)) co_return false;
        const Place member = place.OfMember(key);
        AttributeValue content;
        const bool read = co_await ReadAt(member, &content);
        if (!read) co_return false;
        deepest.Add(depth_, &content);
        if (!map.try_emplace(key, std::move(content)).second) {
          cursor_.AddLiteralFaultAt("Duplicate keys in tuple. Key: " + key + " under root", start);
        }
      } while (cursor_.AcceptSymbol(","));
      if (!cursor_.LeaveNesting("}")) co_return false;
    }
    SetContainer(std::move(map), &deepest, value);
    co_return true;
  }

  // The depth of the deepest value in a container, which is the number of containers in each other.
  struct Deepest {
    int depth = 0;
    AttributeValue too_deep = nullptr;  // the value if its depth is kDepthMax

    // Adds a value. Takes it away if its depth is kDepthMax.
    void Add(int of_value, AttributeValue* value) {
      depth = std::max(depth, of_value);
      if (of_value < kDepthMax) return;
      too_deep = std::move(*value);
      *value = nullptr;
    }
  };

  // Sets `*value` to the container, or to the value in it that is as deep as it may be.
  template <typename Container>
  void SetContainer(Container container, Deepest* deepest, AttributeValue* value) {
    const bool too_deep = deepest->depth == kDepthMax;
    *value = too_deep ? std::move(deepest->too_deep) : AttributeValue(std::move(container));
    depth_ = too_deep ? kDepthMax : deepest->depth + 1;
  }

  // Reads a key and the colon after it.
  bool ReadKey(std::string* key) {
    const StatementToken token = cursor_.current();
    if (cursor_.AtName()) {
      cursor_.AddLiteralFaultAt(
          "Tuple keys must be of type String. Actual type: VariableReference under root", token);
    } else if (cursor_.At(TokenType::kString)) {
      *key = UnquotedText(token);
      if (key->empty()) cursor_.AddLiteralFault("Path component cannot be an empty string");
    } else {
      return cursor_.FailTerm();
    }
    cursor_.Advance();
    return cursor_.ExpectSymbol(":");
  }

  engine::Deep<bool> ReadBag(AttributeValue* value) {
    cursor_.Advance();
    if (cursor_.AcceptSymbol(">>")) {
      cursor_.AddLiteralFault("Empty bags are not supported");
      co_return true;
    }
    std::vector<std::string> texts;
    std::vector<Number> numbers;
    if (!cursor_.EnterNesting()) co_return false;
    do {
      const StatementToken token = cursor_.current();
      AttributeValue member;  // NULL if the member is a parameter
      if (cursor_.At(TokenType::kParameter)) {
        cursor_.TakeParameter();
      } else {
        const Place root;
        const bool read = co_await ReadAt(root, &member);
        if (!read) co_return false;
      }
      AddBagMember(member, token, &texts, &numbers);
    } while (cursor_.AcceptSymbol(","));
    if (!cursor_.LeaveNesting(">>")) co_return false;
    depth_ = 0;
    if (!texts.empty() && !numbers.empty()) cursor_.AddLiteralFault(std::string(kBadBag));
    SetBag(texts, numbers, value);
    co_return true;
  }

  void AddBagMember(const AttributeValue& member, const StatementToken& token,
                    std::vector<std::string>* texts, std::vector<Number>* numbers) {
    if (const auto* const text = member.get_if<std::string>()) {
      texts->push_back(*text);
    } else if (const auto* const number = member.get_if<Number>()) {
      numbers->push_back(*number);
    } else {
      cursor_.AddLiteralFaultAt(std::string(kBadBag), token);
    }
  }

  void SetBag(const std::vector<std::string>& texts, const std::vector<Number>& numbers,
              AttributeValue* value) {
    StringSet strings(texts.begin(), texts.end());
    NumberSet decimals(numbers.begin(), numbers.end());
    if (strings.size() < texts.size()) {
      cursor_.AddLiteralFault(DuplicateStrings(texts));
    } else if (decimals.size() < numbers.size()) {
      cursor_.AddLiteralFault("Input collection contains duplicates");
    }
    *value =
        numbers.empty() ? AttributeValue(std::move(strings)) : AttributeValue(std::move(decimals));
  }

  // Reads a token that is no literal, if it could begin an expression.
  bool ReadUnsupported(const Place& place) {
    const StatementToken token = cursor_.current();
    std::string message = "Unsupported data type: ";
    if (cursor_.At(TokenType::kIon)) {
      message = "Ion Literals are not supported: INT";
    } else if (cursor_.At(TokenType::kParameter)) {
      message += "Parameter";
    } else if (cursor_.AtWord("missing")) {
      message += "LiteralMissing";
    } else if (cursor_.AtName() && !cursor_.AtFunction()) {
      message += "VariableReference";
    } else {
      return cursor_.FailTerm();
    }
    if (cursor_.At(TokenType::kParameter)) {
      cursor_.TakeParameter();
    } else {
      cursor_.Advance();
    }
    cursor_.AddLiteralFaultAt(message + " under key " + place.key_path, token);
    return true;
  }

  TokenCursor& cursor_;
  int depth_ = 0;  // the depth of the last value, at most kDepthMax
};

constexpr std::array<std::string_view, 5> kLiteralSymbols = {"[", "{", "<<", "-", "+"};

std::string BadIndexText(std::string_view digits, bool negative) {
  return engine::BadListIndex((negative ? "-" : "") + std::string(digits));
}

// Reads a list index or a key, and the bracket after it.
bool ReadBracket(TokenCursor* cursor, std::vector<PathPart>* path) {
  if (cursor->At(TokenType::kString)) {
    path->emplace_back(UnquotedText(cursor->current()));
  } else {
    const bool negative = cursor->AcceptSymbol("-");
    const StatementToken& token = cursor->current();
    std::uint32_t index = 0;
    const auto [end, error] =
        std::from_chars(token.text.data(), token.text.data() + token.text.size(), index);
    const bool whole = end == token.text.data() + token.text.size();
    if (token.kind == TokenType::kEnd) return cursor->FailTerm();
    if (token.kind != TokenType::kNumber || !whole) {
      return cursor->FailAt("Unexpected path component", token);
    }
    if (negative || error != std::errc()) {
      cursor->AddFaultAt(BadIndexText(token.text, negative), token);
    }
    path->emplace_back(static_cast<std::int64_t>(index));
  }
  cursor->Advance();
  return cursor->ExpectSymbol("]");
}

}  // namespace

bool AtLiteral(const TokenCursor& cursor) {
  if (cursor.At(TokenType::kString) || cursor.At(TokenType::kNumber) || cursor.At(TokenType::kIon))
    return true;
  for (const std::string_view symbol : kLiteralSymbols) {
    if (cursor.AtSymbol(symbol)) return true;
  }
  return cursor.AtWord("true") || cursor.AtWord("false") || cursor.AtWord("null");
}

bool ReadLiteral(TokenCursor* cursor, AttributeValue* value) {
  return LiteralReader(cursor).Read(value);
}

bool ReadPath(TokenCursor* cursor, std::vector<PathPart>* path) {
  std::string name;
  if (!cursor->ExpectName(&name)) return false;
  path->emplace_back(std::move(name));
  for (;;) {
    if (cursor->AtSymbol(".") && cursor->following().text == "*") {
      return cursor->Fail("Changing item's hierarchy while reading isn't supported");
    }
    if (cursor->AcceptSymbol(".")) {
      if (!cursor->ExpectName(&name, kBadDotComponent)) return false;
      path->emplace_back(name);
    } else if (cursor->AcceptSymbol("[")) {
      if (!ReadBracket(cursor, path)) return false;
    } else {
      return true;
    }
  }
}

}  // namespace dolmen::database
