#include "engine/storage/files/table_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "tests/support/random.h"

namespace dolmen::engine {
namespace {

using TableBytesTest = test::SeededTest;

// The bytes are in pieces of 64 KiB. Appends and reads begin and end anywhere in them.
TEST_F(TableBytesTest, ReadsReturnTheAppendedBytes) {
  const auto bytes = std::make_shared<TableBytes>();
  const auto writer = TableBytes::Writer(bytes);
  std::string expected;
  while (expected.size() < 300'000) {
    std::string part(random_.Below(100'000), '\0');
    for (char& byte : part) byte = static_cast<char>(random_.Next());
    ASSERT_TRUE(writer->Append(part, {}, nullptr).ok());
    expected += part;
    EXPECT_EQ(writer->GetFileSize({}, nullptr), expected.size());
  }
  EXPECT_EQ(bytes->size_bytes(), expected.size());

  const auto reader = TableBytes::Reader(bytes);
  std::string scratch(200'000, '\0');
  rocksdb::Slice read;
  for (int i = 0; i < 100; ++i) {
    const std::size_t offset = random_.Below(expected.size() + 2);
    const std::size_t size = random_.Below(scratch.size());
    ASSERT_TRUE(reader->Read(offset, size, {}, &read, scratch.data(), nullptr).ok());
    EXPECT_EQ(read.ToString(), expected.substr(std::min(offset, expected.size()), size));
  }
  EXPECT_TRUE(reader->Prefetch(0, expected.size(), {}, nullptr).ok());

  const auto sequential = TableBytes::SequentialReader(bytes);
  ASSERT_TRUE(sequential->Skip(100'000).ok());
  std::string rest;
  do {
    const std::size_t size = 1 + random_.Below(scratch.size());
    ASSERT_TRUE(sequential->Read(size, {}, &read, scratch.data(), nullptr).ok());
    rest += read.ToStringView();
  } while (!read.empty());
  EXPECT_EQ(rest, expected.substr(100'000));
}

}  // namespace
}  // namespace dolmen::engine
