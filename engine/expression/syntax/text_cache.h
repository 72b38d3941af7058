// The cache of parsed texts, for trees of any type: expressions (syntax_cache.h) and statements
// (api/database/statement). If a program repeats a text, the text is usually parsed only once.

#pragma once

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "dolmen/result.h"
#include "engine/base/mutex.h"
#include "engine/base/status_macros.h"
#include "engine/expression/syntax/syntax_cache.h"

namespace dolmen::engine {

// A map from texts to trees, divided into small sets. The hash of a text selects the set that may
// hold the tree. A lookup never waits: if another thread has locked the set, the lookup finds
// nothing, and the caller parses the text. Parsing takes no longer than waiting. Thread-safe.
template <typename Syntax>
class SyntaxCache {
 public:
  using Tree = std::shared_ptr<const Syntax>;

  // Returns the tree of the text, or null if the cache does not hold it.
  Tree Find(std::string_view text) {
    const std::uint64_t hash = XXH3_64bits(text.data(), text.size());
    Set& set = SelectSet(hash);
    if (!set.mutex.TryLock()) return nullptr;
    Tree tree = FindInSet(&set, hash, text);
    set.mutex.Unlock();
    return tree;
  }

  // Inserts the tree into the set that the hash of its text selects. If the set is full, evicts the
  // least recently used tree of the set. Does nothing if another thread has locked the set.
  void Insert(Tree tree) {
    const std::string_view text = TextOf(*tree);
    const std::uint64_t hash = XXH3_64bits(text.data(), text.size());
    Set& set = SelectSet(hash);
    if (!set.mutex.TryLock()) return;
    std::rotate(set.entries.begin(), set.entries.end() - 1, set.entries.end());
    set.entries.front() = {hash, std::move(tree)};
    set.mutex.Unlock();
  }

 private:
  struct Entry {
    std::uint64_t hash = 0;
    Tree tree;
  };
  static constexpr std::size_t kEntriesPerSet = 8;
  struct Set {
    Mutex mutex;
    std::array<Entry, kEntriesPerSet> entries DOLMEN_GUARDED_BY(mutex);  // most recently used first
  };

  // Returns the tree of the text and makes it the most recently used tree of the set. Returns null
  // if the set does not hold the tree. Does not throw, so the caller may unlock without a guard.
  static Tree FindInSet(Set* set, std::uint64_t hash, std::string_view text)
      DOLMEN_REQUIRES(set->mutex) {
    const auto found =
        std::find_if(set->entries.begin(), set->entries.end(), [&](const Entry& entry) {
          return entry.tree != nullptr && entry.hash == hash && TextOf(*entry.tree) == text;
        });
    if (found == set->entries.end()) return nullptr;
    std::rotate(set->entries.begin(), found, found + 1);
    return set->entries.front().tree;
  }

  static std::string_view TextOf(const Syntax& tree) {
    return {tree.text.data(), tree.text.size()};
  }
  Set& SelectSet(std::uint64_t hash) { return sets_[hash % sets_.size()]; }

  std::array<Set, kCachedTreesMax / kEntriesPerSet> sets_;
};

// Returns the cache that the process has for this type of tree. The cache is never destroyed,
// because threads may use the cache until the process ends.
template <typename Syntax>
SyntaxCache<Syntax>& ProcessCache() {
  static auto& cache = *new SyntaxCache<Syntax>();
  return cache;
}

// Returns the tree of the text from the cache. If the cache does not hold it, calls `parse`, which
// returns a Result<Syntax>, and keeps its tree if the text is not too long. Thread-safe if `parse`
// is.
template <typename Syntax, typename ParseText>
Result<std::shared_ptr<const Syntax>> FindOrParse(std::string_view text, ParseText parse) {
  const bool cacheable = text.size() <= kCachedTextBytesMax;
  if (cacheable) {
    if (auto found = ProcessCache<Syntax>().Find(text)) return found;
  }
  DOLMEN_ASSIGN_OR_RETURN(Syntax parsed, parse());
  auto tree = std::make_shared<const Syntax>(std::move(parsed));
  if (cacheable) ProcessCache<Syntax>().Insert(tree);
  return tree;
}

}  // namespace dolmen::engine
