#include "engine/key/encoded_key.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <iterator>

namespace dolmen::engine {
namespace {

constexpr char kEscape = '\x00';
constexpr char kEscapedZero = '\xFF';
// The terminator is less than kEscapedZero, so an attribute sorts before every longer attribute
// that begins with it.
constexpr char kTerminator = '\x01';

}  // namespace

EncodedKey::EncodedKey(KeyspaceId keyspace) {
  unsigned char bytes[kKeyspaceBytes];
  boost::endian::store_big_u32(bytes, static_cast<std::uint32_t>(keyspace));
  bytes_.assign(std::begin(bytes), std::end(bytes));
}

EncodedKey EncodedKey::FromBytes(std::string_view bytes) {
  EncodedKey key;
  key.AppendRaw(bytes);
  return key;
}

void EncodedKey::AppendEscaped(std::string_view attribute) {
  for (;;) {
    const std::size_t zero = attribute.find(kEscape);
    AppendRaw(attribute.substr(0, zero));
    if (zero == attribute.npos) return;
    bytes_.push_back(kEscape);
    bytes_.push_back(kEscapedZero);
    attribute.remove_prefix(zero + 1);
  }
}

void EncodedKey::AppendTerminated(std::string_view attribute) {
  AppendEscaped(attribute);
  bytes_.push_back(kEscape);
  bytes_.push_back(kTerminator);
}

void EncodedKey::AppendBigEndian(std::uint64_t number) {
  unsigned char bytes[sizeof number];
  boost::endian::store_big_u64(bytes, number);
  bytes_.insert(bytes_.end(), std::begin(bytes), std::end(bytes));
}

void EncodedKey::AdvancePastPrefix() {
  while (!bytes_.empty() && bytes_.back() == '\xFF') bytes_.pop_back();
  // In practice the key is not empty here: a key starts with the number of its keyspace, and at
  // least one byte of this number is not FF, because no keyspace has the number FF FF FF FF.
  if (!bytes_.empty()) bytes_.back() = static_cast<char>(bytes_.back() + 1);
}

EncodedKey MetaKey(std::string_view name) {
  EncodedKey key(KeyspaceId::kMeta);
  key.AppendRaw(name);
  return key;
}

EncodedKey MetaKey(std::string_view name, KeyspaceId keyspace) {
  EncodedKey key = MetaKey(name);
  key.AppendRaw(EncodedKey(keyspace).bytes());
  return key;
}

std::uint64_t ReadBigEndian(std::string_view bytes) {
  return boost::endian::load_big_u64(reinterpret_cast<const unsigned char*>(bytes.data()));
}

KeyspaceId KeyspaceOf(std::string_view key) {
  std::uint32_t id = 0;
  for (const char byte : key.substr(0, kKeyspaceBytes)) {
    id = id << 8 | static_cast<unsigned char>(byte);
  }
  return static_cast<KeyspaceId>(id);
}

std::size_t PrefixBytes(std::string_view key, std::size_t count) {
  std::size_t end = kKeyspaceBytes;
  while (count > 0) {
    const std::size_t zero = key.find(kEscape, end);
    if (zero >= key.size() || zero + 1 == key.size()) return key.size();
    if (key[zero + 1] == kTerminator) --count;
    end = zero + 2;
  }
  return std::min(end, key.size());
}

std::optional<std::string> FirstAttribute(std::string_view key) {
  std::string attribute;
  for (std::size_t i = kKeyspaceBytes; i < key.size(); ++i) {
    attribute.push_back(key[i]);
    if (key[i] != kEscape) continue;
    if (++i < key.size() && key[i] == kTerminator) {
      attribute.pop_back();
      return attribute;
    }
  }
  return std::nullopt;
}

KeyRange PrefixRange(const EncodedKey& prefix) {
  KeyRange range{prefix, prefix};
  range.upper.AdvancePastPrefix();
  return range;
}

}  // namespace dolmen::engine
