// Tests of random damage to every kind of file. Open refuses the database, or Verify finds the
// damage, or the damage changes nothing that the database holds. The process never ends.

#include <gmock/gmock.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "tests/durability/damage_rig.h"
#include "tests/durability/repair_oracle.h"
#include "tests/support/child_process.h"
#include "tests/support/encrypted_run.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::engine {
namespace {

namespace fs = std::filesystem;
using test::ChildProcess;

constexpr std::size_t kDamageCases = 60;
constexpr std::size_t kTableBits = 250;

OpenOptions DamageOptions(bool read_only) {
  return {.read_only = read_only, .expiry_lag = std::nullopt};
}

// Opens and reads a damaged database. Returns the outcome: "refused", "found", "harmless" or
// "SILENT". An error other than kCorruption is part of the outcome.
std::string Examine(const fs::path& directory, const OpenOptions& options, const Rows& expected) {
  const auto engine = test::OpenEngine(directory, options);
  if (!engine.ok() && engine.status().code() == StatusCode::kCorruption) return "refused";
  if (!engine.ok()) return "refused " + std::string(StatusCodeName(engine.status().code()));
  const Result<VerifyOutput> verified = (*engine)->Verify({});
  if (!verified.ok() || verified->finding_count > 0) return "found";
  const Result<Rows> rows = ReadRows((*engine)->store());
  return rows.ok() && *rows == expected ? "harmless" : "SILENT";
}

// The arguments of a child process, which runs some cases. A case depends only on the seed and on
// its number. The child tells the parent the kind and the description of each case before the case
// begins, and then its outcome.
struct ChildWork {
  explicit ChildWork(const test::ChildArguments& arguments)
      : database{arguments[0]},
        seed(std::stoull(arguments[1])),
        begin(std::stoul(arguments[2])),
        end(std::stoul(arguments[3])) {}

  test::Random RandomOf(std::size_t number) const {
    return test::Random(seed + number * std::uint64_t{1'000'003});
  }

  const DamagedDatabase database;
  const std::uint64_t seed;
  const std::size_t begin;
  const std::size_t end;
};

int RunDamageCases(const test::ChildArguments& arguments) {
  const ChildWork work(arguments);
  const fs::path copy = work.database.root / "copy";
  const fs::path repaired = work.database.root / "repaired";
  const RepairOracle oracle(work.database.root / "same");
  for (std::size_t number = work.begin; number < work.end; ++number) {
    test::Random random = work.RandomOf(number);
    CopyDirectory(work.database.original(), copy);
    const Damage damage = DamageRandomly(work.database, copy, "", &random);
    test::TellParent(damage.file_kind + " " + kDamageNames[static_cast<std::size_t>(damage.kind)]);
    test::TellParent(damage.text);
    const std::string repair = oracle.Repair(copy, repaired);
    fs::remove_all(repaired);
    test::TellParent(Examine(copy, DamageOptions(random.OneIn(2)), oracle.rows()) +
                     ", repair: " + repair);
  }
  return 0;
}

const test::ChildRole kRunDamageCases("run_damage_cases", RunDamageCases);

void FlipBitOf(const fs::path& path, std::size_t bit) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekg(static_cast<std::streamoff>(bit / 8));
  const int byte = file.get();
  file.seekp(static_cast<std::streamoff>(bit / 8));
  file.put(static_cast<char>(byte ^ (1 << bit % 8)));
}

// Flips a bit of a table file in each case, and flips it back. A database that is opened for
// reading only does not change, so that the cases need no copies.
int FlipTableBits(const test::ChildArguments& arguments) {
  const ChildWork work(arguments);
  const Rows expected = ReadAllRows(work.database.root / "same");
  const fs::path copy = work.database.root / "bits";
  std::vector<fs::path> tables;
  for (const auto& entry : fs::directory_iterator(copy)) {
    if (FileKind(entry.path().filename()) == "table") tables.push_back(entry.path());
  }
  for (std::size_t number = work.begin; number < work.end; ++number) {
    test::Random random = work.RandomOf(number);
    const fs::path& table = random.Pick(tables);
    const std::size_t bit = random.Below(8 * fs::file_size(table));
    test::TellParent("table flip");
    test::TellParent("bit " + std::to_string(bit) + " of " + table.filename().string());
    FlipBitOf(table, bit);
    test::TellParent(Examine(copy, DamageOptions(true), expected));
    FlipBitOf(table, bit);
  }
  return 0;
}

const test::ChildRole kFlipTableBits("flip_table_bits", FlipTableBits);

class DamageTest : public test::SeededTest {
 protected:
  DamageTest() {
    DamagedDatabase::Create(directory_ / "root");
    CopyDirectory(database_.original(), database_.root / "same");
  }

  // Runs the cases in child processes. A child whose process ends in a case is an outcome, too.
  void RunCases(const test::ChildRole& role, std::size_t count) {
    for (std::size_t number = 0; number < count;) {
      CopyDirectory(database_.original(), database_.root / "bits");
      ChildProcess child(role, {database_.root, std::to_string(test::TestSeed()),
                                std::to_string(number), std::to_string(count)});
      const std::size_t begin = number;
      while (const std::optional<std::string> kind = child.ReadLine()) {
        const std::string text = child.ReadLine().value_or("");
        const std::string outcome = child.ReadLine().value_or("ABORT");
        ++outcomes_[*kind][outcome];
        EXPECT_TRUE(IsAllowed(*kind, outcome)) << outcome << " in case " << number << ": " << text;
        ++number;
      }
      ASSERT_GT(number, begin) << "the child process does not begin";
    }
    PrintOutcomes();
  }

  static bool IsAllowed(const std::string& kind, const std::string& outcome) {
    // A directory without the marker file is no database. A damaged marker may name a newer format.
    const bool is_marker = kind.starts_with("DOLMEN ") || kind.ends_with("missing");
    const std::size_t end = outcome.find(", repair: ");
    const std::string opened = outcome.substr(0, end);
    const std::string repair = end != outcome.npos ? outcome.substr(end + 10) : "whole";
    return (repair == "whole" || repair == "partial") &&
           (opened == "refused" || opened == "found" || opened == "harmless" ||
            (is_marker && opened == "refused ValidationException") ||
            (is_marker && opened == "refused UnsupportedFormatException"));
  }

  void PrintOutcomes() const {
    std::map<std::string, std::size_t> sums;
    for (const auto& [kind, counts] : outcomes_) {
      std::cout << kind << ":";
      for (const auto& [outcome, count] : counts) {
        std::cout << " " << count << " " << outcome;
        sums[outcome] += count;
      }
      std::cout << "\n";
    }
    for (const auto& [outcome, count] : sums) std::cout << count << " " << outcome << "\n";
  }

  test::TempDirectory directory_;
  const DamagedDatabase database_{directory_ / "root"};
  std::map<std::string, std::map<std::string, std::size_t>> outcomes_;
};

TEST_F(DamageTest, NoDamageIsSilent) { RunCases(kRunDamageCases, test::TestSteps(kDamageCases)); }

TEST_F(DamageTest, NoFlippedBitOfATableFileEndsTheProcess) {
  RunCases(kFlipTableBits, test::TestSteps(kTableBits));
}

}  // namespace
}  // namespace dolmen::engine
