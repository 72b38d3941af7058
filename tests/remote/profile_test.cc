// Tests of profiles in the shared files.

#include "remote/profile.h"

#include <gmock/gmock.h>

#include <fstream>

#include "tests/remote/test_system.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

TEST(ProfileTest, ReadsTheSettingsOfOneSection) {
  constexpr std::string_view kContent =
      "ignored = 0\n"
      "# a comment = 1\n"
      "[profile  one]\r\n"
      "region=eu-west-1\r\n"
      "; another = 2\n"
      " nested = 3\n"
      "key = a=b # comment\n"
      "empty =\n"
      "[profile two] # comment\n"
      "region = us-east-2\n"
      "[profile one]\n"
      "later = x;y\n";
  remote::Profile profile;
  EXPECT_TRUE(remote::AddSection(kContent, "profile one", &profile));
  EXPECT_THAT(profile, UnorderedElementsAre(Pair("region", "eu-west-1"), Pair("key", "a=b"),
                                            Pair("empty", ""), Pair("later", "x;y")));
  EXPECT_FALSE(remote::AddSection(kContent, "profile three", &profile));
  EXPECT_FALSE(remote::AddSection("[open\n[]\n", "open", &profile));
}

class SharedFilesTest : public ::testing::Test {
 protected:
  SharedFilesTest() {
    std::ofstream(directory_ / "config") << "[default]\nregion = a\n[profile work]\nregion = b\n"
                                            "aws_access_key_id = config\n[two]\nregion = c\n";
    std::ofstream(directory_ / "credentials") << "[work]\naws_access_key_id = secret\n"
                                                 "[only]\naws_access_key_id = only\n";
    system_.variables = {{"AWS_CONFIG_FILE", directory_ / "config"},
                         {"AWS_SHARED_CREDENTIALS_FILE", directory_ / "credentials"}};
  }

  Result<remote::Profile> Read(const std::string& name) {
    return remote::ReadProfile(name, system_.Functions());
  }

  TempDirectory directory_;
  TestSystem system_;
};

TEST_F(SharedFilesTest, TheCredentialsFileHasPrecedence) {
  const auto work = Value(Read("work"));
  EXPECT_EQ(remote::SettingOf(work, "region"), "b");
  EXPECT_EQ(remote::SettingOf(work, "aws_access_key_id"), "secret");
  EXPECT_EQ(remote::SettingOf(work, "absent"), "");
  EXPECT_EQ(remote::SettingOf(Value(Read("only")), "aws_access_key_id"), "only");
}

TEST_F(SharedFilesTest, TheEnvironmentNamesTheProfile) {
  EXPECT_EQ(remote::SettingOf(Value(Read("")), "region"), "a");
  system_.variables["AWS_PROFILE"] = "work";
  EXPECT_EQ(remote::SettingOf(Value(Read("")), "region"), "b");
}

TEST_F(SharedFilesTest, AProfileThatIsNamedMustExist) {
  EXPECT_THAT(Read("absent"), StatusIs(StatusCode::kValidation, HasSubstr("\"absent\"")));
  EXPECT_THAT(Read("two"), StatusIs(StatusCode::kValidation, HasSubstr("\"two\"")))
      << "the config file writes \"profile two\"";
  system_.variables = {{"AWS_CONFIG_FILE", directory_ / "none"},
                       {"AWS_SHARED_CREDENTIALS_FILE", directory_ / "none"}};
  EXPECT_THAT(Value(Read("")), IsEmpty());
}

TEST_F(SharedFilesTest, HomeIsTheUsualFolder) {
  std::filesystem::create_directory(directory_ / ".aws");
  std::ofstream(directory_ / ".aws/config") << "[default]\nregion = home\n";
  system_.variables = {{"HOME", directory_ / ""}};
  EXPECT_EQ(remote::SettingOf(Value(Read("")), "region"), "home");
}

}  // namespace
}  // namespace dolmen::test
