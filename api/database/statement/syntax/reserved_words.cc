#include "database/statement/syntax/reserved_words.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace dolmen::database {
namespace {

// The reserved words in byte order, separated by single spaces.
constexpr std::string_view kText =
    "absolute action add all allocate alter and any are as asc assertion at authorization avg "
    "bag begin between bit blob bool boolean by cascade cascaded case cast catalog char "
    "char_length character check clob close coalesce collate collation column commit conflict "
    "connect connection constraint constraints continue convert corresponding count create "
    "cross current cursor date deallocate dec decimal declare default deferrable deferred "
    "delete desc describe descriptor diagnostics disconnect distinct do domain double drop "
    "else end escape except exception exec execute exists external extract false fetch first "
    "float for foreign found from full get global go goto grant group having identity "
    "immediate in index indicator initially inner input insensitive insert int integer "
    "intersect interval into is isolation join key language last left let level like limit "
    "list local lower match max min missing modified module names national natural nchar new "
    "next no not nothing null nullif numeric of old on only open option or order outer output "
    "overlaps pad partial pivot position precision prepare preserve primary prior privileges "
    "procedure public read real references relative remove restrict returning revoke right "
    "rollback rows schema scroll section select session set sexp size smallint some space sql "
    "sqlcode sqlerror sqlstate string struct substring sum symbol table temporary then time "
    "timestamp to transaction translate translation trim true tuple union unique unknown "
    "unpivot update upper usage user using value values varchar varying view when whenever "
    "where with work write zone";
constexpr std::size_t kWordCount = 231;
constexpr std::size_t kLongestWord = 13;

constexpr std::array<std::string_view, kWordCount> SplitWords() {
  std::array<std::string_view, kWordCount> words;
  std::string_view rest = kText;
  for (std::string_view& word : words) {
    word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  }
  return words;
}
constexpr std::array<std::string_view, kWordCount> kWords = SplitWords();
static_assert(std::is_sorted(kWords.begin(), kWords.end()) && kWords.back() == "zone");

}  // namespace

bool IsReservedInStatements(std::string_view word) {
  if (word.size() > kLongestWord) return false;
  std::array<char, kLongestWord> lower{};
  std::transform(word.begin(), word.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  });
  return std::binary_search(kWords.begin(), kWords.end(),
                            std::string_view(lower.data(), word.size()));
}

}  // namespace dolmen::database
