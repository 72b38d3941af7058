#include "engine/storage/logs/log_list.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::engine {
namespace {

using test::IsOkAndHolds;
using test::StatusIs;

void WriteList(const test::TempDirectory& directory, const std::string& text) {
  std::ofstream(directory / kLogListFile, std::ios::binary) << text;
}

Result<LogList> Read(const test::TempDirectory& directory) {
  return ReadLogList(rocksdb::FileSystem::Default().get(), directory.path());
}

// The text is the example of FORMAT.md.
TEST(LogListTest, TheFileHasALineForTheManifestAndForEachLogAndAHash) {
  const LogList list = {.manifests = {{.manifest = 10, .bytes = 731, .begins = {412, 81}}},
                        .logs = {{.log = 12, .start = 850, .end = 1000, .begins = {4096, 93}},
                                 {.log = 15, .start = 1000, .end = 1000}}};
  const std::string text =
      "manifest 10 has a length of at least 731, and the first 412 bytes have the hash 81\n"
      "log 12 begins after write 850 and holds all writes up to 1000, and the first 4096 bytes "
      "have the "
      "hash 93\n"
      "log 15 begins after write 1000 and holds all writes up to 1000\n"
      "hash 15172198944141893160\n";
  EXPECT_EQ(FormatLogList(list), text);
  const test::TempDirectory directory;
  WriteList(directory, text);
  EXPECT_THAT(Read(directory), IsOkAndHolds(list));
}

TEST(LogListTest, AnAbsentFileListsNothing) {
  const test::TempDirectory directory;
  EXPECT_THAT(Read(directory), IsOkAndHolds(LogList()));
}

TEST(LogListTest, AFileThatCannotBeReadIsAnError) {
  const test::TempDirectory directory;
  std::filesystem::create_directory(directory / kLogListFile);
  EXPECT_THAT(Read(directory), StatusIs(StatusCode::kStorage, testing::_));
}

TEST(LogListTest, AFileThatIsLongerThanAnyListIsDamaged) {
  const test::TempDirectory directory;
  WriteList(directory, std::string(100'000, '1'));
  EXPECT_THAT(Read(directory), StatusIs(StatusCode::kCorruption, testing::_));
}

TEST(LogListTest, EachFlippedBitIsFound) {
  const std::string text =
      FormatLogList({.manifests = {{.manifest = 10, .bytes = 731, .begins = {412, 81}}},
                     .logs = {{.log = 12, .start = 850, .end = 1000}}});
  const test::TempDirectory directory;
  for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
    std::string damaged = text;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    WriteList(directory, damaged);
    EXPECT_THAT(Read(directory), StatusIs(StatusCode::kCorruption, testing::_)) << damaged;
  }
}

TEST(LogListTest, ALogIsKnownByItsName) {
  EXPECT_EQ(LogFileName(12), "000012.log");
  EXPECT_EQ(LogFileName(1234567), "1234567.log");
  EXPECT_EQ(LogNumberOf("/a/000012.log"), 12u);
  EXPECT_EQ(LogNumberOf("000012.sst"), std::nullopt);
  EXPECT_EQ(LogNumberOf("x.log"), std::nullopt);
  EXPECT_EQ(LogNumberOf("12x.log"), std::nullopt);
  EXPECT_EQ(LogNumberOf("000012.bak.log"), std::nullopt);
}

}  // namespace
}  // namespace dolmen::engine
