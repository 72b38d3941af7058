#include "database/statement/syntax/literal_parser.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "engine/expression/syntax/diagnostics.h"
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

class LiteralReader {
 public:
  explicit LiteralReader(TokenCursor* cursor) : cursor_(*cursor) {}

  bool Read(const Place& place, AttributeValue* value) {
    if (cursor_.At(TokenType::kString)) return Take(UnquotedText(cursor_.current()), value);
    if (AtNumber()) return ReadNumber(place, value);
    if (cursor_.AcceptWord("true")) return Set(true, value);
    if (cursor_.AcceptWord("false")) return Set(false, value);
    if (cursor_.AcceptWord("null")) return Set(nullptr, value);
    if (cursor_.AtSymbol("[")) return ReadList("]", place, value);
    if (cursor_.AtSymbol("(")) return ReadList(")", place, value);
    if (cursor_.AtSymbol("{")) return ReadTuple(place, value);
    if (cursor_.AtSymbol("<<")) return ReadBag(value);
    return ReadUnsupported(place);
  }

 private:
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

  bool ReadList(std::string_view end, const Place& place, AttributeValue* value) {
    cursor_.Advance();
    List list;
    const auto read_element = [&] {
      const Place element = place.OfElement(list.size());
      return Read(element, &list.emplace_back());
    };
    if (!cursor_.AcceptSymbol(end) && !cursor_.ReadElements(end, read_element)) return false;
    // One value in parentheses is the value itself.
    const bool group = end == ")" && list.size() == 1;
    *value = group ? std::move(list.front()) : AttributeValue(std::move(list));
    return true;
  }

  bool ReadTuple(const Place& place, AttributeValue* value) {
    const StatementToken start = cursor_.current();
    cursor_.Advance();
    Map map;
    const auto read_member = [&] { return ReadMember(start, place, &map); };
    if (!cursor_.AcceptSymbol("}") && !cursor_.ReadElements("}", read_member)) return false;
    *value = std::move(map);
    return true;
  }

  bool ReadMember(const StatementToken& start, const Place& place, Map* map) {
    const StatementToken token = cursor_.current();
    std::string key;
    if (cursor_.AtName()) {
      cursor_.AddLiteralFaultAt(
          "Tuple keys must be of type String. Actual type: VariableReference under root", token);
    } else if (cursor_.At(TokenType::kString)) {
      key = UnquotedText(token);
      if (key.empty()) cursor_.AddLiteralFault("Path component cannot be an empty string");
    } else {
      return cursor_.FailTerm();
    }
    cursor_.Advance();
    AttributeValue value;
    if (!cursor_.ExpectSymbol(":") || !Read(place.OfMember(key), &value)) return false;
    if (!map->try_emplace(key, std::move(value)).second) {
      cursor_.AddLiteralFaultAt("Duplicate keys in tuple. Key: " + key + " under root", start);
    }
    return true;
  }

  bool ReadBag(AttributeValue* value) {
    cursor_.Advance();
    if (cursor_.AcceptSymbol(">>")) {
      cursor_.AddLiteralFault("Empty bags are not supported");
      return true;
    }
    std::vector<std::string> texts;
    std::vector<Number> numbers;
    if (!cursor_.ReadElements(">>", [&] { return ReadBagMember(&texts, &numbers); })) return false;
    if (!texts.empty() && !numbers.empty()) cursor_.AddLiteralFault(std::string(kBadBag));
    SetBag(texts, numbers, value);
    return true;
  }

  bool ReadBagMember(std::vector<std::string>* texts, std::vector<Number>* numbers) {
    const StatementToken token = cursor_.current();
    AttributeValue member;
    if (!ReadBagValue(&member)) return false;
    if (const auto* const text = member.get_if<std::string>()) {
      texts->push_back(*text);
    } else if (const auto* const number = member.get_if<Number>()) {
      numbers->push_back(*number);
    } else {
      cursor_.AddLiteralFaultAt(std::string(kBadBag), token);
    }
    return true;
  }

  bool ReadBagValue(AttributeValue* member) {
    if (!cursor_.At(TokenType::kParameter)) return Read(Place{}, member);
    cursor_.TakeParameter();
    *member = nullptr;  // the caller reports a member that is neither a text nor a number
    return true;
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
  return LiteralReader(cursor).Read(Place{}, value);
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
