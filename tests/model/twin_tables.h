// Some tables of a real database and of the reference, side by side: does random operations on both
// and compares.

#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/model/random_operation.h"
#include "tests/model/real_results.h"
#include "tests/model/reference_database.h"
#include "tests/support/random.h"
#include "tests/support/temp_directory.h"

namespace dolmen::test {

// Failures are gtest's.  Which operations are done follows from the seed alone, also where the
// background decides what comes of them.
class TwinTables {
 public:
  explicit TwinTables(Random* random) : random_(*random), generator_(random) {}

  void Create();  // the database and its tables

  // One operation each, with all its pages.
  void Write();
  void Get();
  void Query();
  void Scan();
  void BatchWrite();
  void BatchGetItems();
  void Transact();
  void TransactGet();

  void AdvanceClock();
  void ChangeIndexes();  // makes one, waits for it, or deletes one
  void ReplaceTable();   // deletes it and makes another of that name
  void Describe();
  void Reopen();

  // That every table and index holds what it should and nothing else.
  void CheckAll();

  // How often what happened.
  const std::map<std::string, std::size_t>& counts() const { return counts_; }

 private:
  static constexpr std::size_t kTables = 3;

  struct Slot {
    std::optional<Table> table = {};
    std::string making = {};   // the index that was not waited for yet
    bool can_read_it = false;  // as a read has shown
    std::size_t crowd = 0;     // items written to keep a backfill busy
  };

  void Open();
  void CreateTable(std::size_t number);
  std::size_t Choose();  // a table, which the generator then is for
  ReferenceTable& model(std::size_t number) { return model_.table(number); }
  const CreateTableInput& description(std::size_t number) { return model(number).description(); }

  template <typename T>
  void ExpectSame(const T& expected, const T& actual, const std::string& operation);
  // Whether that is the answer of an index that is not made yet, and may be.
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
  void DeleteIndex(std::size_t number, std::string name);  // which may be that of a description
  void ForgetTransactionsOn(std::size_t number);
  void DeleteTable(std::size_t number);

  Random& random_;
  TempDirectory directory_;
  std::shared_ptr<ManualClock> clock_ = std::make_shared<ManualClock>();
  std::optional<Database> db_;
  std::array<Slot, kTables> slots_;
  QueryOutput page_;
  ReferenceDatabase model_;
  OperationGenerator generator_;
  std::vector<TransactOperation> remembered_;  // some with tokens
  std::size_t last_token_ = 0;
  std::map<std::string, std::size_t> counts_;
};

}  // namespace dolmen::test
