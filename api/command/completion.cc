#include "command/completion.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <span>

#include "command/statement_text.h"
#include "command/table_sample.h"
#include "command/tables.h"

namespace dolmen::command {
namespace {

using internal::QuotedStatementName;
using internal::StatementName;

constexpr std::array<std::string_view, 5> kFirstWords = {"DELETE FROM", "EXPLAIN", "INSERT INTO",
                                                         "SELECT", "UPDATE"};
constexpr std::array<std::string_view, 40> kKeywords = {
    "ALL",          "AND",         "ASC",       "ATTRIBUTE_TYPE(",
    "BEGINS_WITH(", "BETWEEN",     "BOOLEAN",   "BY",
    "BLOB",         "CONTAINS(",   "DESC",      "EXISTS(",
    "FALSE",        "FROM",        "IN",        "IF_NOT_EXISTS(",
    "INTO",         "IS",          "LIST",      "LIST_APPEND(",
    "MISSING",      "MODIFIED",    "NEW",       "NOT",
    "NULL",         "NUMERIC",     "OLD",       "OR",
    "ORDER BY",     "REMOVE",      "RETURNING", "SET",
    "SET_ADD(",     "SET_DELETE(", "SIZE(",     "STRING",
    "TRUE",         "TUPLE",       "VALUE",     "WHERE"};

constexpr std::uint64_t kCompletedItems = 200;
constexpr std::size_t kSampledTablesMax = 20;

bool IsSameLetter(char a, char b) {
  return std::toupper(static_cast<unsigned char>(a)) == std::toupper(static_cast<unsigned char>(b));
}

// Returns true if the text begins with the prefix, apart from upper and lower case.
bool Begins(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() &&
         std::ranges::equal(text.substr(0, prefix.size()), prefix, IsSameLetter);
}

// A word before the cursor, and its completions.
class TypedWord {
 public:
  // `last` is the word that ends at the cursor, or null.
  explicit TypedWord(const StatementWord* last)
      : text_(last == nullptr ? "" : last->Content()),
        is_quoted_(last != nullptr && last->kind == StatementWord::Kind::kName) {}

  void AddName(const std::string& name) {
    if (!Begins(name, text_)) return;
    candidates_.insert(is_quoted_ ? QuotedStatementName(name) : StatementName(name));
  }

  // Adds keywords in lower case if the user has begun in lower case. Adds none to an empty word,
  // because the list would be long.
  void AddKeywords(std::span<const std::string_view> keywords) {
    const bool is_lower = !text_.empty() && std::islower(static_cast<unsigned char>(text_[0])) != 0;
    if (is_quoted_) return;
    for (const std::string_view keyword : keywords) {
      if (!Begins(keyword, text_)) continue;
      std::string word(keyword);
      if (is_lower) {
        std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
      }
      candidates_.insert(word);
    }
  }

  bool empty() const { return text_.empty(); }
  std::vector<std::string> candidates() const { return {candidates_.begin(), candidates_.end()}; }

 private:
  const std::string text_;
  const bool is_quoted_;
  std::set<std::string> candidates_;
};

const char* EndOf(std::string_view text) { return text.data() + text.size(); }

void AddTables(const Database& database, TypedWord* word) {
  const auto names = TableNames(database);
  if (!names.ok()) return;
  for (const std::string& name : *names) word->AddName(name);
}

void AddIndexes(const Database& database, const std::string& table, TypedWord* word) {
  const auto described = database.DescribeTable(table, ContentSizes::kOmit);
  if (!described.ok()) return;
  for (const auto& global : described->global_secondary_indexes) word->AddName(global.index.name);
  for (const auto& local : described->local_secondary_indexes) word->AddName(local.index.name);
}

void AddAttributes(const Database& database, const std::string& name, TypedWord* word) {
  const auto described = database.DescribeTable(name, ContentSizes::kOmit);
  const auto table = database.OpenTable(name);
  if (!described.ok() || !table.ok()) return;
  const auto sample = ReadSample(*table, *described, kCompletedItems);
  if (!sample.ok()) return;
  for (const Item& item : sample->items) {
    for (const auto& [attribute, value] : item) word->AddName(attribute);
  }
}

// Adds the attributes of the table, or of the first tables if `table` is empty.
void AddAttributesOfTarget(const Database& database, const std::string& table, TypedWord* word) {
  if (!table.empty()) return AddAttributes(database, table, word);
  const auto names = TableNames(database);
  if (!names.ok()) return;
  for (std::size_t i = 0; i < std::min(names->size(), kSampledTablesMax); ++i) {
    AddAttributes(database, (*names)[i], word);
  }
}

bool IsBeforeTable(const StatementWord& before) {
  return IsKeyword(before, "FROM") || IsKeyword(before, "INTO") || IsKeyword(before, "UPDATE");
}

// Adds the candidates that fit behind the words before the word.
void AddCandidates(const Database& database, const std::vector<StatementWord>& words,
                   const std::string& table, TypedWord* word) {
  const std::size_t count = words.size();
  if (count == 0) return word->AddKeywords(kFirstWords);
  if (IsBeforeTable(words[count - 1])) return AddTables(database, word);
  if (IsMark(words[count - 1], ".")) {
    const bool is_target = count >= 3 && IsBeforeTable(words[count - 3]);
    return is_target ? AddIndexes(database, words[count - 2].Content(), word) : void();
  }
  if (IsKeyword(words[0], "EXPLAIN") && count == 1) return word->AddKeywords(kFirstWords);
  if (!word->empty()) word->AddKeywords(kKeywords);
  AddAttributesOfTarget(database, table, word);
}

}  // namespace

Completion CompleteStatement(const Database& database, std::string_view before,
                             std::string_view after) {
  const std::string all = std::string(before) + " " + std::string(after);
  const StatementTarget target = TargetOf(StatementWords(all));
  std::vector<StatementWord> words = StatementWords(before);
  StatementWord last;
  const bool ends_in_word = !words.empty() && (words.back().kind == StatementWord::Kind::kWord
                                                   ? EndOf(words.back().text) == EndOf(before)
                                                   : !words.back().is_closed);
  if (ends_in_word) {
    last = words.back();
    words.pop_back();
    if (last.kind == StatementWord::Kind::kString) return {.begin = before.size()};
  }
  TypedWord word(ends_in_word ? &last : nullptr);
  AddCandidates(database, words, target.table, &word);
  return {.begin = ends_in_word ? before.size() - last.text.size() : before.size(),
          .candidates = word.candidates()};
}

}  // namespace dolmen::command
