// The open databases of the process.

#pragma once

#include <cstdint>
#include <memory>

#include "c/dolmen.h"

namespace dolmen_node {

// An open database, which the destructor closes. Several JavaScript objects, workers and running
// calls share it.
class OpenDatabase {
 public:
  OpenDatabase(dolmen_database* database, uint32_t id) : database_(database), id_(id) {}
  OpenDatabase(const OpenDatabase&) = delete;
  OpenDatabase& operator=(const OpenDatabase&) = delete;
  ~OpenDatabase() { dolmen_close(database_); }

  dolmen_database* get() const { return database_; }

  // Returns the number by which another worker finds the database.
  uint32_t id() const { return id_; }

 private:
  dolmen_database* const database_;
  const uint32_t id_;
};

// Owns the database and gives it an id. Thread-safe.
std::shared_ptr<OpenDatabase> Register(dolmen_database* database);

// Returns the database with the id, or nullptr if it is closed. Thread-safe.
std::shared_ptr<OpenDatabase> FindDatabase(uint32_t id);

}  // namespace dolmen_node
