#include "engine/repair/block.h"

#include <lz4.h>
#include <xxhash.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/storage/files/little_endian.h"

namespace dolmen::engine {
namespace {

// The types of compression that options.cc selects.
constexpr char kNone = 0;
constexpr char kLz4 = 4;

// A block is larger than this only if one item is; the sum of an item's versions in a stream record
// has less than a megabyte.
constexpr std::size_t kBlockBytesMax = kFoundBytesMax - kTrailerBytes;
constexpr std::size_t kSmallestKeyBytes = 12;  // a keyspace, and the number and type of a version
constexpr std::size_t kRestartBytes = 4;

// The types of versions. https://github.com/facebook/rocksdb/wiki/Rocksdb-BlockBasedTable-Format
constexpr std::uint64_t kDeletion = 0;
constexpr std::uint64_t kValue = 1;
constexpr std::uint64_t kSingleDeletion = 7;
constexpr std::uint64_t kRangeDeletion = 15;
constexpr std::size_t kVersionBytes = 8;  // the number, shifted by one byte, and the type

// A reader of the entries of a block.
class EntryReader {
 public:
  // Returns a reader, or nothing if the end of the block is not sound.
  static std::optional<EntryReader> Create(std::string_view block) {
    constexpr std::uint32_t kHasHashIndex = std::uint32_t{1} << 31;
    constexpr std::size_t kCountBytes = 4;
    if (block.size() < kCountBytes) return std::nullopt;
    const auto packed =
        static_cast<std::uint32_t>(LittleEndian(block.substr(block.size() - kCountBytes)));
    std::uint64_t end_bytes = kCountBytes;
    if ((packed & kHasHashIndex) != 0) {
      constexpr std::size_t kBucketCountBytes = 2;
      if (block.size() < kCountBytes + kBucketCountBytes) return std::nullopt;
      const std::size_t at = block.size() - kCountBytes - kBucketCountBytes;
      end_bytes += kBucketCountBytes + LittleEndian(block.substr(at, kBucketCountBytes));
    }
    end_bytes += std::uint64_t{packed & ~kHasHashIndex} * kRestartBytes;
    if (end_bytes > block.size()) return std::nullopt;
    return EntryReader(block.substr(0, block.size() - end_bytes));
  }

  bool at_end() const { return rest_.empty(); }
  const std::string& key() const { return key_; }

  // Reads the key of the next entry. Returns false if the entry is damaged.
  bool ReadKey() {
    const auto shared = TakeVarint(&rest_);
    const auto own = TakeVarint(&rest_);
    const auto value_size = has_value_size_ ? TakeVarint(&rest_) : std::optional<std::uint64_t>(0);
    if (!shared || !own || !value_size || *shared > key_.size() || *own > rest_.size())
      return false;
    key_.resize(*shared);
    key_.append(rest_.substr(0, *own));
    rest_.remove_prefix(*own);
    value_size_ = *value_size;
    return true;
  }

  // Returns the value of the entry. Returns nothing if the entry is damaged.
  std::optional<std::string_view> ReadValue() {
    if (value_size_ > rest_.size()) return std::nullopt;
    const std::string_view value = rest_.substr(0, value_size_);
    rest_.remove_prefix(value_size_);
    return value;
  }

  // Makes the reader read an index block: a place, which has no size, is the value of an entry.
  void ReadPlaces() { has_value_size_ = false; }
  std::optional<BlockPlace> ReadPlace() { return TakePlace(&rest_); }

 private:
  explicit EntryReader(std::string_view entries) : rest_(entries) {}

  std::string_view rest_;
  bool has_value_size_ = true;
  std::string key_;
  std::uint64_t value_size_ = 0;
};

// Adds an entry of a block to the contents. Returns false if it has no known type.
bool AddEntry(std::string_view key, std::string_view value, BlockContents* contents) {
  if (key.size() < kVersionBytes) return false;
  const std::uint64_t packed = LittleEndian(key.substr(key.size() - kVersionBytes));
  const std::uint64_t number = packed >> 8;
  const std::uint64_t type = packed & 0xFF;
  std::string own(key.substr(0, key.size() - kVersionBytes));
  if (type == kRangeDeletion) {
    contents->deleted.push_back({std::move(own), std::string(value), number});
    return true;
  }
  Version version{.key = std::move(own), .number = number};
  if (type == kValue) version.value = value;
  if (type != kValue && type != kDeletion && type != kSingleDeletion) return false;
  if (!contents->versions.empty() && !Precedes(contents->versions.back(), version)) return false;
  contents->versions.push_back(std::move(version));
  return true;
}

}  // namespace

// The first entry of a block shares no bytes with an entry before it, so that its first byte is zero.
// LZ4 stores the first bytes of a block unchanged, behind the size of the contents and a token.
bool MayBeginBlock(std::string_view bytes) {
  const auto size_of = [](std::string_view* rest) { return TakeVarint(rest).value_or(0); };
  std::string_view rest = bytes.substr(0, 16);
  if (rest.empty()) return false;
  if (rest[0] == 0) {
    rest.remove_prefix(1);
    if (size_of(&rest) >= kSmallestKeyBytes) return true;
    rest = bytes.substr(0, 16);
  }
  const std::uint64_t size = size_of(&rest);
  if (size < kSmallestKeyBytes || size > 2 * kBlockBytesMax || rest.size() < 3) return false;
  const int literals = static_cast<unsigned char>(rest[0]) >> 4;
  constexpr int kMore = 15;  // the number of literals continues in the next byte
  return literals > 0 && rest[literals == kMore ? 2 : 1] == 0;
}

std::optional<std::size_t> FindBlockSize(std::string_view bytes) {
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(),
                                                                       &XXH3_freeState);
  if (state == nullptr || XXH3_64bits_reset(state.get()) != XXH_OK) return std::nullopt;
  std::size_t hashed = 0;
  for (std::size_t size = kSmallestKeyBytes;
       size < kBlockBytesMax && size + kTrailerBytes <= bytes.size(); ++size) {
    const char type = bytes[size];
    if (type != kNone && type != kLz4) continue;
    XXH3_64bits_update(state.get(), bytes.data() + hashed, size - hashed);
    hashed = size;
    if (ToBlockChecksum(XXH3_64bits_digest(state.get()), type) ==
        LittleEndian(bytes.substr(size + 1, kTrailerBytes - 1))) {
      return size;
    }
  }
  return std::nullopt;
}

std::optional<std::string> Uncompress(std::string_view bytes) {
  std::string_view block = bytes.substr(0, bytes.size() - kTrailerBytes);
  const char type = bytes[block.size()];
  if (type == kNone) return std::string(block);
  const std::optional<std::uint64_t> size = TakeVarint(&block);
  if (type != kLz4 || !size || *size > 2 * kBlockBytesMax) return std::nullopt;
  std::string contents(*size, '\0');
  const int count =
      LZ4_decompress_safe(block.data(), contents.data(), static_cast<int>(block.size()),
                          static_cast<int>(contents.size()));
  if (count < 0 || static_cast<std::uint64_t>(count) != *size) return std::nullopt;
  return contents;
}

std::optional<BlockContents> DecodeBlock(std::string_view block) {
  std::optional<EntryReader> reader = EntryReader::Create(block);
  BlockContents contents;
  while (reader && !reader->at_end()) {
    if (!reader->ReadKey()) return std::nullopt;
    const std::optional<std::string_view> value = reader->ReadValue();
    if (!value || !AddEntry(reader->key(), *value, &contents)) return std::nullopt;
  }
  return reader ? std::optional(std::move(contents)) : std::nullopt;
}

std::optional<std::vector<BlockPlace>> DecodeIndexBlock(std::string_view block) {
  std::optional<EntryReader> reader = EntryReader::Create(block);
  if (!reader) return std::nullopt;
  reader->ReadPlaces();
  std::vector<BlockPlace> places;
  while (!reader->at_end()) {
    const std::optional<BlockPlace> place = reader->ReadKey() ? reader->ReadPlace() : std::nullopt;
    if (!place || place->size > kBlockBytesMax) return std::nullopt;
    places.push_back(*place);
  }
  return places;
}

}  // namespace dolmen::engine
