// Keys as RocksDB stores and orders them, and ranges of keys.  FORMAT.md (engine/storage) defines
// the keys byte by byte.
//
// Every table and every index is a keyspace: a contiguous range of keys that start with its number.
// The bytes of the key attributes follow that number.  All attributes but the last are escaped and
// terminated.  The keys of a partition are therefore contiguous, and no other partition's keys lie
// between them.  The last attribute is stored raw, because no attribute follows it.
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

// The number of a keyspace.  Tables and indexes have kFirst and above.  The numbers below kFirst
// belong to the database itself (catalog.h, token_log.h, positions.h).
// The numbers are stored: a new release never changes or reuses one.
enum class KeyspaceId : std::uint32_t {
  kMeta = 0,
  kCatalog = 1,
  kTokens = 2,
  kPositions = 3,
  kFirst = 16,
};

inline constexpr std::size_t kKeyspaceBytes = 4;

// A whole encoded key, or a prefix of one.  The type exists so that no code compares an encoded key
// with the key of a user's item.  A value that owns its bytes; const methods are thread-safe.
class EncodedKey {
 public:
  EncodedKey() = default;                    // sorts before every key
  explicit EncodedKey(KeyspaceId keyspace);  // sorts before every key of the keyspace
  // Returns the key with these bytes, which are copied.
  static EncodedKey FromBytes(std::string_view bytes);

  // Appends a key attribute's bytes so that other attributes may follow.  Writes each 00 as 00 FF
  // and ends with 00 01.
  void AppendTerminated(std::string_view attribute);
  // Appends a key attribute's bytes, each 00 as 00 FF, without the final 00 01.  The key is then
  // the prefix of every key whose attribute starts with these bytes.
  void AppendEscaped(std::string_view attribute);
  // Appends bytes without escaping them.  Writes the last attribute of a key.
  void AppendRaw(std::string_view bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }

  // Appends a number as 8 bytes, big-endian, so that its bytes sort as the number does.
  void AppendBigEndian(std::uint64_t number);

  // Changes this key to the least key that is greater than it.
  void AdvancePast() { bytes_.push_back('\0'); }
  // Changes this key to the least key that is greater than every key that starts with it.
  void AdvancePastPrefix();

  // The view lives until the key is changed, moved from or destroyed.
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

// A range of keys: `lower` is in it, `upper` is not.
struct KeyRange {
  EncodedKey lower;
  EncodedKey upper;

  bool Contains(std::string_view key) const { return lower.bytes() <= key && key < upper.bytes(); }
};

// Returns the first attribute of a stored key, unescaped, or nothing if the key contains no end of
// an attribute that AppendTerminated wrote.
std::optional<std::string> FirstAttribute(std::string_view key);

// Returns the range of all keys that start with `prefix`.
KeyRange PrefixRange(const EncodedKey& prefix);

// Returns the key of one of the database's own records.
EncodedKey MetaKey(std::string_view name);
// Returns the key of the database's own record `name` about a keyspace.
EncodedKey MetaKey(std::string_view name, KeyspaceId keyspace);

// Returns the number that AppendBigEndian wrote at the start of `bytes`.
// REQUIRES: `bytes` has at least 8 bytes.
std::uint64_t ReadBigEndian(std::string_view bytes);

// Returns the keyspace of a stored key.  REQUIRES: the key has at least kKeyspaceBytes bytes.
KeyspaceId KeyspaceOf(std::string_view key);

// Returns the number of bytes of a stored key's keyspace and its first `count` terminated
// attributes.  Returns the size of the key if it has fewer terminated attributes.
std::size_t PrefixBytes(std::string_view key, std::size_t count);

}  // namespace dolmen::engine
