// The checkpoints of long commands, from which a later run of the same command resumes.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "command/database_command.h"
#include "dolmen/database.h"

namespace dolmen::command {

// The checkpoints of the commands that write to one table. A checkpoint has a name, which tells the
// command and its inputs, and a map of the command's facts. Not thread-safe.
class CheckpointStore {
 public:
  virtual ~CheckpointStore() = default;

  // Returns the checkpoint; nothing if it does not exist or cannot be read.
  virtual std::optional<Map> Read(const std::string& name) const = 0;
  // Write replaces the checkpoint of this name, and Remove removes it.
  // - kStorage: it cannot be written.
  virtual Status Write(const std::string& name, Map checkpoint) = 0;
  virtual Status Remove(const std::string& name) = 0;
};

// Returns the store of a table's checkpoints.
//
// The checkpoints of a table in a directory are in the table's annotations, at most the latest eight
// of them. Items and checkpoints are then in one log in order: if a checkpoint survives a crash, the
// items that were written before it survive too. No other code may change the annotations meanwhile.
//
// The checkpoints of a table on a service are files in $XDG_STATE_HOME/dolmen or, without this
// variable, ~/.local/state/dolmen. A service does not lose what it has acknowledged.
// - kValidation: neither that variable nor HOME is set.
Result<std::unique_ptr<CheckpointStore>> CheckpointsOf(const Database& database,
                                                       const DatabaseWords& words,
                                                       const TableDescription& table);

// Return a text or a number of a checkpoint, or nothing if it is absent or out of range.
std::optional<std::string> TextIn(const Map& checkpoint, const char* name);
std::optional<std::int64_t> IntegerIn(const Map& checkpoint, const char* name);
std::optional<std::uint64_t> UnsignedIn(const Map& checkpoint, const char* name);

}  // namespace dolmen::command
