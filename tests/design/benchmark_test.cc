#include "dolmen/design/benchmark.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/entity.h"
#include "tests/support/temp_directory.h"

namespace dolmen {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

struct Note {
  std::string id = {};
  std::string text = {};
};

constexpr auto DescribeEntity(const Note*) {
  return DefineEntity<Note>("note", {Attribute<&Note::id>("id"), Attribute<&Note::text>("text")},
                            {PrimaryKey("NOTE#{id}", "NOTE")});
}

// Runs models whose databases on disk are in a directory of the test.
class BenchmarkTest : public testing::Test {
 protected:
  BenchmarkTest() {
    fs::create_directory(databases());
    setenv("TMPDIR", databases().c_str(), 1);
  }
  ~BenchmarkTest() override { unsetenv("TMPDIR"); }

  std::string databases() const { return (dir_ / "databases").string(); }

  // Returns a model with one note for each unit of the size.
  BenchmarkedModel<EntityTable> Notes() {
    return {.name = "notes",
            .open =
                [](const Database& database, RequestObserver observer) {
                  return EntityTable::Open(database,
                                           {.name = "notes", .observer = std::move(observer)});
                },
            .load =
                [this](EntityTable& table, std::size_t size) {
                  ++loads_;
                  std::vector<Note> notes;
                  for (std::size_t i = 0; i < size; ++i)
                    notes.push_back({std::to_string(i), "text"});
                  return table.BatchPut(std::move(notes));
                },
            .sizes = {10, 20}};
  }

  // Runs the rows that `filter` selects, and returns the exit code. Stores the report in `report_`.
  int Run(const std::string& filter = ".") {
    std::vector<std::string> texts = {"test", "--benchmark_min_time=0.0001",
                                      "--benchmark_filter=" + filter};
    std::vector<char*> arguments;
    for (std::string& text : texts) arguments.push_back(text.data());
    std::ostringstream report;
    benchmark::JSONReporter reporter;
    reporter.SetOutputStream(&report);
    reporter.SetErrorStream(&report);
    const int code =
        RunModelBenchmarks(static_cast<int>(arguments.size()), arguments.data(), &reporter);
    report_ = report.str();
    return code;
  }

  // Returns a number of the only row in the report.
  double Counter(const std::string& name) const {
    const std::size_t at = report_.find('"' + name + "\": ");
    EXPECT_NE(at, std::string::npos) << report_;
    return at == std::string::npos ? 0 : std::stod(report_.substr(at + name.size() + 4));
  }

  test::TempDirectory dir_;
  int loads_ = 0;
  std::string report_;
};

Result<Note> GetNote(EntityTable& table, BenchmarkCall call) {
  return table.Get(Note{.id = std::to_string(call.number % call.size)});
}

TEST_F(BenchmarkTest, EachStorageAndSizeIsARow) {
  ModelBenchmark<EntityTable>(Notes()).Pattern("get", GetNote);
  EXPECT_EQ(Run(), 0);
  for (const char* place : {"memory/10", "memory/20", "disk/10", "disk/20"}) {
    EXPECT_THAT(report_, HasSubstr("\"notes/get/" + std::string(place) + "/real_time\""));
  }
}

TEST_F(BenchmarkTest, CountersHoldTheCostOfOneCall) {
  ModelBenchmark<EntityTable>(Notes()).Pattern("put twice", [](EntityTable& table) {
    return table.Put(Note{"a", "b"}).and_then([&](const Note& note) { return table.Put(note); });
  });
  EXPECT_EQ(Run("memory/10/"), 0);
  EXPECT_THAT(report_, HasSubstr("\"requests\": 2.0"));
  EXPECT_THAT(report_, HasSubstr("\"write_units\": 2.0"));
  EXPECT_THAT(report_, HasSubstr("\"read_units\": 0.0"));
}

// kNoteBytes is the size of a note: the names and values of its keys, its attributes and its type.
TEST_F(BenchmarkTest, ARowOfAReadHasTheItemsAndTheFloor) {
  constexpr double kNoteBytes = 39;
  for (const char* storage : {"memory/10/", "disk/10/"}) {
    ModelBenchmark<EntityTable>(Notes()).Pattern("get two", [](EntityTable& table) {
      return table.BatchGet(std::vector<Note>{{.id = "1"}, {.id = "2"}});
    });
    EXPECT_EQ(Run(storage), 0);
    EXPECT_EQ(Counter("items_read"), 2);
    EXPECT_EQ(Counter("bytes_read"), 2 * kNoteBytes);
    EXPECT_GT(Counter("floor_us"), 0);
    EXPECT_GT(Counter("x_floor"), 0);
  }
}

TEST_F(BenchmarkTest, AQueryThatFindsNothingReadsNoItemAndHasNoFloor) {
  ModelBenchmark<EntityTable>(Notes()).Pattern("find none", [](EntityTable& table) {
    return table.Query<Note>().With<&Note::id>("none").All();
  });
  EXPECT_EQ(Run("memory/10/"), 0);
  EXPECT_EQ(Counter("items_read"), 0);
  EXPECT_THAT(report_, Not(HasSubstr("floor")));
}

TEST_F(BenchmarkTest, APatternThatAlsoWritesHasNoFloor) {
  ModelBenchmark<EntityTable>(Notes()).Pattern("get and put", [](EntityTable& table) {
    return table.Get(Note{.id = "1"}).and_then([&](const Note& note) { return table.Put(note); });
  });
  EXPECT_EQ(Run("memory/10/"), 0);
  EXPECT_EQ(Counter("items_read"), 1);
  EXPECT_THAT(report_, Not(HasSubstr("floor")));
}

TEST_F(BenchmarkTest, RowsOfOneStorageAndSizeShareADatabase) {
  ModelBenchmark<EntityTable>(Notes()).Pattern("get", GetNote).Pattern("get again", GetNote);
  EXPECT_EQ(loads_, 0);
  EXPECT_EQ(Run("/10/"), 0);
  EXPECT_EQ(loads_, 2);
}

TEST_F(BenchmarkTest, TheDirectoriesAreRemovedAfterTheRun) {
  bool existed = false;
  ModelBenchmark<EntityTable>(Notes()).Pattern("get", [&](EntityTable& table) {
    existed = !fs::is_empty(databases());
    return table.Get(Note{.id = "0"});
  });
  EXPECT_EQ(Run("disk/10/"), 0);
  EXPECT_TRUE(existed);
  EXPECT_TRUE(fs::is_empty(databases()));
}

TEST_F(BenchmarkTest, AnErrorOfAPatternEndsItsRow) {
  ModelBenchmark<EntityTable>(Notes())
      .Pattern("refuse", [](EntityTable&) { return Status::Validation("no more notes"); })
      .Pattern("get", GetNote);
  EXPECT_EQ(Run("memory/10/"), 1);
  EXPECT_THAT(report_, HasSubstr("no more notes"));
  EXPECT_THAT(report_, HasSubstr("\"requests\": 1.0"));
}

TEST_F(BenchmarkTest, AnErrorOfTheLoadEndsTheRows) {
  BenchmarkedModel<EntityTable> model = Notes();
  model.load = [](EntityTable&, std::size_t) { return Status::Validation("no notes"); };
  ModelBenchmark<EntityTable>(std::move(model)).Pattern("get", GetNote);
  EXPECT_EQ(Run("disk/10/"), 1);
  EXPECT_THAT(report_, HasSubstr("no notes"));
  EXPECT_THAT(report_, Not(HasSubstr("\"requests\"")));
}

TEST_F(BenchmarkTest, ARunWithoutRowsFails) {
  ModelBenchmark<EntityTable>(Notes()).Pattern("get", GetNote);
  EXPECT_EQ(Run("no such row"), 1);
}

}  // namespace
}  // namespace dolmen
