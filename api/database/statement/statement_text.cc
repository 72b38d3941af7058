#include "database/statement/statement_text.h"

#include <algorithm>

#include "database/statement/syntax/lexer.h"
#include "database/statement/syntax/reserved_words.h"

namespace dolmen::internal {
namespace {

using database::StatementToken;
using database::StatementTokenKind;

bool IsUnclosedComment(const StatementToken& token) {
  return token.kind == StatementTokenKind::kUnterminated && token.text.starts_with("/*");
}

// Returns true for a part of a word. A name without quotes has only letters of ASCII, but a person
// who has not typed its quotes yet may use other letters.
bool IsWordPart(const StatementToken& token) {
  switch (token.kind) {
    case StatementTokenKind::kName:
    case StatementTokenKind::kWord:
    case StatementTokenKind::kNumber:
      return true;
    case StatementTokenKind::kUnknown:
      return database::IsStatementNamePart(token.text[0]) ||
             static_cast<unsigned char>(token.text[0]) >= 0x80;
    default:
      return false;
  }
}

StatementWord::Kind KindOf(const StatementToken& token) {
  if (IsWordPart(token)) return StatementWord::Kind::kWord;
  if (token.text[0] == '"') return StatementWord::Kind::kName;
  if (token.text[0] == '\'') return StatementWord::Kind::kString;
  return StatementWord::Kind::kMark;
}

}  // namespace

std::string StatementWord::Content() const {
  if (kind != Kind::kName && kind != Kind::kString) return std::string(text);
  if (is_closed) return database::UnquotedText({StatementTokenKind::kString, text});
  const std::string closed = std::string(text) + text[0];
  return database::UnquotedText({StatementTokenKind::kString, closed});
}

std::vector<StatementWord> StatementWords(std::string_view text) {
  std::vector<StatementWord> words;
  for (const StatementToken& token : database::TokenizeStatement(text)) {
    if (token.kind == StatementTokenKind::kEnd || IsUnclosedComment(token)) continue;
    const StatementWord::Kind kind = KindOf(token);
    StatementWord* const last = words.empty() ? nullptr : &words.back();
    const bool continues = last != nullptr && kind == StatementWord::Kind::kWord &&
                           last->kind == kind && token.text[0] != '.' &&
                           last->text.data() + last->text.size() == token.text.data();
    if (continues) {
      last->text = {last->text.data(), last->text.size() + token.text.size()};
    } else {
      words.push_back({kind, token.text, token.kind != StatementTokenKind::kUnterminated});
    }
  }
  return words;
}

std::string StatementName(std::string_view name) {
  const bool is_bare = !name.empty() && database::IsStatementNameStart(name[0]) &&
                       std::all_of(name.begin(), name.end(), database::IsStatementNamePart) &&
                       !database::IsReservedInStatements(name);
  return is_bare ? std::string(name) : QuotedStatementName(name);
}

std::string QuotedStatementName(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + "\"";
}

}  // namespace dolmen::internal
