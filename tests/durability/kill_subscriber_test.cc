// Tests of a process that is killed while it runs a subscription. The handler writes each record to
// a file outside the database, like a handler that updates another system. Every change reaches the
// file, in order. Only the last record before a kill can be in the file twice.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/durability/acknowledgements.h"
#include "tests/support/child_process.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::test {
namespace {

constexpr std::uint64_t kStreamedItems = 20;

OpenOptions SubscriberOptions() {
  OpenOptions options;
  options.durability = Durability::kBuffered;
  options.write_buffer_bytes = 64 << 10;  // so that some rounds are killed while a file is written
  return options;
}

CreateTableInput Things() {
  CreateTableInput input;
  input.name = "things";
  input.stream_specification = StreamSpecification{.view_type = StreamViewType::kNewImage};
  return input;
}

Result<Table> OpenOrCreate(const Database& db) {
  Result<Table> table = db.OpenTable("things");
  return table.ok() ? std::move(table) : db.CreateTable(Things());
}

// Returns the item that a turn writes. Each turn changes one item. A repeated turn changes nothing
// and adds no record. The stream therefore holds one record for each of the turns 1, 2, 3, ..., in
// this order.
Item ItemOf(std::uint64_t turn) {
  return {{"PK", "p"},
          {"SK", std::to_string(turn % kStreamedItems)},
          {"turn", turn},
          {"filler", std::string(turn % 200, 'x')}};
}

// A file with one line per record.
class Log {
 public:
  explicit Log(const std::string& path)
      : file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600)) {}
  ~Log() { ::close(file_); }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  Status Append(const StreamRecord& record) const {
    const std::int64_t turn = (*record.new_image)["turn"].AsInt64().value_or(-1);
    const std::string line = record.sequence_number + " " + std::to_string(turn) + "\n";
    const bool written =
        ::write(file_, line.data(), line.size()) == static_cast<ssize_t>(line.size());
    return written ? Status() : Status::Storage("write");
  }

 private:
  int file_;
};

SubscribeInput Reader(bool in_background) {
  SubscribeInput input;
  input.name = "reader";
  input.in_background = in_background;
  return input;
}

// In each turn, writes an item and acknowledges the turn. Begins with the given turn. The parent
// kills the process at a random time, or the handler kills it after a given number of lines.
int WriteAndRead(const ChildArguments& arguments) {
  const Log log(arguments[1]);
  const std::uint64_t lines_max = std::stoull(arguments[3]);
  TellParent("opening");
  const auto db = Database::Open(arguments[0], SubscriberOptions());
  if (!db.ok()) return 1;
  const auto table = OpenOrCreate(*db);
  if (!table.ok()) return 2;
  const auto subscription = table->Subscribe(
      Reader(true), [&, lines = std::uint64_t{0}](const StreamRecord& record) mutable {
        Status appended = log.Append(record);
        if (++lines == lines_max) ::kill(::getpid(), SIGKILL);
        return appended;
      });
  if (!subscription.ok()) return 3;
  for (std::uint64_t turn = std::stoull(arguments[2]);; ++turn) {
    if (!table->PutItem({.item = ItemOf(turn)}).ok()) return 4;
    if (!TellParent(std::to_string(turn))) return 5;
  }
}

const ChildRole kWriteAndRead("write_and_read", WriteAndRead);

class KillSubscriberTest : public SeededTest {
 protected:
  struct Line {
    std::string number;
    std::uint64_t turn = 0;
  };

  ChildProcess Start(std::uint64_t lines_max) const {
    return {kWriteAndRead,
            {Directory(), LogPath(), std::to_string(acknowledged_ + 1), std::to_string(lines_max)}};
  }

  // Reads the lines that one run of the child added to the log. Checks that they continue after the
  // last line of the previous run, or repeat that line first, and that no record is skipped. Removes an
  // incomplete last line: a kill may cut a write to a file at the end of a page. The next run then
  // delivers its record first.
  void ReadRun() {
    std::ifstream file(LogPath());
    file.seekg(log_bytes_);
    std::string text;
    bool first = true;
    while (std::getline(file, text)) {
      if (file.eof()) {
        std::filesystem::resize_file(LogPath(), static_cast<std::uintmax_t>(log_bytes_));
        return;
      }
      log_bytes_ += static_cast<std::streamoff>(text.size()) + 1;
      const Line line{text.substr(0, 21), std::stoull(text.substr(22))};
      if (first && line.number == last_.number) {
        EXPECT_EQ(line.turn, last_.turn);
        ++repeated_;
      } else {
        ASSERT_EQ(line.turn, last_.turn + 1);
        ASSERT_GT(line.number, last_.number);
      }
      last_ = line;
      first = false;
    }
  }

  // Delivers the remaining records in a process that is not killed.
  void Drain() {
    const auto db = Database::Open(Directory(), SubscriberOptions());
    ASSERT_THAT(db, IsOk());
    const auto table = OpenOrCreate(*db);
    ASSERT_THAT(table, IsOk());
    const Log log(LogPath());
    auto subscription = table->Subscribe(
        Reader(false), [&](const StreamRecord& record) { return log.Append(record); });
    ASSERT_THAT(subscription, IsOk());
    ASSERT_THAT(subscription->Deliver(), IsOk());
    ReadRun();
  }

  // Checks that every acknowledged change is in the log. The log may hold one more change, if the
  // kill came after the change and before the acknowledgement of the change.
  void ExpectAllThere() const {
    EXPECT_GE(last_.turn, acknowledged_);
    EXPECT_LE(last_.turn, acknowledged_ + 1);
  }

  std::string Directory() const { return (directory_ / "db").string(); }
  std::string LogPath() const { return (directory_ / "log").string(); }

  TempDirectory directory_;
  std::uint64_t acknowledged_ = 0;
  std::streamoff log_bytes_ = 0;
  Line last_ = {};
  int repeated_ = 0;  // the number of repeated lines
};

TEST_F(KillSubscriberTest, EveryChangeIsDeliveredInOrderAndOnlyTheLastTwice) {
  for (std::size_t round = 0; round < kRounds; ++round) {
    const std::size_t count = random_.OneIn(5) ? 0 : 1 + random_.Below(kAcknowledgementsMax);
    ChildProcess child = Start(0);
    ASSERT_EQ(child.ReadLine(), "opening");
    acknowledged_ = KillAfter(count, &child).value_or(acknowledged_);
    ReadRun();
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
  EXPECT_GT(last_.turn, 0u);  // otherwise only the last run would deliver records
  const std::uint64_t before = last_.turn;
  Drain();
  ExpectAllThere();
  std::cout << last_.turn << " changes, " << last_.turn - before
            << " of them delivered by the last run, " << repeated_ << " delivered twice\n";
}

// The kill comes after the handler has written a record and before the subscription has stored its
// position. The next run must therefore deliver this record again.
TEST_F(KillSubscriberTest, RecordIsDeliveredAgainIfItsPositionWasNotStored) {
  constexpr int kKills = 10;
  for (std::size_t round = 0; round < kKills; ++round) {
    ChildProcess child = Start(2 + random_.Below(20));
    while (const auto line = child.ReadLine()) {
      if (*line != "opening") acknowledged_ = std::stoull(*line);
    }
    ASSERT_EQ(child.Finish(), -1);
    ReadRun();
    ASSERT_FALSE(HasFailure()) << "round " << round;
    EXPECT_EQ(repeated_, round);
  }
  Drain();
  EXPECT_EQ(repeated_, kKills);
  ExpectAllThere();
}

}  // namespace
}  // namespace dolmen::test
