// A test of three versions of a program that take turns on one table. Each process is killed while
// it writes and, in the versions 2 and 3, migrates. Some processes may first end a walk over the
// whole table, which often began before the kill of another process. Afterwards every version reads
// all that it knows of each member, and no acknowledged change is lost. `make campaign CHECKS=evolution` runs the
// test with 100,000 members and 20 kills.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "dolmen/dolmen.h"
#include "dolmen/entity.h"
#include "tests/durability/acknowledgements.h"
#include "tests/entity/club.h"
#include "tests/evolution/evolution_writer.h"
#include "tests/support/child_process.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

namespace v1 = evolution::v1;
namespace v2 = evolution::v2;
namespace v3 = evolution::v3;

const std::size_t kKills = TestSteps(6);

// Returns the number of members at the start. The variable DOLMEN_MEMBERS sets another number.
int MembersOfTheTest() {
  const char* variable = std::getenv("DOLMEN_MEMBERS");
  return variable != nullptr ? std::stoi(variable) : 300;
}

// Returns options for many items. Most wait for no disk, because a migration would otherwise wait for
// each item. Larger write buffers than those of the other tests cause fewer compactions.
OpenOptions LargeOptionsOf(std::uint64_t seed) {
  OpenOptions options = OptionsOf(seed);
  if (seed % 8 != 0) options.durability = Durability::kBuffered;
  options.write_buffer_bytes *= 16;
  return options;
}

// The lines of a process that has ended a walk.
constexpr std::string_view kWalked = "walked";
constexpr std::string_view kWalkedResumed = "walked from the position of a killed process";

EntityTableInput TableOf(int version) {
  EntityTableInput input = {.name = "club", .add_missing_indexes = true};
  if (version >= 2) input.indexes.push_back("GSI1");
  if (version >= 3) input.indexes.push_back("GSI2");
  return input;
}

// Runs one version of the program: two threads that write, and one that migrates without an end.
// The arguments are the directory, the seed of the options, the version, the seed of the changes,
// the number of members, and the first turn of each thread.
int RunVersion(const ChildArguments& arguments) {
  const int version = std::stoi(arguments[2]);
  const std::uint64_t seed = std::stoull(arguments[3]);
  const int members = std::stoi(arguments[4]);
  TellParent("opening");
  const auto database = Database::Open(arguments[0], LargeOptionsOf(std::stoull(arguments[1])));
  if (!database.ok()) return 1;
  const auto table = EntityTable::Open(*database, TableOf(version));
  if (!table.ok()) return 2;
  const auto write = [&](int writer) {
    for (std::uint64_t turn = std::stoull(arguments[5 + static_cast<std::size_t>(writer)]);;
         ++turn) {
      const ClubChange change = ChangeOf(seed, version, writer, turn, members);
      // A migration may hold the item of an update.
      Status written = Write(*table, version, change);
      if (written.code() == StatusCode::kTransactionConflict) {
        --turn;
        continue;
      }
      if (!written.ok()) std::_Exit(3);
      if (!TellParent(std::to_string(writer) + " " + std::to_string(turn))) std::_Exit(4);
    }
  };
  std::vector<std::thread> writers;
  for (int writer = 0; writer < kWriters; ++writer) writers.emplace_back(write, writer);
  Result<bool> is_resumed = version > 1 ? HasBegunWalk(*table, version) : false;
  if (!is_resumed.ok()) std::_Exit(5);
  while (version > 1) {
    const Status walked = WalkOnce(*table, version);
    if (walked.code() == StatusCode::kTransactionConflict) continue;
    if (!walked.ok()) std::_Exit(5);
    if (!TellParent(*is_resumed ? kWalkedResumed : kWalked)) std::_Exit(4);
    is_resumed = false;
  }
  for (std::thread& writer : writers) writer.join();
  return 0;
}

const ChildRole kRunVersion("run_version", RunVersion);

class EvolutionKillTest : public SeededTest {
 protected:
  void SetUp() override {
    const Database database = Open();
    const EntityTable table = Value(EntityTable::Open(database, TableOf(1)));
    std::vector<v1::Member> members;
    for (int number = 0; number < members_; ++number) {
      members.push_back({.number = number, .name = "name " + std::to_string(number)});
      club_[number].title = members.back().name;
    }
    ASSERT_THAT(table.BatchPut(std::move(members)), IsOk());
  }

  Database Open() {
    return Value(Database::Open((directory_ / "db").string(), LargeOptionsOf(random_.Next() | 1)));
  }

  // Runs the version in a process and kills it after `count` lines. If `waits_for_walk`, counts the
  // lines only after the process has ended a walk.
  void RunAndKill(int version, std::size_t count, bool waits_for_walk) {
    ChildArguments arguments = {(directory_ / "db").string(), std::to_string(random_.Next()),
                                std::to_string(version), std::to_string(TestSeed()),
                                std::to_string(members_)};
    for (const std::uint64_t turn : turns_) arguments.push_back(std::to_string(turn + 1));
    ChildProcess child(kRunVersion, arguments);
    ASSERT_EQ(child.ReadLine(), "opening");
    const int walks_before = walks_;
    while (count > 0 || (waits_for_walk && walks_ == walks_before)) {
      const auto line = child.ReadLine();
      ASSERT_TRUE(line) << "the child gave up with exit code " << child.Finish();
      Acknowledge(version, *line);
      if (count > 0 && (!waits_for_walk || walks_ > walks_before)) --count;
    }
    child.Kill();
    while (const auto line = child.ReadLine()) Acknowledge(version, *line);
    AddPending(version);
  }

  // Makes the acknowledged change in the club.
  void Acknowledge(int version, const std::string& line) {
    const std::size_t blank = line.find(' ');
    if (line.starts_with(kWalked)) {
      ++walks_;
      if (line == kWalkedResumed) ++resumed_walks_;
      upgraded_ |= version == 3;
      return;
    }
    const int writer = std::stoi(line.substr(0, blank));
    const std::uint64_t turn = std::stoull(line.substr(blank));
    ASSERT_EQ(turn, ++turns_[static_cast<std::size_t>(writer)]);
    Apply(ChangeOf(TestSeed(), version, writer, turn, members_), &club_);
  }

  // Remembers the member that each thread may have changed without an acknowledgement.
  void AddPending(int version) {
    pending_.clear();
    for (int writer = 0; writer < kWriters; ++writer) {
      const std::uint64_t turn = ++turns_[static_cast<std::size_t>(writer)];
      const ClubChange change = ChangeOf(TestSeed(), version, writer, turn, members_);
      Club changed =
          club_.contains(change.number) ? Club{{change.number, club_[change.number]}} : Club();
      Apply(change, &changed);
      pending_[change.number] = changed.begin()->second;
    }
  }

  // Returns the members as version 3 reads them.
  static Club ReadClub(const EntityTable& table) {
    Club club;
    for (const v3::Member& member : Value(table.Query<v3::Member>().All())) {
      club[member.number] = {.title = member.title, .visits = member.visits, .level = member.level};
    }
    for (const v2::Badge& badge : Value(table.Query<v2::Badge>().All())) {
      club[badge.member].badge = badge.words;
    }
    return club;
  }

  // Checks that the table holds the club. A change without an acknowledgement is there or not.
  void CheckClub(const EntityTable& table) {
    const Club found = ReadClub(table);
    for (const auto& [number, changed] : pending_) {
      const auto member = found.find(number);
      if (member != found.end() && member->second == changed) club_[number] = changed;
    }
    pending_.clear();
    ASSERT_EQ(found.size(), club_.size());
    for (const auto& [number, member] : found) {
      ASSERT_TRUE(club_.contains(number)) << number;
      ASSERT_EQ(member.title, club_[number].title) << number;
      ASSERT_EQ(member.visits, club_[number].visits) << number;
      ASSERT_EQ(member.level, club_[number].level) << number;
      ASSERT_EQ(member.badge, club_[number].badge) << number;
    }
  }

  // Checks what an older version reads: its own attributes, and the name until it has become a title.
  // A version 1 has the level in its rest.
  template <typename Member>
  void CheckOlder(const EntityTable& table) {
    const auto members = Value(table.Query<Member>().All());
    ASSERT_EQ(members.size(), club_.size());
    for (const Member& member : members) {
      const ClubMember& expected = club_[member.number];
      const bool is_upgraded = member.rest.contains(kEntityVersion);
      ASSERT_EQ(member.visits, expected.visits) << member.number;
      ASSERT_EQ(is_upgraded ? member.rest.at("title") : AttributeValue(member.name),
                AttributeValue(expected.title))
          << member.number;
      if constexpr (requires { member.level; }) {
        ASSERT_EQ(member.level, expected.level) << member.number;
      }
      ASSERT_TRUE(is_upgraded || !upgraded_ || member.number >= members_) << member.number;
    }
  }

  // Checks what version 3 and one older version read.
  void CheckVersions(int older) {
    const Database database = Open();
    const EntityTable table(database, Value(database.OpenTable("club")));
    CheckClub(table);
    if (HasFatalFailure()) return;
    if (older == 1) CheckOlder<v1::Member>(table);
    if (older == 2) CheckOlder<v2::Member>(table);
  }

  // Migrates the whole table, and checks that the indexes hold each member under the keys of version 3.
  void CheckIndexes() {
    const Database database = Open();
    const EntityTable table = Value(EntityTable::Open(database, TableOf(3)));
    const MigrateOptions fast = {.share = 1};
    EXPECT_EQ(Value(table.Reindex<v2::Member>(fast)).items_failed, 0U);
    EXPECT_EQ(Value(table.Migrate<v3::Member>(v3::SetShelf, fast)).items_failed, 0U);
    EXPECT_EQ(Value(table.Reindex<v3::Member>(fast)).items_written, 0U);
    EXPECT_EQ(Value(table.Scan<v2::Member>("GSI1").All()).size(), club_.size());
    std::map<std::pair<int, std::string>, int> expected;
    for (const auto& [number, member] : club_) ++expected[{member.level, member.title}];
    std::map<std::pair<int, std::string>, int> found;
    for (int level = 3; level <= expected.rbegin()->first.first; ++level) {
      std::string before;
      for (const v3::Member& member :
           Value(table.Query<v3::Member>("GSI2").With<&v3::Member::level>(level).All())) {
        EXPECT_GE(member.title, before);
        EXPECT_EQ(member.shelf, "SHELF-" + std::to_string(member.number % 10));
        before = member.title;
        ++found[{member.level, member.title}];
      }
    }
    EXPECT_EQ(found, expected);
  }

  const int members_ = MembersOfTheTest();
  TempDirectory directory_;
  Club club_;
  Club pending_;  // the members as they are if the last change of a thread was made
  std::array<std::uint64_t, kWriters> turns_ = {};
  std::map<int, int> kills_;  // by version
  int walks_ = 0;             // walks that have ended
  int resumed_walks_ = 0;     // those of them that an earlier process began
  bool upgraded_ = false;     // a walk of version 3 has upgraded all members of the start
};

TEST_F(EvolutionKillTest, ThreeVersionsTakeTurnsAndLoseNothing) {
  // The first turns: each version is killed amid its work, and then 2 and 3 end a walk.
  constexpr std::array<int, 5> kFirstVersions = {1, 2, 3, 2, 3};
  for (std::size_t kill = 0; kill < kKills; ++kill) {
    const bool is_first = kill < kFirstVersions.size();
    const int version = is_first ? kFirstVersions[kill] : static_cast<int>(random_.Between(1, 3));
    const bool waits_for_walk = version > 1 && (is_first ? kill >= 3 : random_.OneIn(3));
    const std::size_t count =
        random_.OneIn(5) ? 0 : 1 + random_.Below(2 * static_cast<std::size_t>(members_));
    ++kills_[version];
    RunAndKill(version, count, waits_for_walk);
    ASSERT_FALSE(HasFatalFailure()) << "kill " << kill << " of version " << version;
    CheckVersions(static_cast<int>(kill % 2) + 1);
    ASSERT_FALSE(HasFatalFailure()) << "kill " << kill << " of version " << version;
  }
  EXPECT_GE(walks_, kKills < kFirstVersions.size() ? 0 : 2);
  CheckIndexes();
  CheckVersions(1);
  CheckVersions(2);
  std::uint64_t turns = 0;
  for (const std::uint64_t turn : turns_) turns += turn;
  std::cout << "kills of version 1, 2, 3: " << kills_[1] << ", " << kills_[2] << ", " << kills_[3]
            << "; " << turns << " changes, " << club_.size() << " members, " << walks_
            << " whole walks, " << resumed_walks_ << " of them resumed after a kill\n";
}

}  // namespace
}  // namespace dolmen::test
