// The place of a written row in the bytes of its batch.

#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace dolmen::engine {

// The place of a row in the bytes of the batch that writes it. The batch may still grow and move.
struct WrittenRow {
  std::size_t key_start;
  std::size_t key_bytes;
  std::size_t value_start = 0;
  std::optional<std::size_t> value_bytes = {};  // nothing: the batch deletes the row

  std::string_view key(std::string_view batch) const { return batch.substr(key_start, key_bytes); }
  std::optional<std::string_view> value(std::string_view batch) const {
    if (!value_bytes) return std::nullopt;
    return batch.substr(value_start, *value_bytes);
  }
};

}  // namespace dolmen::engine
