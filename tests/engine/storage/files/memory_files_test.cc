#include "engine/storage/files/memory_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::engine {
namespace {

using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::vector<std::string> FilesIn(MemoryFiles& files, const std::string& directory) {
  std::vector<std::string> names;
  files.GetChildren(directory, {}, &names, nullptr).PermitUncheckedError();
  return names;
}

void Write(const MemoryDirectory& directory, const std::string& name, const std::string& text) {
  EXPECT_TRUE(
      rocksdb::WriteStringToFile(directory.files().get(), text, directory.path() + "/" + name)
          .ok());
}

std::string Read(const MemoryDirectory& directory, const std::string& name) {
  std::string text;
  EXPECT_TRUE(
      rocksdb::ReadFileToString(directory.files().get(), directory.path() + "/" + name, &text)
          .ok());
  return text;
}

TEST(MemoryDirectoryTest, DeletesItsFiles) {
  const std::shared_ptr<MemoryFiles> files = MemoryFiles::Create();
  std::string path;
  {
    const MemoryDirectory directory(files);
    path = directory.path();
    Write(directory, "000001.sst", "rows");
    EXPECT_THAT(FilesIn(*files, path), UnorderedElementsAre("000001.sst"));
  }
  EXPECT_THAT(FilesIn(*files, path), IsEmpty());
}

TEST(MemoryDirectoryTest, LinkedFilesLiveLongerThanTheirFirstName) {
  auto directory = std::make_unique<MemoryDirectory>(MemoryFiles::Create());
  Write(*directory, "000001.sst", "rows");
  const auto linked = test::Value(directory->Link());
  EXPECT_NE(linked->path(), directory->path());
  directory.reset();
  EXPECT_EQ(Read(*linked, "000001.sst"), "rows");
}

TEST(MemoryFilesTest, RejectsRocksDbsOptions) {
  const MemoryDirectory directory(MemoryFiles::Create());
  const std::string path = directory.path() + "/OPTIONS-000007.dbtmp";
  EXPECT_TRUE(rocksdb::WriteStringToFile(directory.files().get(), "x", path).IsNotSupported());
}

}  // namespace
}  // namespace dolmen::engine
