// Tests of `dolmen export-model` and `dolmen import-model`. tests/wire/workbench_test.cc tests the
// format.

#include <filesystem>

#include "tests/command/command_fixture.h"
#include "tests/support/items.h"

namespace dolmen::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class DataModelCommandTest : public CommandTest {
 protected:
  CommandOutput Import(const std::string& path, const std::string& input) const {
    return RunDolmen({"import-model", "--path", path, "--input", input});
  }
};

TEST_F(DataModelCommandTest, AnExportedModelIsImportedIntoANewDatabase) {
  MakeDatabase(
      {.name = "app", .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")}});
  Put({{{"PK", "USER#1"}, {"SK", "PROFILE"}, {"age", 42}}});
  const std::string file = File("model.json");
  CommandOutput output = OnTable("export-model", {"--output", file, "--name", "My app"});
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_THAT(ReadFile(file), HasSubstr(R"("ModelName":"My app")"));

  const std::string copy = File("copy.dolmen");
  output = Import(copy, file);
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_EQ(ItemsOf(copy, "app"), Items());

  EXPECT_THAT(Import(copy, file).err, HasSubstr("app")) << "the table exists now";
  EXPECT_EQ(ItemsOf(copy, "app"), Items());
}

TEST_F(DataModelCommandTest, AnOutputFileIsReplacedOnlyOnRequest) {
  MakeDatabase();
  const std::string file = Write("model.json", "mine");
  EXPECT_EQ(OnTable("export-model", {"--output", file}).exit_code, 1);
  EXPECT_EQ(ReadFile(file), "mine");
  EXPECT_EQ(OnTable("export-model", {"--output", file, "--overwrite"}).exit_code, 0);
  EXPECT_THAT(ReadFile(file), HasSubstr("ModelName"));
}

TEST_F(DataModelCommandTest, AnInvalidModelCreatesNoDatabase) {
  const std::string path = File("new.dolmen");
  const CommandOutput output = Import(path, Write("model.json", "{}"));
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_THAT(output.err, HasSubstr("the data model has no tables"));
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_THAT(Import(path, File("absent.json")).err, HasSubstr("can't read the data model"));
}

TEST_F(DataModelCommandTest, AnUnknownTableIsReportedWithTheExistingOnes) {
  MakeDatabase();
  const CommandOutput output = RunDolmen({"export-model", "--path", path_, "--table", "other"});
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_THAT(output.out, IsEmpty());
  EXPECT_THAT(output.err, HasSubstr("there is no table other"));
}

}  // namespace
}  // namespace dolmen::test
