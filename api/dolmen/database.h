// A database: one directory, or memory, that holds tables.

#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/create_table.h"
#include "dolmen/open_options.h"
#include "dolmen/result.h"
#include "dolmen/table.h"

namespace dolmen {

// An open database.  A handle: copies refer to the same database, which closes when the last
// handle, tables included, is gone.  Every method may be called from any number of threads.
class Database {
 public:
  // Opens the database in `directory`, making it if there is none.
  // kValidation: the directory holds something else, or nothing and !create_if_missing.
  // kResourceInUse: it is open already, here or in another process.
  // kUnsupportedFormat: a newer release of Dolmen wrote it.
  // kCorruption: its files are damaged.  kStorage: they can't be read or written.
  // A directory that is refused for what it is, for its format or for being in use is not changed.
  static Result<Database> Open(const std::filesystem::path& directory,
                               const OpenOptions& options = {});

  // A new database that lives in memory until its last handle is gone.
  static Result<Database> InMemory(const OpenOptions& options = {});

  // Makes a table that is ready at once.
  // kValidation: the name or a key schema is wrong.  kResourceInUse: the name is taken.
  Result<Table> CreateTable(const CreateTableInput& input);

  // kResourceNotFound: there is no such table.
  Result<Table> OpenTable(std::string_view name) const;

  // Does all of the actions, or none, as one atomic write.  Conditions and updates see the items as
  // they were before.  Serializable against all other writes.
  // kValidation: nothing or more than 100 actions, more than 4 MB of items to put, two actions on
  // one item, a table of another database, an update without UpdateExpression, return_values
  // (transactions return none), or any of the actions would be refused by itself for what the
  // request says. kTransactionCanceled: a condition was false or an update can't be done; reasons()
  // has one Status for each action.
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
  Status TransactWriteItems(const std::vector<TransactWriteItem>& actions) const;

  // The database's clock.
  const std::shared_ptr<Clock>& clock() const DOLMEN_LIFETIME_BOUND;

 private:
  explicit Database(std::shared_ptr<engine::Engine> engine) : engine_(std::move(engine)) {}

  std::shared_ptr<engine::Engine> engine_;
};

}  // namespace dolmen
