// Tests of the keys of backups.

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "dolmen/dolmen.h"
#include "tests/backup/backed_up_database.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::backup {
namespace {

namespace fs = std::filesystem;
using test::IsOk;
using test::StatusIs;
using test::Value;
using testing::HasSubstr;

constexpr EncryptionKey kBackupKey = {std::byte{1}, std::byte{2}};
constexpr EncryptionKey kOtherBackupKey = {std::byte{1}, std::byte{3}};

class EncryptedBackupTest : public testing::Test {
 protected:
  Database OpenWith(const fs::path& path, const EncryptionKey& key) const {
    return Value(Database::Open(path, {.encryption_key = key}));
  }
  Database Make() const {
    Database db = OpenWith(directory_ / "app.dolmen", kBackupKey);
    PutItems(CreateApp(db), 0, 100);
    return db;
  }
  Status Restore(const std::optional<EncryptionKey>& key) const {
    return Database::Restore(backup_, restored_, {.encryption_key = key}).status();
  }
  // Returns true if a file of the backup holds the text.
  bool Holds(const std::string& text) const {
    for (const auto& entry : fs::recursive_directory_iterator(backup_)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(file), {}};
      if (bytes.find(text) != std::string::npos) return true;
    }
    return false;
  }

  test::TempDirectory directory_;
  const fs::path backup_ = directory_ / "backup";
  const fs::path restored_ = directory_ / "restored.dolmen";
};

TEST_F(EncryptedBackupTest, HasTheKeyOfItsDatabase) {
  const Database db = Make();
  const State state = ReadState(db);
  ASSERT_THAT(db.Backup(backup_), IsOk());
  EXPECT_FALSE(Holds("GSI1"));
  EXPECT_THAT(Restore(std::nullopt), StatusIs(StatusCode::kValidation, HasSubstr("is encrypted")));
  EXPECT_THAT(Restore(kOtherBackupKey),
              StatusIs(StatusCode::kValidation, HasSubstr("not the key")));
  EXPECT_FALSE(fs::exists(restored_));
  ASSERT_THAT(Restore(kBackupKey), IsOk());
  EXPECT_EQ(ReadState(OpenWith(restored_, kBackupKey)), state);
}

TEST_F(EncryptedBackupTest, MayHaveAnotherKey) {
  const Database db = Make();
  const State state = ReadState(db);
  ASSERT_THAT(db.Backup(backup_, {.encryption_key = kOtherBackupKey}), IsOk());
  EXPECT_THAT(db.Backup(backup_), StatusIs(StatusCode::kValidation, HasSubstr("not the key")));
  ASSERT_THAT(db.Backup(backup_, {.encryption_key = kOtherBackupKey}), IsOk());
  ASSERT_THAT(Restore(kOtherBackupKey), IsOk());
  EXPECT_EQ(ReadState(OpenWith(restored_, kOtherBackupKey)), state);
}

TEST_F(EncryptedBackupTest, APlainDatabaseCanHaveAnEncryptedBackup) {
  const Database db = Value(Database::Open(directory_ / "plain.dolmen", {}));
  PutItems(CreateApp(db), 0, 100);
  ASSERT_THAT(db.Backup(backup_, {.encryption_key = kBackupKey}), IsOk());
  EXPECT_FALSE(Holds("GSI1"));
  ASSERT_THAT(Restore(kBackupKey), IsOk());
  EXPECT_EQ(ReadState(OpenWith(restored_, kBackupKey)), ReadState(db));
}

}  // namespace
}  // namespace dolmen::backup
