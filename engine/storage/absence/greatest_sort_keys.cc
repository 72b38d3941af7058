#include "engine/storage/absence/greatest_sort_keys.h"

#include <xxhash.h>

#include <algorithm>

#include "engine/key/encoded_key.h"

namespace dolmen::engine {
namespace {

std::size_t ByteOf(char byte) { return static_cast<unsigned char>(byte); }

}  // namespace

std::optional<GreatestSortKeys::Row> GreatestSortKeys::RowOf(std::string_view key) {
  const std::string_view sort_key = key.substr(PrefixBytes(key, 1));
  if (sort_key.empty() || sort_key.find('\0') != sort_key.npos) return std::nullopt;
  const XXH64_hash_t kind = XXH3_64bits(sort_key.data(), KindBytes(sort_key));
  return Row{static_cast<std::size_t>(KeyspaceOf(key)) % kGroups, kind % kMarksPerGroup,
             sort_key.substr(0, kMarkBytes)};
}

bool GreatestSortKeys::IsAbove(const Row& row) const {
  if (groups_[row.group] == nullptr) return true;
  const Mark& mark = (*groups_[row.group])[row.number];
  return std::string_view(mark.data(), row.sort_key.size()) < row.sort_key;
}

void GreatestSortKeys::Add(const Row& row) {
  if (!IsAbove(row)) return;
  if (groups_[row.group] == nullptr) groups_[row.group] = std::make_unique<Group>();
  Mark& mark = (*groups_[row.group])[row.number];
  std::fill(std::copy(row.sort_key.begin(), row.sort_key.end(), mark.begin()), mark.end(), '\0');
}

std::string GreatestSortKeys::Encode() const {
  std::string bytes;
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    if (groups_[group] == nullptr) continue;
    for (std::size_t number = 0; number < kMarksPerGroup; ++number) {
      const Mark& mark = (*groups_[group])[number];
      const auto size = std::find(mark.begin(), mark.end(), '\0') - mark.begin();
      if (size == 0) continue;
      for (const auto byte : {group, number, static_cast<std::size_t>(size)}) {
        bytes.push_back(static_cast<char>(byte));
      }
      bytes.append(mark.begin(), mark.begin() + size);
    }
  }
  return bytes;
}

bool GreatestSortKeys::AddEncoded(std::string_view bytes) {
  while (!bytes.empty()) {
    if (bytes.size() < kHeaderBytes) return false;
    const Row row{ByteOf(bytes[0]), ByteOf(bytes[1]), bytes.substr(kHeaderBytes, ByteOf(bytes[2]))};
    if (row.group >= groups_.size() || row.sort_key.size() != ByteOf(bytes[2])) return false;
    if (row.sort_key.empty() || row.sort_key.size() > kMarkBytes) return false;
    Add(row);
    bytes.remove_prefix(kHeaderBytes + row.sort_key.size());
  }
  return true;
}

}  // namespace dolmen::engine
