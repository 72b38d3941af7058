// Tests of OpenOptions::encryption_key: which keys open which database.

#include <dolmen/dolmen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "tests/support/encrypted_run.h"
#include "tests/support/files.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen {
namespace {

using test::IsOk;
using test::StatusIs;
using testing::HasSubstr;

constexpr EncryptionKey kKey = {std::byte{1}, std::byte{2}};
constexpr EncryptionKey kOtherKey = {std::byte{1}, std::byte{3}};

class EncryptionTest : public testing::Test {
 protected:
  // Creates a database with one item.
  void Create(const std::optional<EncryptionKey>& key) const {
    const auto database = Database::Open(path_, {.encryption_key = key});
    ASSERT_THAT(database, IsOk());
    const auto table = database->CreateTable({.name = "app"});
    ASSERT_THAT(table, IsOk());
    ASSERT_THAT(table->PutItem({.item = {{"PK", "p"}, {"SK", "s"}}}), IsOk());
  }

  // Expects that a reader and a writer with the key are refused, and that no file changes.
  void ExpectRefused(const std::optional<EncryptionKey>& key, const std::string& message) const {
    const auto before = test::FilesBelow(path_);
    for (const bool read_only : {false, true}) {
      EXPECT_THAT(Database::Open(path_, {.read_only = read_only, .encryption_key = key}),
                  StatusIs(StatusCode::kValidation, HasSubstr(message)));
    }
    EXPECT_EQ(test::FilesBelow(path_), before);
  }

  test::TempDirectory directory_;
  const std::string path_ = directory_ / "db";
};

TEST_F(EncryptionTest, AnEncryptedDatabaseOpensWithItsKey) {
  Create(kKey);
  for (const bool read_only : {true, false, true}) {
    const auto database = Database::Open(path_, {.read_only = read_only, .encryption_key = kKey});
    ASSERT_THAT(database, IsOk());
    EXPECT_TRUE(database->OpenTable("app")->GetItem({.key = {{"PK", "p"}, {"SK", "s"}}})->item);
    const auto verified = database->Verify();
    ASSERT_THAT(verified, IsOk());
    EXPECT_TRUE(verified->findings.empty());
  }
}

TEST_F(EncryptionTest, AnEncryptedDatabaseRefusesOtherKeys) {
  Create(kKey);
  ExpectRefused(kOtherKey, "is not the key of the database in " + path_);
  ExpectRefused(std::nullopt, path_ + " is encrypted");
}

TEST_F(EncryptionTest, ADatabaseThatIsNotEncryptedRefusesAKey) {
  if (test::KeyInThisRun(path_)) GTEST_SKIP() << "this run has no plain database";
  Create(std::nullopt);
  ExpectRefused(kKey, path_ + " is not encrypted");
}

TEST_F(EncryptionTest, ADatabaseInMemoryIgnoresTheKey) {
  EXPECT_THAT(Database::InMemory({.encryption_key = kKey}), IsOk());
}

}  // namespace
}  // namespace dolmen
