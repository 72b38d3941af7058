#include "command/copy_place.h"

#include "tests/command/command_fixture.h"

namespace dolmen::test {
namespace {

using command::CopyPlace;
using command::CopySource;
using command::CopyTarget;
using Kind = command::CopyPlace::Kind;

class CopyPlaceTest : public CommandTest {};

TEST_F(CopyPlaceTest, TheFormOfTheTextTellsTheKindOfThePlace) {
  MakeDatabase();
  struct Case {
    std::string text;
    Kind source;
    Kind target;
  };
  const std::vector<Case> cases = {
      {"https://dynamodb.eu-central-1.amazonaws.com", Kind::kService, Kind::kService},
      {"http://127.0.0.1:8000", Kind::kService, Kind::kService},
      {path_, Kind::kDatabase, Kind::kDatabase},
      {File("new.dolmen"), Kind::kExport, Kind::kDatabase},
      {File("backup/"), Kind::kExport, Kind::kExport},
      {File("items.json"), Kind::kExport, Kind::kExport},
      {File("items.json.gz"), Kind::kExport, Kind::kExport},
      {"-", Kind::kExport, Kind::kExport},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(CopySource(c.text).kind, c.source) << c.text;
    EXPECT_EQ(CopyTarget(c.text).kind, c.target) << c.text;
  }
}

TEST_F(CopyPlaceTest, AServiceHasAUrlAndADatabaseHasAPath) {
  EXPECT_EQ(CopyTarget("http://a:1").database.endpoint.url, "http://a:1");
  EXPECT_EQ(CopyTarget("dir").database.path, "dir");
}

}  // namespace
}  // namespace dolmen::test
