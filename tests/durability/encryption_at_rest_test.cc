// Tests that an encrypted database stores nothing in plain text.

#include <gmock/gmock.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "tests/durability/pair_database.h"
#include "tests/support/encrypted_run.h"
#include "tests/support/files.h"
#include "tests/support/intercepted_disk.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::engine {
namespace {

using test::IsOk;

constexpr EncryptionKey kAtRestKey = {std::byte{7}};
constexpr std::size_t kWindowBytes = 16;

// The operating system's file system. It remembers the bytes of all files that were ever written,
// by the ends of their names.
class RecordingDisk : public test::InterceptedDisk {
 public:
  rocksdb::IOStatus Intercept(const test::DiskCall& call,
                              const test::PerformCall& perform) override {
    if (call.kind == test::DiskCall::Kind::kWrite) {
      const std::lock_guard lock(mutex_);
      written_[KindOf(call.path)].append(call.data);
    }
    return perform(call.bytes);
  }

  // Returns the written bytes by the kind of the file.
  std::map<std::string, std::string> written() {
    const std::lock_guard lock(mutex_);
    return written_;
  }

 private:
  // Returns the name without the number in it.
  static std::string KindOf(const std::string& path) {
    std::string name = path.substr(path.rfind('/') + 1);
    std::erase_if(name, [](char c) { return c >= '0' && c <= '9'; });
    return name;
  }

  std::mutex mutex_;
  std::map<std::string, std::string> written_;  // guarded by mutex_
};

std::uint64_t WindowHash(const std::string& bytes, std::size_t at) {
  return XXH3_64bits(bytes.data() + at, kWindowBytes);
}

// Returns true if at least half of the window is zero bytes. Such windows can stand in the prefix
// of an encrypted file: zeros, with the last bytes of its random number.
bool IsMostlyZeros(const std::string& bytes, std::size_t at) {
  const std::string window = bytes.substr(at, kWindowBytes);
  return std::ranges::count(window, '\0') >= 8;
}

class EncryptionAtRestTest : public testing::Test {
 protected:
  // Writes, flushes, builds an index, writes stream records, compacts, reopens, and leaves a copy
  // of the open database in `crashed_`. Returns all bytes that were written to files.
  std::map<std::string, std::string> Run(const std::optional<EncryptionKey>& key) {
    OpenOptions options{.durability = Durability::kBuffered, .encryption_key = key};
    options.write_buffer_bytes = 64 << 10;
    const auto disk = std::make_shared<RecordingDisk>();
    const std::filesystem::path path = directory_ / (key ? "encrypted" : "plain");
    crashed_ = directory_ / (key ? "crashed_encrypted" : "crashed_plain");
    PairDatabase db;
    EXPECT_THAT(db.Open(path, disk, options), IsOk());
    Write(db, 0);
    EXPECT_THAT(db.engine().UpdateTable(
                    {.name = "table", .create_index = GlobalSecondaryIndex::Overloaded("GSI2")}),
                IsOk());
    EXPECT_THAT(db.engine().backfiller().Wait(**db.engine().catalog().Find("table")), IsOk());
    EXPECT_THAT(db.engine().store().Compact(), IsOk());
    db.Close();
    options.write_buffer_bytes = 32 << 20;  // so that no file changes while the files are copied
    EXPECT_THAT(db.Open(path, disk, options), IsOk());
    Write(db, 100);
    contents_ = db.Read();
    std::filesystem::copy(path, crashed_);
    return disk->written();
  }

  static void Write(const PairDatabase& db, std::int64_t number) {
    for (int i = 0; i < 100; ++i) EXPECT_THAT(db.Write(number + i, 400), IsOk());
  }

  // Returns the number of places of `files` at which 16 bytes of `bytes` stand.
  static std::size_t CountIn(const std::string& bytes,
                             const std::unordered_set<std::uint64_t>& plain) {
    std::size_t found = 0;
    for (std::size_t at = 0; at + kWindowBytes <= bytes.size(); ++at) {
      found += plain.count(WindowHash(bytes, at));
    }
    return found;
  }

  test::TempDirectory directory_;
  std::filesystem::path crashed_;
  PairDatabase::Contents contents_;
};

TEST_F(EncryptionAtRestTest, NoSixteenBytesOfAPlainDatabaseAreInAnEncryptedOne) {
  if (test::KeyInThisRun(directory_.path())) GTEST_SKIP() << "this run has no plain database";
  std::unordered_set<std::uint64_t> plain;
  const auto plain_files = Run(std::nullopt);
  for (const auto& [kind, bytes] : plain_files) {
    for (std::size_t at = 0; at + kWindowBytes <= bytes.size(); ++at) {
      if (!IsMostlyZeros(bytes, at)) plain.insert(WindowHash(bytes, at));
    }
  }

  const auto encrypted_files = Run(kAtRestKey);
  for (const auto& [kind, bytes] : plain_files) {
    SCOPED_TRACE(kind);
    ASSERT_TRUE(encrypted_files.contains(kind));
    EXPECT_GT(encrypted_files.at(kind).size(), bytes.size() / 2);
    EXPECT_EQ(CountIn(encrypted_files.at(kind), plain), 0);
  }
  EXPECT_EQ(encrypted_files.size(), plain_files.size());
  for (const auto& [path, bytes] : test::FilesBelow(crashed_)) {
    if (path.ends_with("/DOLMEN")) continue;
    EXPECT_EQ(CountIn(bytes, plain), 0) << path;
  }
}

TEST_F(EncryptionAtRestTest, AnEncryptedDatabaseSurvivesACrash) {
  Run(kAtRestKey);
  PairDatabase db;
  EXPECT_THAT(db.Open(crashed_, nullptr, {.encryption_key = kAtRestKey}), IsOk());
  EXPECT_EQ(db.Read(), contents_);
  EXPECT_EQ(db.Read("GSI1"), contents_);
  EXPECT_TRUE(db.engine().Verify(nullptr)->findings.empty());
}

}  // namespace
}  // namespace dolmen::engine
