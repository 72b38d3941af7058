// Tests of parsing access keys from options, files and environment variables.

#include "server/auth/access_keys.h"

#include <unistd.h>

#include <array>
#include <fstream>
#include <string>

#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::test {
namespace {

using server::AccessKeys;
using server::AddAccessKey;
using server::AddAccessKeys;
using server::AddAccessKeysFromFile;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

TEST(AccessKeysTest, AKeyHasAnIdAndASecret) {
  AccessKeys keys;
  EXPECT_THAT(AddAccessKey("id=se=cret/", &keys), IsOk());
  EXPECT_THAT(keys, ElementsAre(Pair("id", "se=cret/")));
}

TEST(AccessKeysTest, AnInvalidKeyIsRejectedAndNotPrinted) {
  for (const char* text : {"", "=", "id", "id=", "=secret"}) {
    AccessKeys keys;
    const Status status = AddAccessKey(text, &keys);
    EXPECT_THAT(status, StatusIs(StatusCode::kValidation, HasSubstr("ID=SECRET"))) << text;
    EXPECT_THAT(status.message(), Not(HasSubstr("=secret")));
  }
}

TEST(AccessKeysTest, AFileHasOneKeyPerLine) {
  const TempDirectory directory;
  std::ofstream(directory / "keys") << "# ours\na=1\r\n\nb=2";
  AccessKeys keys;
  EXPECT_THAT(AddAccessKeysFromFile(directory / "keys", &keys), IsOk());
  EXPECT_THAT(keys, ElementsAre(Pair("a", "1"), Pair("b", "2")));
}

TEST(AccessKeysTest, AnUnreadableFileIsNamed) {
  const TempDirectory directory;
  AccessKeys keys;
  EXPECT_THAT(AddAccessKeysFromFile(directory / "none", &keys),
              StatusIs(StatusCode::kValidation, HasSubstr("none: No such file")));
  EXPECT_THAT(
      AddAccessKeysFromFile(directory.path(), &keys),
      StatusIs(StatusCode::kValidation, HasSubstr(directory.path().string() + ": Is a directory")));
  std::ofstream(directory / "bad") << "a=1\nb";
  EXPECT_THAT(AddAccessKeysFromFile(directory / "bad", &keys),
              StatusIs(StatusCode::kValidation, HasSubstr("bad")));
}

TEST(AccessKeysTest, ADeviceAndALargeFileAreRejected) {
  const TempDirectory directory;
  AccessKeys keys;
  EXPECT_THAT(AddAccessKeysFromFile("/dev/zero", &keys),
              StatusIs(StatusCode::kValidation, HasSubstr("/dev/zero: It is a device")));
  std::ofstream(directory / "large") << "a=1\n" << std::string(1 << 20, '#');
  EXPECT_THAT(AddAccessKeysFromFile(directory / "large", &keys),
              StatusIs(StatusCode::kValidation, HasSubstr("more than 1 MiB")));
  EXPECT_TRUE(keys.empty());
}

TEST(AccessKeysTest, APipeIsReadToItsEnd) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  ASSERT_EQ(::write(pipe[1], "a=1\n", 4), 4);
  ::close(pipe[1]);
  AccessKeys keys;
  EXPECT_THAT(AddAccessKeysFromFile("/dev/fd/" + std::to_string(pipe[0]), &keys), IsOk());
  EXPECT_THAT(keys, ElementsAre(Pair("a", "1")));
  ::close(pipe[0]);
}

// A server without any key accepts every signature. An empty file must therefore be an error, and
// must not start such a server.
TEST(AccessKeysTest, AFileWithoutAKeyIsRejected) {
  const TempDirectory directory;
  std::ofstream(directory / "empty") << "# none yet\n";
  AccessKeys keys;
  EXPECT_THAT(AddAccessKeysFromFile(directory / "empty", &keys),
              StatusIs(StatusCode::kValidation, HasSubstr("no access key")));
  keys = {{"another", "one's"}};
  EXPECT_THAT(AddAccessKeysFromFile(directory / "empty", &keys),
              StatusIs(StatusCode::kValidation, HasSubstr("no access key")));
}

TEST(AccessKeysTest, AVariableWithoutAKeyIsRejected) {
  for (const char* lines : {"", "\n", "# none yet"}) {
    AccessKeys keys;
    EXPECT_THAT(AddAccessKeys(lines, "THE_VARIABLE", &keys),
                StatusIs(StatusCode::kValidation, HasSubstr("no access key in THE_VARIABLE")));
  }
}

}  // namespace
}  // namespace dolmen::test
