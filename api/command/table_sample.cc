#include "command/table_sample.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "engine/base/status_macros.h"

namespace dolmen::command {
namespace {

constexpr std::uint64_t kBytesMax = 64'000'000;
constexpr std::uint32_t kPageItems = 256;

// A sample holds equally many items for each of up to 8 first words of partition keys, such as USER. A
// table with more words has fewer items of each word in its sample.
constexpr std::uint64_t kWords = 8;

// Returns the beginning of a partition key up to its first separator. Returns "" if the key is not a
// string, or has no separator behind its first character.
std::string WordOf(const Item& key, const std::string& name) {
  const auto* text = key.find(name)->second.get_if<std::string>();
  if (text == nullptr) return {};
  const std::size_t end = text->find_first_of("#/|");
  return end == text->npos || end == 0 ? std::string() : text->substr(0, end + 1);
}

// Returns the smallest value of the type that is useful as the start of a scan.
AttributeValue SmallestKey(AttributeType type) {
  if (type == AttributeType::kN) return Number(INT64_MIN);
  const std::string zero(1, '\0');
  return type == AttributeType::kB ? AttributeValue(Binary{zero}) : AttributeValue(zero);
}

class Sampler {
 public:
  Sampler(const Table& table, const TableDescription& description, std::uint64_t items_max)
      : table_(table), description_(description), items_max_(items_max) {}

  Result<TableSample> Read() {
    // Tries to read one item more than the sample can have, to learn whether the table has more.
    DOLMEN_RETURN_IF_ERROR(ReadFrom({}, items_max_ + 1, /*one_word=*/false));
    if (next_.empty() && sample_.items.size() <= items_max_) return std::move(sample_);
    sample_ = {.is_whole = false};
    bytes_ = 0;
    const std::uint64_t share = std::max<std::uint64_t>(1, items_max_ / kWords);
    Item start;
    do {
      const std::uint64_t left = items_max_ - sample_.items.size();
      DOLMEN_RETURN_IF_ERROR(ReadFrom(start, std::min(share, left), /*one_word=*/true));
      start = NextStart();
    } while (!start.empty() && !IsFull());
    return std::move(sample_);
  }

 private:
  bool IsFull() const { return sample_.items.size() >= items_max_ || bytes_ >= kBytesMax; }

  // Reads up to `count` more items. With `one_word`, ends at an item whose key has another word than
  // the first one. Sets next_ to the place of the last item, or to nothing at the end of the table.
  Status ReadFrom(Item start, std::uint64_t count, bool one_word) {
    const std::uint64_t end = sample_.items.size() + count;
    std::string word;
    ScanOutput page;
    next_ = std::move(start);
    do {
      const auto wanted = std::min<std::uint64_t>(kPageItems, end - sample_.items.size());
      DOLMEN_RETURN_IF_ERROR(table_.Scan(
          {.limit = static_cast<std::uint32_t>(wanted), .exclusive_start_key = std::move(next_)},
          &page));
      next_ = page.last_evaluated_key();
      for (const ItemView view : page) {
        DOLMEN_ASSIGN_OR_RETURN(Item item, view.Copy());
        const std::string of_item = WordOf(item, description_.partition_key.name);
        if (word.empty()) word = of_item;
        if (one_word && of_item != word) {
          next_ = LastKey();
          return {};
        }
        bytes_ += view.size_bytes();
        sample_.items.push_back(std::move(item));
      }
    } while (!next_.empty() && sample_.items.size() < end && bytes_ < kBytesMax);
    return {};
  }

  // Returns the key of the last item of the sample.
  Item LastKey() const {
    const Item& last = sample_.items.back();
    Item key{*last.find(description_.partition_key.name)};
    if (description_.sort_key) key.insert(*last.find(description_.sort_key->name));
    return key;
  }

  // Returns the start of the next part. Skips the keys of the last word the first time that the word
  // occurs.
  Item NextStart() {
    if (next_.empty()) return {};
    std::string word = WordOf(next_, description_.partition_key.name);
    if (word.empty() || !words_.insert(word).second) return next_;
    ++word.back();  // behind all keys that begin with the word
    Item start{{description_.partition_key.name, word}};
    if (description_.sort_key) {
      start[description_.sort_key->name] = SmallestKey(description_.sort_key->type);
    }
    return start;
  }

  const Table& table_;
  const TableDescription& description_;
  const std::uint64_t items_max_;
  TableSample sample_;
  std::uint64_t bytes_ = 0;
  Item next_;
  std::set<std::string> words_;
};

}  // namespace

Result<TableSample> ReadSample(const Table& table, const TableDescription& description,
                               std::uint64_t items_max) {
  return Sampler(table, description, std::max<std::uint64_t>(1, items_max)).Read();
}

}  // namespace dolmen::command
