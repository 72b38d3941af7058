// Tests of encoded keys: the bytes of keys, ranges of keys, and the parts that are read from keys.

#include "engine/key/encoded_key.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/engine/keyspaces.h"

namespace dolmen::engine {
namespace {

using namespace std::string_view_literals;

EncodedKey WithTerminated(const std::vector<std::string_view>& attributes) {
  EncodedKey key(kTable);
  for (const std::string_view attribute : attributes) key.AppendTerminated(attribute);
  return key;
}

TEST(EncodedKeyTest, AKeyBeginsWithItsKeyspaceInBigEndian) {
  EXPECT_EQ(EncodedKey(static_cast<KeyspaceId>(0x01020304)).bytes(), "\1\2\3\4"sv);
  for (const std::uint32_t number : {0U, 1U, 16U, 0x80U, 0xFFFEU, 0xFFFFFFFEU}) {
    const auto keyspace = static_cast<KeyspaceId>(number);
    EXPECT_EQ(KeyspaceOf(EncodedKey(keyspace).bytes()), keyspace) << number;
  }
}

TEST(EncodedKeyTest, TheDefaultKeySortsBeforeEveryKey) {
  EXPECT_LT(EncodedKey(), EncodedKey(KeyspaceId::kMeta));
  EXPECT_EQ(EncodedKey().bytes(), "");
}

TEST(EncodedKeyTest, NumbersSortByValue) {
  const auto encoded = [](std::uint64_t number) {
    EncodedKey key;
    key.AppendBigEndian(number);
    return key;
  };
  const std::vector<std::uint64_t> ascending = {0, 1, 255, 256, 1ULL << 31, 1ULL << 63, UINT64_MAX};
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    EXPECT_EQ(ReadBigEndian(encoded(ascending[i]).bytes()), ascending[i]);
    if (i > 0) {
      EXPECT_LT(encoded(ascending[i - 1]), encoded(ascending[i])) << ascending[i];
    }
  }
}

TEST(EncodedKeyTest, NoKeyLiesBetweenAKeyAndItsSuccessor) {
  const EncodedKey key = EncodedKey::FromBytes("a\xff");
  EncodedKey next = key;
  next.AdvancePast();
  EXPECT_EQ(next.bytes(), "a\xff\0"sv);
  EXPECT_LT(key, next);
}

TEST(EncodedKeyTest, APrefixRangeHoldsExactlyTheKeysWithThePrefix) {
  struct {
    std::string_view prefix;
    std::string_view upper;
  } const cases[] = {
      {"a", "b"}, {"a\xff"sv, "b"}, {"a\xff\xff"sv, "b"}, {"a\0"sv, "a\1"sv}, {"a\xfe"sv, "a\xff"}};
  for (const auto& [prefix, upper] : cases) {
    const KeyRange range = PrefixRange(EncodedKey::FromBytes(prefix));
    EXPECT_EQ(range.upper.bytes(), upper);
    EXPECT_TRUE(range.Contains(prefix));
    EXPECT_TRUE(range.Contains(std::string(prefix) + "\xff\xff\xff"));
    EXPECT_FALSE(range.Contains(upper));
    EXPECT_FALSE(range.Contains(prefix.substr(0, prefix.size() - 1)));
  }
}

TEST(EncodedKeyTest, TheFirstAttributeIsReadBack) {
  for (const std::string_view attribute :
       {""sv, "a"sv, "\0"sv, "\0\0"sv, "\0\1"sv, "a\0\xff"sv, "\xff\0"sv}) {
    const EncodedKey key = WithTerminated({attribute, "more\0"sv});
    EXPECT_EQ(FirstAttribute(key.bytes()), std::string(attribute));
  }
}

TEST(EncodedKeyTest, AKeyWithoutATerminatorHasNoFirstAttribute) {
  EncodedKey raw(kTable);
  raw.AppendRaw("ab");
  EncodedKey escaped(kTable);
  escaped.AppendEscaped("a\0"sv);
  EncodedKey cut(kTable);
  cut.AppendRaw("a\0"sv);
  for (const EncodedKey& key : {EncodedKey(), EncodedKey(kTable), raw, escaped, cut}) {
    EXPECT_EQ(FirstAttribute(key.bytes()), std::nullopt);
  }
}

TEST(EncodedKeyTest, PrefixBytesCountsTheKeyspaceAndTerminatedAttributes) {
  EncodedKey key = WithTerminated({"a\0b"sv, ""});
  key.AppendRaw("raw");
  // The bytes are the keyspace (4 bytes), the first attribute (61 00FF 62 0001), and the second,
  // empty attribute (0001).
  EXPECT_EQ(PrefixBytes(key.bytes(), 0), 4U);
  EXPECT_EQ(PrefixBytes(key.bytes(), 1), 10U);
  EXPECT_EQ(PrefixBytes(key.bytes(), 2), 12U);
  EXPECT_EQ(PrefixBytes(key.bytes(), 3), key.bytes().size());
  EXPECT_EQ(PrefixBytes("ab", 0), 2U);
  EXPECT_EQ(PrefixBytes("\0\0\0\20a\0"sv, 1), 6U) << "the terminator is cut";
}

TEST(EncodedKeyTest, MetaKeysAreInTheDatabasesOwnKeyspace) {
  EXPECT_EQ(MetaKey("next").bytes(), "\0\0\0\0next"sv);
  EXPECT_EQ(MetaKey("purge", kTable).bytes(), "\0\0\0\0purge\0\0\0\20"sv);
}

}  // namespace
}  // namespace dolmen::engine
