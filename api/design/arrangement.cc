#include "design/arrangement.h"

#include <algorithm>
#include <compare>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "design/text.h"

namespace dolmen::picture {
namespace {

// The values of several key attributes, compared as keys are.
using KeyValues = std::vector<const AttributeValue*>;

template <typename T>
std::weak_ordering CompareAs(const AttributeValue& a, const AttributeValue& b) {
  return *a.get_if<T>() <=> *b.get_if<T>();
}

std::weak_ordering Compare(const AttributeValue& a, const AttributeValue& b) {
  if (a.type() != b.type()) return a.type() <=> b.type();
  switch (a.type()) {
    case AttributeType::kS:
      return CompareAs<std::string>(a, b);
    case AttributeType::kN:
      return CompareAs<Number>(a, b);
    case AttributeType::kB:
      return CompareAs<Binary>(a, b);
    default:
      return std::weak_ordering::equivalent;  // no key has another type
  }
}

struct KeysLess {
  bool operator()(const KeyValues& a, const KeyValues& b) const {
    return std::ranges::lexicographical_compare(
        a, b, [](const auto* x, const auto* y) { return Compare(*x, *y) < 0; });
  }
};

// Returns the values of the attributes, or nothing if the item lacks one.
KeyValues ValuesOf(const Item& item, const std::vector<std::string>& names) {
  KeyValues values;
  for (const std::string& name : names) {
    const auto found = item.find(name);
    if (found == item.end()) return {};
    values.push_back(&found->second);
  }
  return values;
}

std::string KeyText(const KeyValues& values) {
  std::string text;
  for (const AttributeValue* value : values) {
    text.append(text.empty() ? "" : " · ").append(ValueText(*value));
  }
  return text;
}

// Returns the literal that a key of a single-table design begins with: MSG of MSG#01HW, METADATA of
// #METADATA. Returns "" if the key is not a string, or has digits before its first separator.
std::string LeadingWord(const AttributeValue& value) {
  const auto* key = value.get_if<std::string>();
  if (key == nullptr) return {};
  const std::size_t start = key->find_first_not_of("#/|");
  if (start == key->npos) return {};
  const std::string word = key->substr(start, key->find_first_of("#/|", start) - start);
  const bool is_word = std::ranges::all_of(word, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
  });
  return is_word ? word : std::string();
}

// Returns the name of the item's kind: its type attribute, or else the literal of its sort key or of
// its partition key.
std::string KindName(const TableDescription& table, const Item& item,
                     const PictureOptions& options) {
  for (const std::string& name : options.type_attributes) {
    const auto found = item.find(name);
    if (found != item.end() && found->second.type() == AttributeType::kS) {
      return ValueText(found->second);
    }
  }
  if (table.sort_key) {
    const auto sort = item.find(table.sort_key->name);
    if (sort != item.end() && !LeadingWord(sort->second).empty()) return LeadingWord(sort->second);
  }
  const std::string word = LeadingWord(item.find(table.partition_key.name)->second);
  return word.empty() ? "item" : word;
}

std::size_t PositionOf(const std::string& name, std::vector<Kind>* kinds) {
  const auto found = std::ranges::find(*kinds, name, &Kind::name);
  if (found != kinds->end()) return static_cast<std::size_t>(found - kinds->begin());
  kinds->push_back({.name = name});
  return kinds->size() - 1;
}

struct SortedEntry {
  KeyValues sort = {};
  KeyValues table_key = {};
  Entry entry = {};
};
using Partitions = std::map<KeyValues, std::vector<SortedEntry>, KeysLess>;

std::set<std::size_t> KindsOf(const std::vector<SortedEntry>& entries) {
  std::set<std::size_t> kinds;
  for (const SortedEntry& entry : entries) kinds.insert(entry.entry.kind);
  return kinds;
}

// Selects at most `count_max` positions of `groups`, which holds the group of each position. Takes
// one position of each group in turn, so that no group hides the others.
template <typename Group>
std::vector<bool> Select(const std::vector<Group>& groups, std::size_t count_max) {
  std::map<Group, std::vector<std::size_t>> positions;
  for (std::size_t i = 0; i < groups.size(); ++i) positions[groups[i]].push_back(i);
  std::vector<bool> selected(groups.size(), false);
  std::size_t left = std::min(count_max, groups.size());
  for (std::size_t round = 0; left > 0; ++round) {
    for (const auto& [group, members] : positions) {
      if (round >= members.size() || left == 0) continue;
      selected[members[round]] = true;
      --left;
    }
  }
  return selected;
}

void Hide(const Entry& entry, std::vector<Line>* lines) {
  if (lines->empty() || lines->back().entry.item != nullptr) lines->emplace_back();
  Line& line = lines->back();
  ++line.hidden_count;
  if (std::ranges::count(line.hidden_kinds, entry.kind) == 0) {
    line.hidden_kinds.push_back(entry.kind);
  }
}

Partition ArrangePartition(const KeyValues& key, const std::vector<SortedEntry>& entries,
                           std::size_t items_max) {
  Partition partition{.key = KeyText(key), .item_count = entries.size()};
  std::vector<std::size_t> kinds;
  for (const SortedEntry& entry : entries) kinds.push_back(entry.entry.kind);
  const std::vector<bool> selected = Select(kinds, items_max);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (selected[i]) {
      partition.lines.push_back({.entry = entries[i].entry, .sort = KeyText(entries[i].sort)});
    } else {
      Hide(entries[i].entry, &partition.lines);
    }
  }
  return partition;
}

void SortEntries(std::vector<SortedEntry>* entries) {
  std::ranges::stable_sort(*entries, [](const SortedEntry& a, const SortedEntry& b) {
    if (KeysLess()(a.sort, b.sort)) return true;
    return !KeysLess()(b.sort, a.sort) && KeysLess()(a.table_key, b.table_key);
  });
}

std::vector<std::string> TableKeyNames(const TableDescription& table) {
  std::vector<std::string> names{table.partition_key.name};
  if (table.sort_key) names.push_back(table.sort_key->name);
  return names;
}

// Fills the partitions of a section that has its names already.
void Fill(const TableDescription& table, const std::vector<Entry>& entries,
          const PictureOptions& options, Section* section) {
  Partitions partitions;
  for (const Entry& entry : entries) {
    const KeyValues partition = ValuesOf(*entry.item, section->partition_names);
    const KeyValues sort = ValuesOf(*entry.item, section->sort_names);
    if (partition.empty() || sort.size() != section->sort_names.size()) continue;
    partitions[partition].push_back({sort, ValuesOf(*entry.item, TableKeyNames(table)), entry});
    ++section->item_count;
  }
  std::vector<std::set<std::size_t>> kinds;
  for (auto& [key, of_partition] : partitions) {
    SortEntries(&of_partition);
    kinds.push_back(KindsOf(of_partition));
  }
  section->partition_count = partitions.size();
  const std::vector<bool> selected = Select(kinds, options.partitions_max);
  std::size_t position = 0;
  for (const auto& [key, of_partition] : partitions) {
    if (!selected[position++]) continue;
    section->partitions.push_back(ArrangePartition(key, of_partition, options.items_max));
  }
}

std::vector<std::string> NamesOf(const std::vector<KeyAttribute>& keys) {
  std::vector<std::string> names;
  for (const KeyAttribute& key : keys) names.push_back(key.name);
  return names;
}

// Returns the names of the attributes that an index holds besides its own keys; nothing if it holds
// all attributes.
template <typename Index>
std::optional<std::vector<std::string>> ProjectedNames(const TableDescription& table,
                                                       const Index& index) {
  if (index.projection == ProjectionType::kAll) return std::nullopt;
  std::vector<std::string> names = TableKeyNames(table);
  names.insert(names.end(), index.non_key_attributes.begin(), index.non_key_attributes.end());
  return names;
}

// Returns the table and its indexes without items.
std::vector<Section> EmptySections(const TableDescription& table) {
  std::vector<Section> sections{{.partition_names = {table.partition_key.name}}};
  if (table.sort_key) sections[0].sort_names = {table.sort_key->name};
  for (const auto& global : table.global_secondary_indexes) {
    sections.push_back({.index = global.index.name,
                        .partition_names = NamesOf(global.index.partition_key),
                        .sort_names = NamesOf(global.index.sort_key),
                        .attributes = ProjectedNames(table, global.index)});
  }
  for (const auto& local : table.local_secondary_indexes) {
    sections.push_back({.index = local.index.name,
                        .partition_names = {table.partition_key.name},
                        .sort_names = {local.index.sort_key.name},
                        .attributes = ProjectedNames(table, local.index)});
  }
  return sections;
}

}  // namespace

Arrangement Arrange(const TableDescription& table, std::span<const Item> items,
                    const PictureOptions& options) {
  Arrangement arrangement{.sections = EmptySections(table)};
  for (const std::string& kind : options.kinds) PositionOf(kind, &arrangement.kinds);
  std::vector<const Item*> sorted;
  for (const Item& item : items) {
    if (!ValuesOf(item, TableKeyNames(table)).empty()) sorted.push_back(&item);
  }
  // Sorts the items first, so that their order does not decide the colours of the kinds.
  std::ranges::stable_sort(sorted, KeysLess(),
                           [&](const Item* item) { return ValuesOf(*item, TableKeyNames(table)); });
  std::vector<Entry> entries;
  for (const Item* item : sorted) {
    const std::size_t kind = PositionOf(KindName(table, *item, options), &arrangement.kinds);
    ++arrangement.kinds[kind].item_count;
    entries.push_back({item, kind});
  }
  for (Section& section : arrangement.sections) Fill(table, entries, options, &section);
  return arrangement;
}

}  // namespace dolmen::picture
