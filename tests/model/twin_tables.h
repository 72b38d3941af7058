// Tables of a real database and of the reference, side by side. Each random operation runs on both,
// and the results are compared.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/dolmen.h"
#include "dolmen/testing/simulate.h"
#include "tests/model/random_operation.h"
#include "tests/model/real_results.h"
#include "tests/model/reference_database.h"
#include "tests/support/random.h"
#include "tests/support/temp_directory.h"
#include "tests/support/volatile_disk.h"

namespace dolmen::test {

// Tables of a real database and their reference. Each difference between them fails the test. The
// seed determines the sequence of operations. Results may also depend on work in the background.
class TwinTables {
 public:
  enum class Trouble : std::uint8_t {
    kNone,
    kCrashes,  // the files are on a disk for Crash(), and each write is synced
    kFaults,   // a simulation makes operations fail, cuts pages, and scans in hash order
  };
  explicit TwinTables(Random* random, Trouble trouble = Trouble::kNone)
      : random_(*random),
        crashes_(trouble == Trouble::kCrashes),
        faults_(trouble == Trouble::kFaults),
        generator_(random) {}

  void Create();  // creates the database and its tables

  // Each of these functions does one random operation on both sides and compares the results, all
  // pages included.
  void Write();
  void Get();
  void Query();
  void Scan();
  void BatchWrite();
  void BatchGetItems();
  void Transact();
  void TransactGet();

  void AdvanceClock();
  void ChangeIndexes();  // creates an index, waits for one, or deletes one
  void ReplaceTable();   // deletes a table and creates one with its name
  void Describe();
  void Reopen();
  // Lets all changes of files fail and checks that reads still work, or ends the database at once.
  // Opens again what a killed process or a power cut leaves of it.
  // REQUIRES: Trouble::kCrashes.
  void Crash();

  // Checks that every table and every index holds exactly the expected items.
  void CheckAll();

  // Returns how often each kind of outcome happened.
  const std::map<std::string, std::size_t>& counts() const { return counts_; }

 private:
  static constexpr std::size_t kTables = 3;

  struct Slot {
    std::optional<Table> table = {};
    std::string making = {};   // the index whose backfill may still run
    bool can_read_it = false;  // a read of `making` has succeeded
    std::size_t crowd = 0;     // items written to prolong backfills
  };

  void Open();
  void Close();
  void OpenTables();
  // Checks reads and writes while the disk rejects changes.
  void ReadOnBrokenDisk();
  void CreateTable(std::size_t number);
  std::size_t Choose();  // chooses a table and sets it in the generator
  ReferenceTable& model(std::size_t number) { return model_.table(number); }
  const CreateTableInput& description(std::size_t number) { return model(number).description(); }

  // Switches the faults on, with a new seed, or off.
  void SetFaults(bool on);
  // Returns the result of call(), and repeats a call that fails by a fault. If the call took effect
  // although it failed, returns `expected`, which must be a success.
  template <typename T, typename Call>
  T Settled(const T& expected, Call call);
  template <typename T>
  void ExpectSame(const T& expected, const T& actual, const std::string& operation);
  // Returns true if `actual` is the error of a read from an index that is still being built. After
  // a read of the index has succeeded, this error is not valid, and the function returns false.
  bool IsStillMaking(std::size_t number, const std::string& index, StatusCode expected,
                     StatusCode actual);
  void ReadPages(std::size_t number, const QueryOperation& query);
  void CheckIndex(std::size_t number, const std::string& index);
  void CheckDescription(std::size_t number);

  TransactOperation NewTransaction();
  void WriteTo(std::size_t number);
  void DoBatchWrite(const std::vector<TableWrite>& writes);
  void Crowd(std::size_t number);
  void CreateIndex(std::size_t number);
  void CreateAnother(std::size_t number);
  void WaitForIndex(std::size_t number);
  void DeleteIndex(std::size_t number, std::string name);  // `name` may refer into description()
  void ForgetTransactionsOn(std::size_t number);
  void DeleteTable(std::size_t number);

  Random& random_;
  const bool crashes_;
  const bool faults_;
  TempDirectory directory_;
  std::filesystem::path path_ = directory_ / "db";
  std::shared_ptr<VolatileDisk> disk_;  // null without crashes
  std::shared_ptr<ManualClock> clock_ = std::make_shared<ManualClock>();
  std::optional<Database> db_;
  std::optional<Simulation> simulation_;  // with faults only
  std::array<Slot, kTables> slots_;
  QueryOutput page_;
  ReferenceDatabase model_;
  OperationGenerator generator_;
  std::vector<TransactOperation> remembered_;  // some of the transactions with tokens
  std::size_t last_token_ = 0;
  std::map<std::string, std::size_t> counts_;
};

}  // namespace dolmen::test
