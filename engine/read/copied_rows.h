// A list of rows copied out of the store.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dolmen::engine {

// Copied rows, stored one after the other in one string. For one thread.
class CopiedRows {
 public:
  void Append(std::string_view key, std::string_view value) {
    rows_.push_back({bytes_.size(), key.size(), value.size()});
    bytes_.append(key).append(value);
  }

  std::size_t size() const { return rows_.size(); }
  std::size_t bytes() const { return bytes_.size(); }

  // Return views that live until the next Append(). REQUIRES: i < size()
  std::string_view key(std::size_t i) const {
    return std::string_view(bytes_).substr(rows_[i].start, rows_[i].key_bytes);
  }
  std::string_view value(std::size_t i) const {
    return std::string_view(bytes_).substr(rows_[i].start + rows_[i].key_bytes,
                                           rows_[i].value_bytes);
  }

 private:
  struct Row {
    std::size_t start;
    std::size_t key_bytes;
    std::size_t value_bytes;
  };

  std::string bytes_;
  std::vector<Row> rows_;
};

}  // namespace dolmen::engine
