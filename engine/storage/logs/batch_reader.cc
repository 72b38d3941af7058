#include "engine/storage/logs/batch_reader.h"

#include <cstddef>

#include "engine/storage/files/little_endian.h"

namespace dolmen::engine {
namespace {

// A record is a RocksDB WriteBatch: the number of its first write, 8 bytes, and the count of its
// writes, 4 bytes, both with the least significant byte first, and the entries.
constexpr std::size_t kCountOffset = 8;
constexpr std::size_t kHeaderBytes = 12;
constexpr std::uint64_t kNumberMax = (std::uint64_t{1} << 56) - 1;  // RocksDB's limit

}  // namespace

std::optional<BatchNumbers> NumbersOf(std::string_view batch) {
  if (batch.size() < kHeaderBytes) return std::nullopt;
  return BatchNumbers{
      .first = LittleEndian(batch.substr(0, kCountOffset)),
      .count = LittleEndian(batch.substr(kCountOffset, kHeaderBytes - kCountOffset))};
}

bool ReadBatch(std::string_view record, const std::function<void(const BatchEntry&)>& on_entry) {
  const std::optional<BatchNumbers> numbers = NumbersOf(record);
  if (!numbers || numbers->first > kNumberMax - numbers->count) return false;
  std::uint64_t left = numbers->count;
  record.remove_prefix(kHeaderBytes);
  const auto take = [&]() -> std::optional<std::string_view> {
    const std::optional<std::uint64_t> size = TakeVarint(&record);
    if (!size || *size > record.size()) return std::nullopt;
    const std::string_view bytes = record.substr(0, *size);
    record.remove_prefix(*size);
    return bytes;
  };
  while (!record.empty()) {
    const auto type = static_cast<BatchEntryType>(record.front());
    record.remove_prefix(1);
    const bool has_value = type == BatchEntryType::kPut || type == BatchEntryType::kDeleteRange;
    const bool is_write = has_value || type == BatchEntryType::kDelete;
    if (!is_write && type != BatchEntryType::kLogData) return false;
    const std::optional<std::string_view> key = take();
    const std::optional<std::string_view> value = has_value ? take() : std::string_view();
    if (!key || !value || (is_write && left == 0)) return false;
    if (is_write) --left;
    on_entry({type, *key, *value});
  }
  return left == 0;
}

}  // namespace dolmen::engine
