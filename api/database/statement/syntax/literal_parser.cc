#include "database/statement/syntax/literal_parser.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "engine/expression/syntax/diagnostics.h"

namespace dolmen::database {
namespace {

using TokenType = StatementTokenKind;

constexpr std::string_view kBadBag =
    "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags";

class LiteralReader {
 public:
  explicit LiteralReader(TokenCursor* cursor) : cursor_(*cursor) {}

  bool Read(const std::string& key_path, AttributeValue* value) {
    if (cursor_.At(TokenType::kString)) return Take(UnquotedText(cursor_.current()), value);
    if (AtNumber()) return ReadNumber(value);
    if (cursor_.AcceptWord("true")) return Set(true, value);
    if (cursor_.AcceptWord("false")) return Set(false, value);
    if (cursor_.AcceptWord("null")) return Set(nullptr, value);
    if (cursor_.AtSymbol("[")) return ReadList("]", key_path, value);
    if (cursor_.AtSymbol("(")) return ReadList(")", key_path, value);
    if (cursor_.AtSymbol("{")) return ReadTuple(key_path, value);
    if (cursor_.AtSymbol("<<")) return ReadBag(value);
    return ReadUnsupported(key_path);
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

  bool ReadNumber(AttributeValue* value) {
    bool negative = false;
    for (;;) {
      if (cursor_.AcceptSymbol("-")) {
        negative = !negative;
      } else if (!cursor_.AcceptSymbol("+")) {
        break;
      }
    }
    if (!cursor_.At(TokenType::kNumber)) return cursor_.FailSyntax();
    const Result<Number> number =
        Number::Parse((negative ? "-" : "") + std::string(cursor_.current().text));
    cursor_.Advance();
    if (!number.ok()) cursor_.AddFault(number.status().message());
    return Set(number.ok() ? *number : Number(), value);
  }

  bool ReadList(std::string_view end, const std::string& key_path, AttributeValue* value) {
    cursor_.Advance();
    List list;
    const auto read_element = [&] {
      const std::string place = key_path + "." + std::to_string(list.size());
      return Read(place, &list.emplace_back());
    };
    if (!cursor_.AcceptSymbol(end) && !cursor_.ReadElements(end, read_element)) return false;
    // One value in parentheses is the value itself.
    const bool group = end == ")" && list.size() == 1;
    *value = group ? std::move(list.front()) : AttributeValue(std::move(list));
    return true;
  }

  bool ReadTuple(const std::string& key_path, AttributeValue* value) {
    const StatementToken start = cursor_.current();
    cursor_.Advance();
    Map map;
    const auto read_member = [&] { return ReadMember(start, key_path, &map); };
    if (!cursor_.AcceptSymbol("}") && !cursor_.ReadElements("}", read_member)) return false;
    *value = std::move(map);
    return true;
  }

  bool ReadMember(const StatementToken& start, const std::string& key_path, Map* map) {
    const StatementToken token = cursor_.current();
    std::string key;
    if (cursor_.AtName()) {
      cursor_.AddFaultAt(
          "Tuple keys must be of type String. Actual type: VariableReference under root", token);
    } else if (cursor_.At(TokenType::kString)) {
      key = UnquotedText(token);
      if (key.empty()) cursor_.AddFault("Path component cannot be an empty string");
    } else {
      return cursor_.FailSyntax();
    }
    cursor_.Advance();
    AttributeValue value;
    if (!cursor_.ExpectSymbol(":") || !Read(key_path + "." + key, &value)) return false;
    if (!map->try_emplace(key, std::move(value)).second) {
      cursor_.AddFaultAt("Duplicate keys in tuple. Key: " + key + " under root", start);
    }
    return true;
  }

  bool ReadBag(AttributeValue* value) {
    const StatementToken start = cursor_.current();
    cursor_.Advance();
    if (cursor_.AcceptSymbol(">>")) {
      cursor_.AddFaultAt("Empty bags are not supported", start);
      return true;
    }
    std::vector<std::string> texts;
    std::vector<Number> numbers;
    if (!cursor_.ReadElements(">>", [&] { return ReadBagMember(&texts, &numbers); })) return false;
    if (!texts.empty() && !numbers.empty()) cursor_.AddFault(std::string(kBadBag));
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
      cursor_.AddFaultAt(std::string(kBadBag), token);
    }
    return true;
  }

  bool ReadBagValue(AttributeValue* member) {
    if (!cursor_.At(TokenType::kParameter)) return Read("root", member);
    cursor_.TakeParameter();
    *member = nullptr;  // the caller reports a member that is neither a text nor a number
    return true;
  }

  void SetBag(const std::vector<std::string>& texts, const std::vector<Number>& numbers,
              AttributeValue* value) {
    StringSet strings(texts.begin(), texts.end());
    NumberSet decimals(numbers.begin(), numbers.end());
    if (strings.size() + decimals.size() < texts.size() + numbers.size()) {
      cursor_.AddFault("Input collection contains duplicates");
    }
    *value =
        numbers.empty() ? AttributeValue(std::move(strings)) : AttributeValue(std::move(decimals));
  }

  // Reads a token that is no literal, if it could begin an expression.
  bool ReadUnsupported(const std::string& key_path) {
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
      return cursor_.FailSyntax();
    }
    if (cursor_.At(TokenType::kParameter)) {
      cursor_.TakeParameter();
    } else {
      cursor_.Advance();
    }
    cursor_.AddFaultAt(message + " under key " + key_path, token);
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
    if (token.kind == TokenType::kEnd) return cursor->FailSyntax();
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

bool ReadLiteral(TokenCursor* cursor, std::string_view key_path, AttributeValue* value) {
  return LiteralReader(cursor).Read(std::string(key_path), value);
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
      if (!cursor->ExpectName(&name)) return false;
      path->emplace_back(name);
    } else if (cursor->AcceptSymbol("[")) {
      if (!ReadBracket(cursor, path)) return false;
    } else {
      return true;
    }
  }
}

}  // namespace dolmen::database
