// A workload of all kinds of writes, in which any step may fail, and the state that must follow.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/support/contents.h"

namespace dolmen::test {

// The new item of each changed key; nothing if the item is deleted. A change happens as a whole or
// not at all.
using Change = std::map<Contents::key_type, std::optional<Item>>;

inline constexpr std::int64_t kWorkloadBegin = 1'776'254'400;  // in seconds since 1970

// An open or closed database, as the steps of the workload use it.
struct WriteSession {
  // Opens the database, or creates it.
  std::function<Result<Database>(const OpenOptions& options)> open;
  // Set to the time at which the workload begins. A stream loses its records a day later.
  std::shared_ptr<ManualClock> clock =
      std::make_shared<ManualClock>(Timestamp(std::chrono::seconds(kWorkloadBegin)));
  std::string backup_directory = {};  // empty: the workload makes no backup
  std::optional<Database> db = {};
  std::optional<Table> table = {};  // of the open database
};

// Removes the directory with all that is in it, if it exists.
// - kStorage: it cannot be removed. At a limit of descriptors, the message names the limit.
Status RemoveDirectory(const std::string& directory);

// A step of the workload.
struct WriteStep {
  enum class Kind {
    kOpen,         // opens the database
    kCreateTable,  //
    kCreateIndex,  // and waits until its backfill has ended
    kExpiry,       // enables time to live
    kWrite,        // the changes happen together
    kSweep,        // each of the changes happens alone
    kImport,       // creates a second table with its items
    kRead,         // changes nothing
    kClose,
  };
  std::string name;
  Kind kind = Kind::kWrite;
  std::function<Status(WriteSession& session)> run;
  std::vector<Change> changes = {};
};

// Returns the steps of the workload. They write so much that several table files are written and
// compacted. They open the database twice and close it twice. A new kind of write is added here.
const std::vector<WriteStep>& EveryWrite();

// Executes the steps for which a database is open, and calls `on_step` before and after each of them.
// `outcome` is null before the step.
void RunEveryWrite(WriteSession* session,
                   const std::function<void(const WriteStep&, const Status* outcome)>& on_step);

// The state that a database must have after some steps of EveryWrite() succeeded and others failed.
class ExpectedState {
 public:
  void Acknowledge(const WriteStep& step);
  // Notes that the step returned an error, or that its process ended. The step may be visible after
  // the database is opened again. Until then only the parts of a kSweep may be visible.
  void Fail(const WriteStep& step);

  // Checks the contents that a database returned which was not opened again since the last failure.
  // - kCorruption: an acknowledged change is missing, or a change is visible that must not be.
  Status Compare(const Contents& found) const { return Compare(found, doubts_); }

  // Checks all of a database that was opened again: its tables, items, indexes, stream and files.
  // Waits until the indexes are built.
  // - kCorruption: a part is not as expected, or two parts do not match.
  // - any other error: the database cannot be read.
  Status Check(const Database& db) const;
  // Checks the imported table alone: it exists as a whole or not at all, and no later table has a part of it. Fails as
  // Check does.
  Status CheckImported(const Database& db) const;

 private:
  // A change that failed.
  struct Doubt {
    Change change;
    bool may_be_visible = false;
  };

  static std::vector<Doubt> WithAllVisible(std::vector<Doubt> doubts);
  Status Compare(const Contents& found, const std::vector<Doubt>& doubts) const;
  Status CheckTable(const Database& db, const Table& table) const;

  bool has_table_ = false;
  bool has_index_ = false;
  bool has_expiry_ = false;
  bool has_imported_ = false;
  Contents contents_;
  std::vector<Doubt> doubts_;
};

}  // namespace dolmen::test
