// Tests of incremental exports in DynamoDB's JSON, with folders as buckets.

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "command/buckets.h"
#include "command/item_lines.h"
#include "command/line_reader.h"
#include "dolmen/wire.h"
#include "tests/command/command_fixture.h"
#include "tests/support/value.h"
#include "wire/attribute_json.h"
#include "wire/json.h"

namespace dolmen {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

class IncrementalExportTest : public test::SeededTest {
 protected:
  IncrementalExportTest() {
    std::filesystem::create_directory(directory_ / "bucket");
    EXPECT_TRUE(db_.CreateTable({.name = "table"}).ok());
    clock_->Advance(seconds(1));
    EXPECT_TRUE(db_.UpdateContinuousBackups({.table_name = "table"}).ok());
    from_ = clock_->Now();
  }

  Table OpenTable() const { return test::Value(db_.OpenTable("table")); }
  void Put(const std::string& sort, int n) const {
    EXPECT_TRUE(OpenTable().PutItem({.item = {{"PK", "a"}, {"SK", sort}, {"n", n}}}).ok());
  }
  void Delete(const std::string& sort) const {
    EXPECT_TRUE(OpenTable().DeleteItem({.key = {{"PK", "a"}, {"SK", sort}}}).ok());
  }

  // Executes the operation. A word in single quotes stands for a JSON string.
  std::string Body(std::string_view operation, std::string json, int status = 200) const {
    std::replace(json.begin(), json.end(), '\'', '"');
    const EndpointResponse response = endpoint_.Execute(operation, json);
    EXPECT_EQ(response.status, status) << operation << ' ' << json << '\n' << response.body;
    return response.body;
  }
  std::string Export(const std::string& more, int status = 200) const {
    return Body("ExportTableToPointInTime",
                "{'TableArn':'arn:aws:dynamodb:us-east-1:000000000000:table/table',"
                "'S3Bucket':'bucket'" +
                    more + "}",
                status);
  }
  static std::string SecondsOf(Timestamp time) {
    const auto total = time.time_since_epoch().count();
    const std::string fraction = std::to_string(1000 + total % 1000).substr(1);
    return std::to_string(total / 1000) + "." + fraction;
  }
  static std::string Period(Timestamp from, Timestamp to, const std::string& more = "") {
    return ",'ExportType':'INCREMENTAL_EXPORT','IncrementalExportSpecification':{'ExportFromTime'"
           ":" +
           SecondsOf(from) + ",'ExportToTime':" + SecondsOf(to) + more + "}";
  }
  std::string Describe(const std::string& started) const {
    return Body("DescribeExport",
                "{'ExportArn':'" + test::TextOfMember(started, "ExportArn") + "'}");
  }
  std::string FileInBucket(const std::string& key) const {
    return test::ReadFile(directory_ / "bucket" / key);
  }
  // Returns the lines of all data files of an export, in the order of the files.
  std::vector<std::string> LinesOf(const std::string& started) const {
    const std::string described = Describe(started);
    EXPECT_THAT(described, HasSubstr(R"("ExportStatus":"COMPLETED")"));
    const std::string summary = FileInBucket(test::TextOfMember(described, "ExportManifest"));
    std::string files = FileInBucket(test::TextOfMember(summary, "manifestFilesS3Key"));
    std::vector<std::string> lines;
    for (; !files.empty(); files.erase(0, files.find('\n') + 1)) {
      const std::string key = test::TextOfMember(files, "dataFileS3Key");
      auto reader = test::Value(command::LineReader::Open(directory_ / "bucket" / key));
      for (auto line = reader.Next(); line.ok() && *line; line = reader.Next()) {
        lines.emplace_back(**line);
      }
    }
    return lines;
  }

  const test::TempDirectory directory_;
  const std::shared_ptr<ManualClock> clock_ =
      std::make_shared<ManualClock>(*ParseIso8601("2026-10-01T12:00:00Z"));
  const Database db_ = test::Value(Database::InMemory({.clock = clock_}));
  const Endpoint endpoint_{
      db_, {.buckets = test::Value(command::OpenBuckets(directory_.path().string()))}};
  Timestamp from_;  // the begin of the recovery
};

TEST_F(IncrementalExportTest, ALineHasTheNetChangeOfAnItem) {
  Put("updated", 1);
  Put("deleted", 1);
  Put("same", 1);
  clock_->Advance(seconds(1));
  const Timestamp from = clock_->Now();
  Put("updated", 2);
  Put("inserted", 1);
  Put("inserted and deleted", 1);
  clock_->Advance(milliseconds(1500));
  Put("updated", 3);
  Delete("deleted");
  Delete("inserted and deleted");
  clock_->Set(from + minutes(15));
  const Timestamp to = clock_->Now();
  Put("updated", 4);
  Delete("inserted");
  Put("later", 1);
  const auto line = [&](int after, const std::string& sort, const std::string& images) {
    const auto micros = (from.time_since_epoch().count() + after) * 1000;
    return R"({"Metadata":{"WriteTimestampMicros":{"N":")" + std::to_string(micros) +
           R"("}},"Keys":{"PK":{"S":"a"},"SK":{"S":")" + sort + "\"}}" + images + "}";
  };
  const auto image = [](const std::string& name, const std::string& sort, int n) {
    return ",\"" + name + R"(":{"PK":{"S":"a"},"SK":{"S":")" + sort + R"("},"n":{"N":")" +
           std::to_string(n) + "\"}}";
  };
  EXPECT_THAT(LinesOf(Export(Period(from, to))),
              ElementsAre(line(1500, "deleted", image("OldImage", "deleted", 1)),
                          line(0, "inserted", image("NewImage", "inserted", 1)),
                          line(1500, "updated",
                               image("OldImage", "updated", 1) + image("NewImage", "updated", 3))));
  EXPECT_THAT(
      LinesOf(Export(Period(from, to, ",'ExportViewType':'NEW_IMAGE'"))),
      ElementsAre(line(1500, "deleted", ""), line(0, "inserted", image("NewImage", "inserted", 1)),
                  line(1500, "updated", image("NewImage", "updated", 3))));
}

TEST_F(IncrementalExportTest, TheDescriptionAndTheManifestsHaveThePeriod) {
  Put("1", 1);
  clock_->Advance(minutes(20));
  const std::string started = Export(Period(from_, clock_->Now(), "") + ",'S3Prefix':'daily'");
  const std::string described = Describe(started);
  for (const std::string& body : {started, described}) {
    EXPECT_THAT(body, HasSubstr(R"("ExportType":"INCREMENTAL_EXPORT")"));
    EXPECT_THAT(body, HasSubstr(R"("IncrementalExportSpecification":{"ExportFromTime":1790856001,)"
                                R"("ExportToTime":1790857201,)"
                                R"("ExportViewType":"NEW_AND_OLD_IMAGES"})"));
    EXPECT_THAT(body, Not(HasSubstr("\"ExportTime\"")));
  }
  EXPECT_THAT(described, HasSubstr(R"("BilledSizeBytes":10000000)"));
  EXPECT_THAT(described, HasSubstr(R"("ItemCount":1)"));
  EXPECT_THAT(Body("ListExports", "{}"), HasSubstr(R"("ExportType":"INCREMENTAL_EXPORT")"));
  const std::string summary = FileInBucket(test::TextOfMember(described, "ExportManifest"));
  EXPECT_THAT(summary, HasSubstr(R"("version":"2023-08-01")"));
  EXPECT_THAT(summary, HasSubstr(R"("exportFromTime":"2026-10-01T12:00:01Z",)"
                                 R"("exportToTime":"2026-10-01T12:20:01Z",)"
                                 R"("exportType":"INCREMENTAL_EXPORT",)"
                                 R"("outputView":"NEW_AND_OLD_IMAGES")"));
  const std::string arn = test::TextOfMember(described, "ExportArn");
  EXPECT_EQ(test::TextOfMember(FileInBucket(test::TextOfMember(summary, "manifestFilesS3Key")),
                               "dataFileS3Key"),
            "daily/AWSDynamoDB/data/" + arn.substr(arn.rfind('/') + 1) + "-00001.json.gz");
}

TEST_F(IncrementalExportTest, ThePeriodIsChecked) {
  const auto expect = [&](const std::string& request, const std::string& error,
                          const std::string& message) {
    EXPECT_THAT(Export(request, 400), HasSubstr(error + "\",\"message\":\"" + message)) << request;
  };
  clock_->Advance(hours(48));
  const Timestamp now = clock_->Now();
  const std::string invalid_time = "InvalidExportTimeException";
  const std::string difference =
      "Difference between export period from time and export period to time is ";
  expect(",'ExportType':'INCREMENTAL_EXPORT'", "ValidationException",
         "Invalid Request: Incremental Export Specification expected when export type is set as "
         "Incremental Export");
  expect(",'IncrementalExportSpecification':{}", "ValidationException",
         "Invalid Request: Export Type expected to be Incremental Export when incremental export "
         "specification is provided");
  expect(",'ExportType':'INCREMENTAL_EXPORT','IncrementalExportSpecification':{}",
         "ValidationException",
         "Invalid Request: ExportFromTime must be provided in IncrementalExportSpecification");
  expect(Period(now - minutes(15) + seconds(1), now), invalid_time,
         difference + "less than 15 minutes");
  expect(Period(now - hours(24) - seconds(1), now), invalid_time,
         difference + "greater than 24 hours");
  expect(Period(from_ - hours(1), now), invalid_time,
         "Incremental export period from time cannot be less than the table creation time : "
         "2026-10-01T12:00:00Z");
  expect(Period(from_, now + seconds(1)), invalid_time,
         "Incremental export period to time cannot be greater than the current time : "
         "2026-10-03T12:00:01Z");
  expect(Period(from_ - seconds(1), from_ + hours(1)), invalid_time,
         "Point in Time Recovery is not available for specified export time");
  Describe(Export(Period(now - hours(24), now)));
  ASSERT_TRUE(db_.UpdateContinuousBackups({.table_name = "table", .enabled = false}).ok());
  expect(Period(now - hours(1), now), "PointInTimeRecoveryUnavailableException",
         "Point in time recovery is not enabled for table 'table'");
}

TEST_F(IncrementalExportTest, AnImportRejectsTheLines) {
  Put("1", 1);
  clock_->Advance(minutes(20));
  command::ItemLineParser parser;
  EXPECT_THAT(parser.Parse(LinesOf(Export(Period(from_, clock_->Now()))).at(0)).status().message(),
              HasSubstr("a change of an incremental export; import a full export"));
}

// The items of a table as JSON, by their keys as JSON.
using Items = std::map<std::string, std::string>;

// Returns the member of a line as JSON without spaces, or "" if the line lacks it.
std::string MemberOf(const std::string& line, std::string_view name) {
  simdjson::dom::parser parser;
  const auto json = test::Value(wire::ParseJson(line, "the line", &parser));
  const auto member = wire::Member(wire::ObjectOf(json), name);
  return member ? simdjson::minify(*member) : "";
}

TEST_F(IncrementalExportTest, AFullExportWithTheChangesOfPeriodsIsALaterFullExport) {
  const auto items_at = [&](Timestamp time) {
    Items items;
    for (const std::string& line : LinesOf(Export(",'ExportTime':" + SecondsOf(time)))) {
      const std::string item = MemberOf(line, "Item");
      const std::string keys =
          R"({"PK":)" + MemberOf(item, "PK") + R"(,"SK":)" + MemberOf(item, "SK") + "}";
      items[keys] = item;
    }
    return items;
  };
  const auto write = [&] {
    const std::string sort = std::to_string(random_.Below(20));
    random_.OneIn(3) ? Delete(sort) : Put(sort, static_cast<int>(random_.Below(1000)));
    if (random_.OneIn(2)) clock_->Advance(milliseconds(random_.Below(60'000)));
  };
  const auto apply = [](const std::vector<std::string>& changes, Items* items) {
    for (const std::string& line : changes) {
      const std::string keys = MemberOf(line, "Keys");
      const std::string new_image = MemberOf(line, "NewImage");
      const auto old = items->find(keys);
      EXPECT_EQ(MemberOf(line, "OldImage"), old == items->end() ? "" : old->second) << line;
      items->erase(keys);
      if (!new_image.empty()) items->emplace(keys, new_image);
    }
  };
  for (int i = 0; i < 30; ++i) write();
  clock_->Advance(milliseconds(1));
  Timestamp from = clock_->Now();
  Items items = items_at(from - milliseconds(1));
  for (std::size_t period = test::TestSteps(8); period > 0; --period) {
    for (std::size_t writes = random_.Below(60); writes > 0; --writes) write();
    clock_->Set(std::max(clock_->Now(), from + minutes(15) + milliseconds(random_.Below(100'000))));
    const Timestamp to = from + minutes(15) +
                         milliseconds(random_.Below(static_cast<std::size_t>(
                             (clock_->Now() - from - minutes(15)).count() + 1)));
    apply(LinesOf(Export(Period(from, to))), &items);
    clock_->Advance(seconds(2));  // an export of the current second has the present items
    ASSERT_EQ(items, items_at(to - milliseconds(1)));
    from = to;
  }
}

}  // namespace
}  // namespace dolmen
