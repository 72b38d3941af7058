// Tests of the example bytes (vectors) in FORMAT.md: the page and the code agree on the bytes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/algorithm/hex.hpp>
#include <boost/algorithm/string/replace.hpp>
#include <chrono>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "dolmen/dolmen.h"
#include "engine/key/key_codec.h"
#include "engine/storage/encryption/encrypted_files.h"
#include "engine/storage/files/marker.h"
#include "engine/stream/change_record.h"
#include "engine/stream/positions.h"
#include "engine/value/codec.h"
#include "tests/engine/keyspaces.h"
#include "tests/support/source_directory.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::engine {
namespace {

using testing::HasSubstr;

std::string Hex(std::string_view bytes) {
  std::string hex;
  boost::algorithm::hex_lower(bytes.begin(), bytes.end(), std::back_inserter(hex));
  return hex;
}

// Returns the text without its spaces.
std::string Squeezed(std::string text) {
  std::erase(text, ' ');
  return text;
}

// Returns the text of FORMAT.md without spaces, because spaces only separate the parts of the
// example bytes (vectors).
const std::string& Page() {
  static const std::string page = [] {
    std::ifstream file(test::SourceFile("/engine/storage/FORMAT.md"));
    std::stringstream text;
    text << file.rdbuf();
    return Squeezed(text.str());
  }();
  return page;
}

// Expects that `bytes` are equal to the vector, and that FORMAT.md contains the vector.
void ExpectVector(std::string_view bytes, const std::string& vector) {
  const std::string squeezed = Squeezed(vector);
  EXPECT_EQ(Hex(bytes), squeezed);
  EXPECT_THAT(Page(), HasSubstr("`" + squeezed + "`"));
}

// Returns the key 00 01 02 ... 1f.
EncryptionKey KeyOfVectors() {
  EncryptionKey key;
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = std::byte(i);
  return key;
}

TEST(FormatTest, RowKeysMatchTheVectors) {
  using namespace std::string_view_literals;
  const Number five(5);
  ExpectVector(RowKey(kTable, {"a\0b"sv, "x"}).bytes(), "00000010 6100ff62 0001 78");
  ExpectVector(RowKey(kTable, {"a"}).bytes(), "00000010 61 0001");
  ExpectVector(RowKey(kTable, {"a", five.encoded()}).bytes(), "00000010 61 0001 c106");
}

TEST(FormatTest, IndexEntryKeysMatchTheVectors) {
  ExpectVector(IndexEntryKey(kFirstIndex, {"u", "c"}, {"a", "x"}).bytes(),
               "00000011 75 0001 63 0001 61 0001 78");
}

TEST(FormatTest, NumbersMatchTheVectors) {
  const auto expect = [](std::string_view text, const std::string& vector) {
    const Result<Number> number = Number::Parse(text);
    ASSERT_TRUE(number.ok()) << text;
    ExpectVector(number->encoded(), vector);
  };
  expect("0", "80");
  expect("1", "c102");
  expect("-1", "3e6365");
  expect("10", "c10b");
  expect("123", "c20218");
  expect("1.5", "c10233");
  expect("-5", "3e5f65");
  expect("0.01", "c002");
  expect("1E-130", "8002");
  expect("-9.9999999999999999999999999999999999999E125",
         "000101010101010101010101010101010101010165");
}

TEST(FormatTest, ItemsMatchTheVectors) {
  const auto expect = [](const Item& item, std::uint32_t size, const std::string& vector) {
    std::string bytes;
    ASSERT_TRUE(EncodeItem(item, &bytes).ok());
    ExpectVector(bytes, vector);
    EXPECT_EQ(ItemView::Parse(bytes)->size_bytes(), size);
  };
  expect({}, 0, "01 00000000 00");
  expect({{"shirt-color", "R"}, {"shirt-size", "M"}}, 23,
         "01 17000000 02 0b73686972742d636f6c6f72 01 0152 0a73686972742d73697a65 01 014d");
  expect({{"b", Binary{std::string("\x00\xff", 2)}},
          {"bs", BinarySet{Binary{"z"}}},
          {"l", List{1, "a"}},
          {"m", Map{{"k", true}}},
          {"n", nullptr},
          {"ns", NumberSet{-1, 2}},
          {"ss", StringSet{"x", "y"}}},
         35,
         "01 23000000 07 0162 03 0200ff 026273 0a 03 01 017a 016c 07 08 02 02 02c102 01 0161 "
         "016d 06 06 01 016b 04 0101 016e 05 00 026e73 09 08 02 033e6365 02c103 027373 08 05 02 "
         "0178 0179");
}

TEST(FormatTest, StreamRecordsMatchTheVectors) {
  const KeySchema keys(KeyAttribute{.name = "PK"}, std::nullopt);
  std::string bytes;
  ASSERT_TRUE(EncodeItem({{"PK", "a"}}, &bytes).ok());
  const ItemView item = *ItemView::Parse(bytes);
  const auto expect = [&](const Change& change, StreamViewType type, int time,
                          const std::string& vector) {
    std::string record;
    const Timestamp at{std::chrono::milliseconds(time)};
    ASSERT_TRUE(EncodeChange(change, keys, type, at, &record).ok());
    ExpectVector(record, vector);
  };
  expect({.before = {}, .after = item}, StreamViewType::kKeysOnly, 1,
         "01 00 00 0000000000000001 01 0c 01 03000000 01 02504b 01 0161");
  expect({.before = item, .after = {}, .by_service = true}, StreamViewType::kOldImage, 2,
         "01 02 01 0000000000000002 04 0c 01 03000000 01 02504b 01 0161");
}

TEST(FormatTest, StreamAndExpiryKeysMatchTheVectors) {
  EncodedKey record(static_cast<KeyspaceId>(18));
  record.AppendBigEndian(3);
  ExpectVector(record.bytes(), "00000012 0000000000000003");
  const Number one(1);
  ExpectVector(IndexEntryKey(static_cast<KeyspaceId>(19), {one.encoded()}, {"a", "x"}).bytes(),
               "00000013 c102 0001 61 0001 78");
  EncodedKey position = PositionRange(kTable).lower;
  position.AppendRaw("s");
  ExpectVector(position.bytes(), "00000003 00000010 73");
}

TEST(FormatTest, EncryptedFilesMatchTheVectors) {
  const std::string header =
      "646f6c6d656e20616573206374722031 a0a1a2a3a4a5a6a7a8a9aaabacadaeaf "
      "70f55cd6023aca52f8c289988489c95f";
  const std::string encrypted = "07d0392e9c4540386c120ec9b6dec78d2b271f57228409fd79e797ba";
  for (const std::string& vector : {header, encrypted}) {
    EXPECT_THAT(Page(), HasSubstr("`" + Squeezed(vector) + "`"));
  }
  std::string stored;
  boost::algorithm::unhex(Squeezed(header), std::back_inserter(stored));
  stored.resize(2048);
  stored += stored;
  boost::algorithm::unhex(encrypted, std::back_inserter(stored));
  const test::TempDirectory directory;
  const std::string path = directory / "file";
  std::ofstream(path, std::ios::binary) << stored;
  std::string content;
  const auto files = EncryptFiles(rocksdb::FileSystem::Default(), KeyOfVectors());
  EXPECT_TRUE(rocksdb::ReadFileToString(files.get(), path, &content).ok());
  EXPECT_EQ(content, "a dolmen is a table of stone");
}

TEST(FormatTest, ThePageShowsTheMarkerFiles) {
  const std::string plain = Squeezed(*NewMarker(std::nullopt));
  EXPECT_THAT(Page(), HasSubstr("`" + plain.substr(0, plain.find('\n')) + "`"));
  const std::size_t start = Page().find("dolmendatabase,format2\n");
  ASSERT_NE(start, std::string::npos);
  std::string marker = Page().substr(start, Page().find("```", start) - start);
  for (const auto& [squeezed, text] :
       {std::pair("dolmendatabase,format", "dolmen database, format "),
        std::pair("encrypted,nonce", "encrypted, nonce "), std::pair(",check", ", check "),
        std::pair("hash", "hash ")}) {
    boost::algorithm::replace_first(marker, squeezed, text);
  }
  EXPECT_THAT(CheckMarker(marker, "directory", KeyOfVectors()), test::IsOk());
}

}  // namespace
}  // namespace dolmen::engine
