#include "database/statement/syntax/lexer.h"

#include <algorithm>
#include <array>

#include "database/statement/syntax/reserved_words.h"
#include "engine/value/older_number.h"

namespace dolmen::database {
namespace {

using TokenType = StatementTokenKind;

bool IsStatementDigit(char c) { return c >= '0' && c <= '9'; }
bool IsStatementSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
char ToLowerLetter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

constexpr std::array<std::string_view, 7> kLongSymbols = {"<<", ">>", "<>", "<=", ">=", "!=", "||"};
constexpr std::string_view kShortSymbols = ".,;:()[]{}=<>+-*/%";

class StatementLexer {
 public:
  explicit StatementLexer(std::string_view text) : text_(text) {}

  std::vector<StatementToken> Tokenize() {
    std::vector<StatementToken> tokens;
    tokens.reserve(text_.size() / 4 + 2);
    do {
      tokens.push_back(Next());
    } while (tokens.back().kind != TokenType::kEnd);
    return tokens;
  }

 private:
  char At(std::size_t position) const { return position < text_.size() ? text_[position] : '\0'; }
  bool Starts(std::string_view with) const { return text_.substr(next_).starts_with(with); }

  StatementToken Next() {
    if (!SkipSpaceAndComments()) return Take(TokenType::kUnterminated, text_.size());
    if (next_ == text_.size()) return Take(TokenType::kEnd, next_);
    const char c = text_[next_];
    if (IsStatementNameStart(c)) return TakeName();
    if (IsStatementDigit(c) || (c == '.' && IsStatementDigit(At(next_ + 1)))) return TakeNumber();
    if (c == '"') return TakeQuoted(c, TokenType::kQuotedName);
    if (c == '\'') return TakeQuoted(c, TokenType::kString);
    if (c == '`') return TakeQuoted(c, TokenType::kIon);
    if (c == '?') return Take(TokenType::kParameter, next_ + 1);
    return TakeSymbol();
  }

  // Returns false if a comment does not end.
  bool SkipSpaceAndComments() {
    for (;;) {
      while (next_ < text_.size() && IsStatementSpace(text_[next_])) ++next_;
      if (Starts("--")) {
        next_ = std::min(text_.find('\n', next_), text_.size());
      } else if (Starts("/*")) {
        const std::size_t end = text_.find("*/", next_ + 2);
        if (end == std::string_view::npos) return false;
        next_ = end + 2;
      } else {
        return true;
      }
    }
  }

  StatementToken Take(TokenType kind, std::size_t end) {
    const StatementToken token{kind, text_.substr(next_, end - next_)};
    next_ = end;
    return token;
  }

  StatementToken TakeName() {
    std::size_t end = next_ + 1;
    while (IsStatementNamePart(At(end))) ++end;
    const bool reserved = IsReservedInStatements(text_.substr(next_, end - next_));
    return Take(reserved ? TokenType::kWord : TokenType::kName, end);
  }

  StatementToken TakeNumber() {
    std::size_t end = SkipDigits(next_);
    if (At(end) == '.') end = SkipDigits(end + 1);
    if (ToLowerLetter(At(end)) == 'e') {
      const std::size_t digits = end + (At(end + 1) == '+' || At(end + 1) == '-' ? 2 : 1);
      if (!IsStatementDigit(At(digits))) return Take(TokenType::kUnknown, end + 1);
      end = SkipDigits(digits);
    }
    if (!IsStatementNamePart(At(end))) {
      const bool fits = engine::ReadDecimalSize(text_.substr(next_, end - next_)).has_value();
      return Take(fits ? TokenType::kNumber : TokenType::kUnknown, end);
    }
    while (IsStatementNamePart(At(end))) ++end;
    return Take(TokenType::kUnknown, end);
  }

  std::size_t SkipDigits(std::size_t position) const {
    while (IsStatementDigit(At(position))) ++position;
    return position;
  }

  StatementToken TakeQuoted(char quote, TokenType kind) {
    std::size_t end = next_ + 1;
    for (;;) {
      end = text_.find(quote, end);
      if (end == std::string_view::npos) return Take(TokenType::kUnterminated, text_.size());
      if (At(end + 1) != quote || kind == TokenType::kIon) return Take(kind, end + 1);
      end += 2;
    }
  }

  StatementToken TakeSymbol() {
    for (const std::string_view symbol : kLongSymbols) {
      if (Starts(symbol)) return Take(TokenType::kSymbol, next_ + symbol.size());
    }
    if (kShortSymbols.find(text_[next_]) != std::string_view::npos) {
      return Take(TokenType::kSymbol, next_ + 1);
    }
    std::size_t end = next_ + 1;  // a character that is not in ASCII has several bytes
    while ((static_cast<unsigned char>(At(end)) & 0xC0) == 0x80) ++end;
    return Take(TokenType::kUnknown, end);
  }

  std::string_view text_;
  std::size_t next_ = 0;
};

// Returns the number of characters of a text in UTF-8. Each byte that is not 10xxxxxx begins a
// character.
std::size_t Characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

}  // namespace

bool IsStatementNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

bool IsStatementNamePart(char c) { return IsStatementNameStart(c) || IsStatementDigit(c); }

std::vector<StatementToken> TokenizeStatement(std::string_view text) {
  return StatementLexer(text).Tokenize();
}

std::string UnquotedText(const StatementToken& token) {
  const char quote = token.text.front();
  std::string_view inner = token.text.substr(1, token.text.size() - 2);
  std::string text;
  for (std::size_t quoted; (quoted = inner.find(quote)) != std::string_view::npos;) {
    text.append(inner.substr(0, quoted + 1));
    inner.remove_prefix(quoted + 2);
  }
  return text.append(inner);
}

std::string TokenPosition(std::string_view statement, std::string_view token) {
  const std::string_view before =
      statement.substr(0, static_cast<std::size_t>(token.data() - statement.data()));
  const std::size_t line_start = before.rfind('\n') + 1;  // 0 in the first line
  const auto lines = std::count(before.begin(), before.end(), '\n');
  return std::to_string(lines + 1)
      .append(":")
      .append(std::to_string(Characters(before.substr(line_start)) + 1))
      .append(":")
      .append(std::to_string(Characters(token)));
}

bool IsWord(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return ToLowerLetter(a) == b; });
}

}  // namespace dolmen::database
