#include "command/statement_text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace dolmen::command {
namespace {

bool IsWordCharacter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_' || c == '$' || byte >= 0x80;
}

class TokenReader {
 public:
  explicit TokenReader(std::string_view text) : text_(text) {}

  // Returns true and sets `token` if another token exists.
  bool Next(StatementToken* token) {
    SkipSpace();
    if (at_ == text_.size()) return false;
    *token = {.begin = at_};
    const char first = text_[at_];
    if (first == '\'' || first == '"') {
      ReadQuoted(first, token);
    } else if (IsWordCharacter(first)) {
      while (at_ < text_.size() && IsWordCharacter(text_[at_])) token->text += text_[at_++];
    } else {
      token->kind = StatementToken::Kind::kMark;
      token->text = text_[at_++];
    }
    return true;
  }

  // The position after the last token.
  std::size_t position() const { return at_; }

 private:
  void SkipSpace() {
    while (at_ < text_.size()) {
      const std::string_view rest = text_.substr(at_);
      if (std::isspace(static_cast<unsigned char>(rest[0])) != 0) {
        ++at_;
      } else if (rest.starts_with("--")) {
        at_ += std::min(rest.find('\n'), rest.size());
      } else if (rest.starts_with("/*")) {
        const std::size_t end = rest.find("*/", 2);
        at_ += end == rest.npos ? rest.size() : end + 2;
      } else {
        return;
      }
    }
  }

  void ReadQuoted(char quote, StatementToken* token) {
    token->kind = quote == '"' ? StatementToken::Kind::kName : StatementToken::Kind::kString;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == quote) {
        ++at_;
        if (at_ == text_.size() || text_[at_] != quote) return;
      }
      token->text += text_[at_];
    }
    token->is_closed = false;
  }

  const std::string_view text_;
  std::size_t at_ = 0;
};

bool IsName(const StatementToken& token) {
  return token.kind == StatementToken::Kind::kWord || token.kind == StatementToken::Kind::kName;
}

}  // namespace

std::vector<StatementToken> TokensOf(std::string_view text) {
  std::vector<StatementToken> tokens;
  TokenReader reader(text);
  StatementToken token;
  while (reader.Next(&token)) tokens.push_back(token);
  return tokens;
}

std::size_t StatementLength(std::string_view text) {
  TokenReader reader(text);
  StatementToken token;
  while (reader.Next(&token)) {
    if (IsMark(token, ';')) return reader.position();
  }
  return text.npos;
}

bool IsEmptyStatement(std::string_view text) {
  return std::ranges::all_of(TokensOf(text),
                             [](const StatementToken& token) { return IsMark(token, ';'); });
}

bool IsMark(const StatementToken& token, char mark) {
  return token.kind == StatementToken::Kind::kMark && token.text[0] == mark;
}

bool IsKeyword(const StatementToken& token, std::string_view keyword) {
  return token.kind == StatementToken::Kind::kWord &&
         std::ranges::equal(token.text, keyword, [](unsigned char a, char b) {
           return static_cast<char>(std::toupper(a)) == b;
         });
}

StatementTarget TargetOf(const std::vector<StatementToken>& tokens) {
  constexpr std::array<std::string_view, 3> kBeforeTable = {"FROM", "INTO", "UPDATE"};
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const auto is_token = [&](std::string_view keyword) { return IsKeyword(tokens[i], keyword); };
    if (std::ranges::none_of(kBeforeTable, is_token) || !IsName(tokens[i + 1])) continue;
    StatementTarget target{.table = tokens[i + 1].text};
    if (i + 3 < tokens.size() && IsMark(tokens[i + 2], '.') && IsName(tokens[i + 3])) {
      target.index = tokens[i + 3].text;
    }
    return target;
  }
  return {};
}

}  // namespace dolmen::command
