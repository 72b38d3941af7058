#include "command/import_documents.h"

#include <gmock/gmock.h>

#include <string>

#include "tests/support/value.h"

namespace dolmen::command {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kTwoItems = R"({"Item":{"PK":{"S":"a"}}})"
                                       "\n"
                                       R"({"Item":{"PK":{"S":"b"}}})"
                                       "\n";

Result<std::string> Lines(std::string_view text, std::string_view path = "input") {
  Result<LineReader> reader = LinesOfDocument(test::Value(LineReader::OfText(text, "input")), path);
  if (!reader.ok()) return reader.status();
  std::string lines;
  for (;;) {
    const auto line = reader->Next();
    if (!line.ok()) return line.status();
    if (!*line) return lines;
    lines.append(**line).push_back('\n');
  }
}

TEST(ImportDocumentsTest, LinesOfJsonStayAsTheyAre) {
  for (const std::string text :
       {R"({"PK":{"S":"a"}})", R"({"Items":{"L":[]}})", R"({"PK":"a"})",
        R"({"Item":{"a":{"L":[]}}})", R"({"PK":"a","Items":[{"n":1}]})",
        R"({"Items":["x"],"PK":"a"})", R"({"Items":[{"n":1}],"Count":1,"PK":"a"})",
        R"({"Count":1,"Items":["x"]})", R"({"PK":"a","RequestItems":{"b":[]}})",
        R"({"app":[{"n":1}]})", "", "{", "no JSON"}) {
    EXPECT_EQ(test::Value(Lines(text)), text.empty() ? "" : text + "\n") << text;
  }
}

TEST(ImportDocumentsTest, TheOutputOfAScanHasItems) {
  EXPECT_EQ(test::Value(Lines("{\n  \"Items\": [\n    {\"PK\": {\"S\": \"a\"}},\n"
                              "    {\"PK\": {\"S\": \"b\"}}\n  ],\n  \"Count\": 2\n}\n")),
            kTwoItems);
  EXPECT_EQ(test::Value(Lines(R"({"Items":[],"Count":0})")), "");
}

TEST(ImportDocumentsTest, TheOrderOfMembersDoesNotMatter) {
  const std::string items = R"("Items":[{"PK":{"S":"a"}},{"PK":{"S":"b"}}])";
  const std::string requests =
      R"([{"PutRequest":{"Item":{"PK":{"S":"a"}}}},{"PutRequest":{"Item":{"PK":{"S":"b"}}}}])";
  for (const std::string& text : std::vector<std::string>{
           R"({"Count":2,)" + items + "}",
           R"({"ScannedCount":2,"LastEvaluatedKey":{"PK":{"S":"b"}},)" + items + R"(,"Count":2})",
           R"({"ConsumedCapacity":{"CapacityUnits":0.5},"NextToken":"t",)" + items + "}",
           R"({"$metadata":{"attempts":1},)" + items + "}",
           "{\n  \"Count\": 2,\r\n  " + items + "\n}\n",
           "\xEF\xBB\xBF{\n\"ScannedCount\": 2\n,\n" + items + "}",
           R"({"ReturnConsumedCapacity":"TOTAL","RequestItems":{"app":)" + requests + "}}",
           R"({"Count":1,"Items":[{"PK":{"S":"a"}}]}{"Items":[{"PK":{"S":"b"}}],"Count":1})",
       }) {
    EXPECT_EQ(test::Value(Lines(text)), kTwoItems) << text;
  }
}

TEST(ImportDocumentsTest, ItemsMayHaveSeveralLinesEach) {
  EXPECT_EQ(test::Value(Lines("{\n  \"PK\": \"a\",\n  \"n\": 1.50\n}\n{\n  \"PK\": \"b\"\n}\n")),
            "{\"PK\":\"a\",\"n\":1.50}\n{\"PK\":\"b\"}\n");
}

// The line is read, and refused, as any other line, with its numbers as they are written.
TEST(ImportDocumentsTest, TheTextOfAnItemStaysAsItIs) {
  EXPECT_EQ(test::Value(Lines(R"([{"n": 12345678901234567.89, "h": "\ud83d"}, 5])")),
            R"({"Item":{"n":12345678901234567.89,"h":"\ud83d"}})"
            "\n"
            R"({"Item":5})"
            "\n");
}

// A line that was cut does not make its neighbours a part of it.
TEST(ImportDocumentsTest, ADamagedLineStaysALine) {
  for (const std::string first :
       {R"({"Item":{"PK":{"S":"a)", R"({"Item":{"PK":{"S":"a"})", R"({"Item":{)", R"({"Item")"}) {
    const std::string text = first + "\n" + R"({"Item":{"PK":{"S":"b"}}})" + "\n";
    EXPECT_EQ(test::Value(Lines(text)), text);
  }
}

TEST(ImportDocumentsTest, ABatchHasPutRequests) {
  const std::string requests =
      R"([{"PutRequest":{"Item":{"PK":{"S":"a"}}}},{"PutRequest":{"Item":{"PK":{"S":"b"}}}}])";
  EXPECT_EQ(test::Value(Lines(R"({"app":)" + requests + "}")), kTwoItems);
  EXPECT_EQ(test::Value(Lines(R"({"RequestItems":{"app":)" + requests + "}}")), kTwoItems);
  EXPECT_THAT(Lines(R"({"app":[{"DeleteRequest":{"Key":{"PK":{"S":"a"}}}}]})").status().message(),
              HasSubstr("an import only puts items"));
  EXPECT_THAT(Lines(R"({"app":)" + requests + R"(,"other":)" + requests + "}").status().message(),
              HasSubstr("the requests of one table, not of 2"));
}

TEST(ImportDocumentsTest, AListHasItems) {
  EXPECT_EQ(test::Value(Lines(R"([{"PK":{"S":"a"}},{"PK":{"S":"b"}}])")), kTwoItems);
}

TEST(ImportDocumentsTest, TheHeaderOfCsvHasTypes) {
  EXPECT_EQ(test::Value(Lines("PK:S,n:N,b:B,note\r\na,5,aGk=,\n\nb,,,x\n", "some/items.csv")),
            R"({"Item":{"PK":{"S":"a"},"b":{"B":"aGk="},"n":{"N":"5"},"note":{"S":""}}})"
            "\n"
            R"({"Item":{"PK":{"S":"b"},"note":{"S":"x"}}})"
            "\n");
  EXPECT_EQ(test::Value(Lines("", "items.csv.gz")), "");
}

TEST(ImportDocumentsTest, RejectsDamagedDocuments) {
  EXPECT_FALSE(Lines(R"({"Items":[)").ok());
  EXPECT_THAT(Lines("PK,n:N\na,x\n", "items.csv").status().message(), HasSubstr("input: row 1: "));
  EXPECT_THAT(Lines("PK:S,n:N\na,x\n", "items.csv").status().message(), HasSubstr("n: x: "));
}

}  // namespace
}  // namespace dolmen::command
