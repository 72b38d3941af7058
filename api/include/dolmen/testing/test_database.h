// A database that is filled once per program, and of which each test gets a fork of its own.
//
//   const TestDatabase& Orders() {
//     static const TestDatabase orders([](const Database& db) -> Status {
//       auto table = db.CreateTable({.name = "orders"});
//       if (!table.ok()) return table.status();
//       return table->PutItem({.item = {{"PK", "ORDER#1"}, {"SK", "META"}}}).status();
//     });
//     return orders;
//   }
//
//   TEST(OrderTest, CanBeDeleted) {
//     const Database db = Orders().Fork();
//     ...                               // no other test sees the changes
//   }
//
// The header needs no test framework. It works with threads, and with programs that run in parallel.
// Under ctest, shards of one program are the fastest: README.md ("In tests") shows how.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "dolmen/database.h"

namespace dolmen {

// The contents of the databases of tests. Thread-safe.
//
// The first Fork creates the contents, in memory. The contents exist until the program ends: a
// TestDatabase can be a static variable, although a Database cannot outlive main().
class TestDatabase {
 public:
  // A function that creates tables and puts items.
  using Fill = std::function<Status(const Database&)>;

  // The contents are what `fill` writes to an empty database that is opened with `options`.
  explicit TestDatabase(Fill fill, const OpenOptions& options = {})
      : TestDatabase([fill = std::move(fill), options]() -> Result<Database> {
          return Database::InMemory(options).and_then(
              [&](const Database& db) { return fill(db).and_return(db); });
        }) {}

  // The contents are those of the database in a directory, which Fork copies to memory and does not
  // change. Programs that run in parallel may copy it at the same time. If a program has the
  // directory open, Fork waits up to ten seconds.
  //
  // Store the contents with `Fork({.directory = directory})` of another TestDatabase. It writes a
  // table file, so the copy of 10,000 items takes ten milliseconds. A program that opens the
  // directory and puts 10,000 items leaves them in a log. Their copy takes seven times as long.
  static TestDatabase FromDirectory(const std::string& directory, const OpenOptions& options = {}) {
    return TestDatabase([directory, options]() -> Result<Database> {
      constexpr std::chrono::seconds kPatience(10);
      const auto give_up = std::chrono::steady_clock::now() + kPatience;
      for (;;) {
        auto copied = Database::InMemoryFrom(directory, options);
        const bool is_in_use = copied.status().code() == StatusCode::kResourceInUse;
        if (!is_in_use || std::chrono::steady_clock::now() > give_up) return copied;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
  }

  // Neither copyable nor movable: tests hold references.
  TestDatabase(const TestDatabase&) = delete;
  TestDatabase& operator=(const TestDatabase&) = delete;

  // Returns a new database with the contents. An error of `fill`, of the directory or of the fork is
  // printed and ends the program.
  Database Fork(const ForkOptions& options = {}) const {
    std::call_once(once_, [this] { contents_ = Keep(*create_()); });
    return *contents_->Fork(options);
  }

 private:
  using Create = std::function<Result<Database>()>;
  explicit TestDatabase(Create create) : create_(std::move(create)) {}

  // A list of the contents of all TestDatabases, so that a leak checker finds none of them lost.
  struct Kept {
    const Database database;
    const Kept* next;
  };
  inline static std::atomic<const Kept*> kept_ = nullptr;

  static const Database* Keep(Database database) {
    Kept* const kept = new Kept{std::move(database), nullptr};
    kept->next = kept_.exchange(kept);
    return &kept->database;
  }

  const Create create_;
  mutable std::once_flag once_;
  mutable const Database* contents_ = nullptr;  // never destroyed
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
