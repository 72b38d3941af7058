// Tests of the commands on an encrypted database: where they find the key.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/command/command_fixture.h"

namespace dolmen::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kHexKey(64, 'a');

class EncryptionKeyTest : public CommandTest {
 protected:
  ~EncryptionKeyTest() override { ::unsetenv("DOLMEN_ENCRYPTION_KEY"); }

  // Writes a file that only its owner can read, and returns its path.
  std::string KeyFile(const std::string& text) const {
    const std::string path = Write("key.txt", text);
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
    return path;
  }
  // Creates an encrypted database with three items.
  void MakeEncrypted() const {
    const CommandOutput import =
        OnTable("import", {"--create-table", "--partition-key", "PK:S", "--sort-key", "SK:S",
                           "--encryption-key-file", KeyFile(kHexKey + "\n"),
                           Write("items.json", ItemLines(3))});
    ASSERT_EQ(import.exit_code, 0) << import.err;
  }
  CommandOutput Query(const std::string& key_file) const {
    return OnTable("query", {"--encryption-key-file", key_file});
  }
};

TEST_F(EncryptionKeyTest, EachCommandTakesTheKey) {
  MakeEncrypted();
  const std::vector<std::vector<std::string>> commands = {
      {"tables", "--path", path_},
      {"stats", "--path", path_},
      {"verify", "--path", path_},
      {"query", "--path", path_, "--table", "app"},
      {"export", "--path", path_, "--table", "app"},
      {"import", "--path", path_, "--table", "app", Write("items.json", ItemLines(3))}};
  for (std::vector<std::string> command : commands) {
    SCOPED_TRACE(command.front());
    const CommandOutput without = RunDolmen(command);
    EXPECT_EQ(without.exit_code, 1);
    EXPECT_THAT(without.err, HasSubstr("is encrypted: open it with its key"));
    command.insert(command.end(), {"--encryption-key-file", KeyFile(kHexKey)});
    const CommandOutput with = RunDolmen(command);
    EXPECT_EQ(with.exit_code, 0) << with.err;
  }
}

TEST_F(EncryptionKeyTest, TheVariableHoldsTheKeyIfNoFileIsGiven) {
  MakeEncrypted();
  ::setenv("DOLMEN_ENCRYPTION_KEY", kHexKey.c_str(), 1);
  EXPECT_EQ(OnTable("query", {}).exit_code, 0);
  const CommandOutput other = Query(KeyFile(std::string(64, 'b')));
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_THAT(other.err, HasSubstr("is not the key of the database"));
  ::setenv("DOLMEN_ENCRYPTION_KEY", "secret", 1);
  EXPECT_THAT(OnTable("query", {}).err,
              HasSubstr("the variable DOLMEN_ENCRYPTION_KEY holds no encryption key"));
  ::setenv("DOLMEN_ENCRYPTION_KEY", "", 1);
  EXPECT_THAT(OnTable("query", {}).err, HasSubstr("is encrypted"));
}

TEST_F(EncryptionKeyTest, AKeyIs64HexadecimalDigits) {
  MakeEncrypted();
  const std::string upper_case(64, 'A');
  for (const std::string& text : {kHexKey, upper_case, " " + kHexKey + "\r\n"}) {
    EXPECT_EQ(Query(KeyFile(text)).exit_code, 0) << text;
  }
  for (const std::string& text :
       {std::string(), kHexKey.substr(1), kHexKey + "a", kHexKey.substr(2) + " a",
        kHexKey.substr(1) + "g", kHexKey.substr(2) + "0x", kHexKey + "\n" + kHexKey}) {
    const CommandOutput query = Query(KeyFile(text));
    EXPECT_EQ(query.exit_code, 1) << text;
    EXPECT_THAT(query.err, HasSubstr("key.txt holds no encryption key")) << text;
  }
}

TEST_F(EncryptionKeyTest, AFileThatCannotBeReadIsAnError) {
  MakeEncrypted();
  EXPECT_THAT(Query(File("absent")).err, HasSubstr("can't read the encryption key from"));
  EXPECT_THAT(Query(directory_.path()).err, HasSubstr("can't read the encryption key from"));
  EXPECT_THAT(Query("/dev/zero").err, HasSubstr("/dev/zero holds no encryption key"));
}

TEST_F(EncryptionKeyTest, AFileThatOthersCanReadCausesAWarning) {
  MakeEncrypted();
  const std::string path = KeyFile(kHexKey);
  EXPECT_THAT(Query(path).err, IsEmpty());
  fs::permissions(path, fs::perms::group_read, fs::perm_options::add);
  const CommandOutput query = Query(path);
  EXPECT_EQ(query.exit_code, 0);
  EXPECT_THAT(query.err, HasSubstr("warning: other users can read the encryption key in " + path));
}

}  // namespace
}  // namespace dolmen::test
