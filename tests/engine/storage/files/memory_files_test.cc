#include "engine/storage/files/memory_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/storage/rocks_versions.h"
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

TEST(MemoryFilesTest, ARenamedTableFileKeepsItsBytes) {
  const MemoryDirectory directory(MemoryFiles::Create());
  Write(directory, "000001.sst", "rows");
  const std::string from = directory.path() + "/000001.sst";
  const std::string to = directory.path() + "/000002.sst";
  ASSERT_TRUE(directory.files()->RenameFile(from, to, {}, nullptr).ok());
  EXPECT_EQ(Read(directory, "000002.sst"), "rows");
  EXPECT_FALSE(directory.files()->FileExists(from, {}, nullptr).ok());
  ASSERT_TRUE(directory.files()->DeleteFile(to, {}, nullptr).ok());
  EXPECT_THAT(FilesIn(*directory.files(), directory.path()), IsEmpty());
}

TEST(MemoryFilesTest, ALinkKeepsTheBytesOfAReplacedTableFile) {
  const MemoryDirectory directory(MemoryFiles::Create());
  Write(directory, "000001.sst", "rows");
  const std::string path = directory.path() + "/000001.sst";
  const std::string link = directory.path() + "/000002.sst";
  ASSERT_TRUE(directory.files()->LinkFile(path, link, {}, nullptr).ok());
  Write(directory, "000001.sst", "others");
  EXPECT_EQ(Read(directory, "000001.sst"), "others");
  EXPECT_EQ(Read(directory, "000002.sst"), "rows");
}

TEST(MemoryFilesTest, ADirectoryTellsTheSizesOfItsFiles) {
  const MemoryDirectory directory(MemoryFiles::Create());
  Write(directory, "000001.sst", "rows");
  std::vector<rocksdb::FileAttributes> found;
  ASSERT_TRUE(
      directory.files()->GetChildrenFileAttributes(directory.path(), {}, &found, nullptr).ok());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].name, "000001.sst");
  EXPECT_EQ(found[0].size_bytes, 4u);
}

TEST(MemoryFilesTest, RejectsRocksDbsOptionsIfRocksDbOpensWithoutThem) {
  const MemoryDirectory directory(MemoryFiles::Create());
  const std::string path = directory.path() + "/OPTIONS-000007.dbtmp";
  EXPECT_EQ(rocksdb::WriteStringToFile(directory.files().get(), "x", path).IsNotSupported(),
            !kNeedsOptionsFile);
}

}  // namespace
}  // namespace dolmen::engine
