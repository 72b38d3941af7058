// Tests of what survives a power cut while a database's directory is created. The function fsync of
// this executable notes the paths that are synced.

#include "engine/storage/files/directory.h"

#include <gmock/gmock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <mutex>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::engine {
namespace {

namespace fs = std::filesystem;

std::mutex synced_mutex;
std::set<std::string> synced_paths;  // guarded by synced_mutex

// Returns the paths that were synced since the last call.
std::set<std::string> TakeSyncedPaths() {
  const std::lock_guard lock(synced_mutex);
  return std::exchange(synced_paths, {});
}

void NoteSyncedPath(int file) {
  std::error_code error;
  const fs::path path = fs::read_symlink("/proc/self/fd/" + std::to_string(file), error);
  const std::lock_guard lock(synced_mutex);
  synced_paths.insert(path.string());
}

TEST(DirectoryTest, SyncsTheParentOfEachCreatedDirectory) {
  const test::TempDirectory temporary;
  const fs::path base = fs::canonical(temporary.path());
  for (const std::string& name :
       std::vector<std::string>{"one/db", "two/db/", "three/four/../db", "five//db/."}) {
    const fs::path directory = fs::path(base.string() + "/" + name);
    TakeSyncedPaths();
    ASSERT_THAT(PrepareDirectory(directory, true), test::IsOk()) << name;
    const std::set<std::string> synced = TakeSyncedPaths();
    const fs::path db = fs::canonical(directory);
    for (const fs::path& path : {base, db.parent_path(), db}) {
      EXPECT_TRUE(synced.contains(path.string())) << path << " of " << name;
    }
  }
}

TEST(DirectoryTest, SyncsTheParentOfADirectoryThatIsEmpty) {
  const test::TempDirectory directory;
  TakeSyncedPaths();
  ASSERT_THAT(PrepareDirectory(directory.path(), true), test::IsOk());
  EXPECT_TRUE(TakeSyncedPaths().contains(fs::canonical(directory.path()).parent_path().string()));
}

TEST(DirectoryTest, ARelativePathIsCreatedInTheWorkingDirectory) {
  const test::TempDirectory directory;
  const fs::path before = fs::current_path();
  fs::current_path(directory.path());
  EXPECT_THAT(PrepareDirectory("a/db", true), test::IsOk());
  fs::current_path(before);
  EXPECT_TRUE(fs::exists(directory / "a" / "db" / kMarkerFile));
}

TEST(DirectoryTest, AWorkingDirectoryThatDoesNotExistIsAnError) {
  const test::TempDirectory directory;
  const fs::path before = fs::current_path();
  fs::create_directory(directory / "gone");
  fs::current_path(directory / "gone");
  fs::remove(directory / "gone");
  EXPECT_FALSE(PrepareDirectory("db", true).ok());
  fs::current_path(before);
}

TEST(DirectoryTest, ADirectoryInWhichADatabaseIsBeingCreatedIsInUse) {
  const test::TempDirectory directory;
  {
    const auto lock = DirectoryLock::AcquireToCreate(directory.path().string());
    ASSERT_THAT(lock, test::IsOk());
    EXPECT_THAT(PrepareDirectory(directory.path(), true),
                test::StatusIs(StatusCode::kResourceInUse, testing::HasSubstr("being created")));
    EXPECT_THAT(CreateEmptyDirectory(directory.path()),
                test::StatusIs(StatusCode::kResourceInUse, testing::_));
    EXPECT_TRUE(fs::is_empty(directory.path()));
  }
  EXPECT_THAT(PrepareDirectory(directory.path(), true), test::IsOk());
}

// Each thread has its own key, so that a thread which replaces the marker of another is noticed.
TEST(DirectoryTest, ThreadsThatCreateADatabaseAtTheSameTimeCreateOne) {
  constexpr std::size_t kThreads = 4;
  const test::TempDirectory temporary;
  for (int round = 0; round < 50; ++round) {
    const fs::path directory = temporary / std::to_string(round);
    std::array<Status, kThreads> outcomes;
    const auto key = [](std::size_t thread) { return EncryptionKey{std::byte(thread)}; };
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < kThreads; ++i) {
        threads.emplace_back([&, i] { outcomes[i] = PrepareDirectory(directory, true, key(i)); });
      }
    }
    for (std::size_t i = 0; i < kThreads; ++i) {
      EXPECT_NE(outcomes[i].code(), StatusCode::kStorage) << outcomes[i].ToString();
      if (!outcomes[i].ok()) continue;
      EXPECT_THAT(PrepareDirectory(directory, true, key(i)), test::IsOk());
    }
  }
}

}  // namespace

// Called by fsync() below.
void NoteSynced(int file) { NoteSyncedPath(file); }

}  // namespace dolmen::engine

extern "C" int fsync(int file) {
  dolmen::engine::NoteSynced(file);
  return static_cast<int>(::syscall(SYS_fsync, file));
}
