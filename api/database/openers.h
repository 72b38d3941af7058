// The functions with which Database, Repair and Simulation reach an engine.

#pragma once

#include <memory>
#include <string>

#include "dolmen/database.h"
#include "dolmen/repair.h"

namespace dolmen::engine {
class Engine;
}  // namespace dolmen::engine

namespace dolmen::internal {

// Each function does the work of the operation of the same name. A test program may put others in their
// place before it opens a database, for example to encrypt all databases or to serve them from a server.
struct Openers {
  Result<Database> (*open)(const std::string& directory, const OpenOptions& options);
  Result<Database> (*in_memory)(const OpenOptions& options);
  Result<Database> (*in_memory_from)(const std::string& directory, const OpenOptions& options);
  Result<CopyOutput> (*restore)(const std::string& backup, const std::string& directory,
                                const RestoreOptions& options);
  Result<RepairOutput> (*repair)(const std::string& from, const std::string& to,
                                 const RepairOptions& options);
  // Returns the database of this process that Simulation::Of means.
  Database (*simulated)(const Database& database);
};

// The library only reads it. At first it has the functions of the engine.
extern Openers openers;

// Returns the engine as a database, behind a simulation if the options have one.
Result<Database> ToDatabase(Result<std::shared_ptr<engine::Engine>> engine,
                            const OpenOptions& options);

}  // namespace dolmen::internal
