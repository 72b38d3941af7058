// Keys as RocksDB stores and orders them, and ranges of keys. FORMAT.md (engine/storage) defines
// the keys byte by byte.
//
// Every table and every index has a keyspace: a contiguous range of keys that start with the number
// of the keyspace. The bytes of the key attributes follow the number. All attributes but the last
// are escaped and terminated. The keys of a partition are therefore contiguous, and no other
// partition's keys lie between them. The last attribute is stored raw, because no attribute
// follows it.
//
// The functions may be called from any thread.

#pragma once

#include <boost/container/small_vector.hpp>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dolmen::engine {

// The number of a keyspace. Tables and indexes have the numbers from kFirst on. The numbers below
// kFirst are for internal records of the database (catalog.h, token_log.h, positions.h). The
// numbers are stored in databases, so a new release must not change or reuse a number.
enum class KeyspaceId : std::uint32_t {
  kMeta = 0,
  kCatalog = 1,
  kTokens = 2,
  kPositions = 3,
  kFirst = 16,
};

inline constexpr std::size_t kKeyspaceBytes = 4;

// A whole encoded key, or a prefix of an encoded key. It has its own type, so that no code compares
// an encoded key with the key of an item by mistake. A value that owns its bytes; const methods are
// thread-safe.
class EncodedKey {
 public:
  EncodedKey() = default;                    // sorts before every key
  explicit EncodedKey(KeyspaceId keyspace);  // sorts before every key of the keyspace
  // Returns the key with a copy of these bytes.
  static EncodedKey FromBytes(std::string_view bytes);

  // Appends the bytes of a key attribute that other attributes may follow. Writes each byte 00 as
  // 00 FF, and 00 01 at the end.
  void AppendTerminated(std::string_view attribute);
  // Appends the bytes of a key attribute without the final 00 01. Writes each byte 00 as 00 FF.
  // The result is the prefix of every key whose attribute starts with these bytes.
  void AppendEscaped(std::string_view attribute);
  // Appends bytes without escaping them. Used for the last attribute of a key.
  void AppendRaw(std::string_view bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }

  // Appends a number as 8 bytes, big-endian, so that the bytes of two numbers sort as the numbers
  // do.
  void AppendBigEndian(std::uint64_t number);

  // Changes this key to the smallest key that is greater than this key.
  void AdvancePast() { bytes_.push_back('\0'); }
  // Changes this key to the smallest key that is greater than every key that starts with this key.
  void AdvancePastPrefix();

  // Returns the bytes of the key. The view is valid until the key is changed, moved from or
  // destroyed.
  std::string_view bytes() const { return {bytes_.data(), bytes_.size()}; }

  friend bool operator==(const EncodedKey& a, const EncodedKey& b) {
    return a.bytes() == b.bytes();
  }
  friend std::strong_ordering operator<=>(const EncodedKey& a, const EncodedKey& b) {
    return a.bytes() <=> b.bytes();
  }

 private:
  boost::container::small_vector<char, 112> bytes_;
};

// A range of keys. The range includes `lower` and excludes `upper`.
struct KeyRange {
  EncodedKey lower;
  EncodedKey upper;

  bool Contains(std::string_view key) const { return lower.bytes() <= key && key < upper.bytes(); }
};

// Returns the first attribute of a stored key, unescaped. Returns nothing if the key has no
// attribute that AppendTerminated wrote.
std::optional<std::string> FirstAttribute(std::string_view key);

// Returns the range of all keys that start with `prefix`.
KeyRange PrefixRange(const EncodedKey& prefix);

// Returns the key of the internal record `name` of the database.
EncodedKey MetaKey(std::string_view name);
// Returns the key of the internal record `name` of a keyspace. Each keyspace may have one record
// with this name.
EncodedKey MetaKey(std::string_view name, KeyspaceId keyspace);

// Reads the number that AppendBigEndian wrote at the start of `bytes`.
// REQUIRES: `bytes` has at least 8 bytes.
std::uint64_t ReadBigEndian(std::string_view bytes);

// Returns the keyspace of a stored key. REQUIRES: the key has at least kKeyspaceBytes bytes.
KeyspaceId KeyspaceOf(std::string_view key);

// Returns the length in bytes of a prefix of a stored key: the keyspace and the first `count`
// terminated attributes. Returns the length of the whole key if the key has fewer terminated
// attributes.
std::size_t PrefixBytes(std::string_view key, std::size_t count);

}  // namespace dolmen::engine
