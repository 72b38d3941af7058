#include "command/statement_text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace dolmen::command {
namespace {

bool IsName(const StatementWord& word) {
  return word.kind == StatementWord::Kind::kWord || word.kind == StatementWord::Kind::kName;
}

}  // namespace

std::size_t StatementLength(std::string_view text) {
  for (const StatementWord& word : StatementWords(text)) {
    if (IsMark(word, ";")) return static_cast<std::size_t>(word.text.data() - text.data()) + 1;
  }
  return text.npos;
}

bool IsEmptyStatement(std::string_view text) {
  return std::ranges::all_of(StatementWords(text),
                             [](const StatementWord& word) { return IsMark(word, ";"); });
}

bool IsMark(const StatementWord& word, std::string_view mark) {
  return word.kind == StatementWord::Kind::kMark && word.text == mark;
}

bool IsKeyword(const StatementWord& word, std::string_view keyword) {
  return word.kind == StatementWord::Kind::kWord &&
         std::ranges::equal(word.text, keyword, [](unsigned char a, char b) {
           return static_cast<char>(std::toupper(a)) == b;
         });
}

StatementTarget TargetOf(const std::vector<StatementWord>& words) {
  constexpr std::array<std::string_view, 3> kBeforeTable = {"FROM", "INTO", "UPDATE"};
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const auto is_word = [&](std::string_view keyword) { return IsKeyword(words[i], keyword); };
    if (std::ranges::none_of(kBeforeTable, is_word) || !IsName(words[i + 1])) continue;
    StatementTarget target{.table = words[i + 1].Content()};
    if (i + 3 < words.size() && IsMark(words[i + 2], ".") && IsName(words[i + 3])) {
      target.index = words[i + 3].Content();
    }
    return target;
  }
  return {};
}

}  // namespace dolmen::command
