// Keys as RocksDB orders them.  FORMAT.md (engine/storage) has them byte by byte.
//
// Every table and every index is a keyspace: a run of keys that start with its number.  Behind it
// come the key attributes' bytes.  All but the last are escaped and terminated, so that one
// partition is one run and no partition's keys lie within another's; the last one, being last, is
// stored raw.

#pragma once

#include <boost/container/small_vector.hpp>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dolmen::engine {

// Numbers below kFirst belong to the database itself (catalog.h, token_log.h, positions.h).
enum class KeyspaceId : std::uint32_t {
  kMeta = 0,
  kCatalog = 1,
  kTokens = 2,
  kPositions = 3,
  kFirst = 16,
};

inline constexpr std::size_t kKeyspaceBytes = 4;

// A whole key, or the start of one.  A type of its own, so that nobody compares one with a user's
// key.
class EncodedKey {
 public:
  EncodedKey() = default;  // sorts before every key
  explicit EncodedKey(KeyspaceId keyspace);
  static EncodedKey FromBytes(std::string_view bytes);

  // Appends a key attribute's bytes so that others may follow: 00 becomes 00 FF, and 00 01 ends it.
  void AppendTerminated(std::string_view attribute);
  // The same without the end: the start of every attribute that starts with these bytes.
  void AppendEscaped(std::string_view attribute);
  // Appends a key attribute's bytes as the last part.
  void AppendRaw(std::string_view bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }

  // Appends a number that sorts as numbers do: 8 bytes, big-endian.
  void AppendBigEndian(std::uint64_t number);

  // Makes this the least key that is greater than it, or than every key that starts with it.
  void AdvancePast() { bytes_.push_back('\0'); }
  void AdvancePastPrefix();

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

// Keys from `lower` to just before `upper`.
struct KeyRange {
  EncodedKey lower;
  EncodedKey upper;

  bool Contains(std::string_view key) const { return lower.bytes() <= key && key < upper.bytes(); }
};

// The first attribute of a stored key, if AppendTerminated wrote it.
std::optional<std::string> FirstAttribute(std::string_view key);

// Every key that starts with `prefix`.
KeyRange PrefixRange(const EncodedKey& prefix);

// A key of the database's own, and one about a keyspace.
EncodedKey MetaKey(std::string_view name);
EncodedKey MetaKey(std::string_view name, KeyspaceId keyspace);

// What AppendBigEndian wrote.  REQUIRES: 8 bytes
std::uint64_t BigEndianAt(std::string_view bytes);

// The keyspace of a stored key.  REQUIRES: it has kKeyspaceBytes
KeyspaceId KeyspaceOf(std::string_view key);

// How many bytes of a stored key are its keyspace and its first `count` terminated attributes; all
// of it if there are not as many.
std::size_t PrefixBytes(std::string_view key, std::size_t count);

}  // namespace dolmen::engine
