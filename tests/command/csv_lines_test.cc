#include "command/csv_lines.h"

#include <gmock/gmock.h>

#include "tests/support/value.h"

namespace dolmen::command {
namespace {

TEST(CsvLinesTest, SplitsARowIntoCells) {
  const auto cells = [](std::string_view line, char delimiter = ',') {
    return test::Value(ParseCsvRow(line, delimiter));
  };
  EXPECT_EQ(cells("a,b"), (CsvRow{"a", "b"}));
  EXPECT_EQ(cells(",").size(), 2U);
  EXPECT_EQ(cells("a\tb,c", '\t'), (CsvRow{"a", "b,c"}));
  EXPECT_EQ(cells(R"("a,b","""c""",)"), (CsvRow{"a,b", "\"c\"", ""}));
}

TEST(CsvLinesTest, AColumnMayHaveATypeAfterAColon) {
  const auto column = [](const char* cell) { return test::Value(CsvColumn(cell)); };
  EXPECT_EQ(column("PK"), KeyAttribute{"PK"});
  EXPECT_EQ(column("n:N"), (KeyAttribute{"n", AttributeType::kN}));
  EXPECT_EQ(column("time:stamp:B"), (KeyAttribute{"time:stamp", AttributeType::kB}));
  EXPECT_EQ(column("time:stamp"), KeyAttribute{"time:stamp"});
  EXPECT_EQ(column("12:30"), KeyAttribute{"12:30"});
  for (const char* cell : {"n:n", "done:BOOL", "tags:ss"}) {
    EXPECT_EQ(CsvColumn(cell).status().message(),
              "the type of the column " + std::string(cell) + " must be S, N or B, as in total:N");
  }
}

TEST(CsvLinesTest, RejectsQuotesInTheWrongPlace) {
  for (const char* line : {R"(a"b)", R"("a)", R"("a"b)"}) {
    EXPECT_EQ(ParseCsvRow(line, ',').status().code(), StatusCode::kValidation) << line;
  }
}

TEST(CsvLinesTest, ARowHasAtMost16Megabytes) {
  const std::string line(1 << 20, 'x');
  std::string text = "a,\"b\nc\"\n\"";
  for (int i = 0; i < 17; ++i) text.append(line).append("\n");
  LineReader reader = test::Value(LineReader::OfText(text, "rows.csv"));
  EXPECT_EQ(test::Value(ReadCsvRow(&reader, ',')), (CsvRow{"a", "b\nc"}));
  EXPECT_EQ(ReadCsvRow(&reader, ',').status().message(),
            "a row is too long: probably a double quote is missing");
}

TEST(CsvLinesTest, KeyAttributesHaveTheirTypes) {
  const CsvItems items({"PK", "n", "b", "x"},
                       {{"PK"}, {"n", AttributeType::kN}, {"b", AttributeType::kB}});
  EXPECT_EQ(test::Value(items.ItemOf({"a", "4", "aGk=", "5"})),
            (Item{{"PK", "a"}, {"n", 4}, {"b", Binary("hi")}, {"x", "5"}}));
  EXPECT_EQ(test::Value(items.ItemOf({"a", "", "", ""})), (Item{{"PK", "a"}, {"x", ""}}));
  EXPECT_FALSE(items.ItemOf({"a", "four", "", ""}).ok());
  EXPECT_FALSE(items.ItemOf({"a", "", "no base64", ""}).ok());
  EXPECT_FALSE(items.ItemOf({"a"}).ok());
}

}  // namespace
}  // namespace dolmen::command
