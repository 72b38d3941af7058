// A database whose writes put two items each, for tests with a file system that fails. The items
// and their index entries hold the number of the write, so a write that is visible in part is
// noticed.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "engine/engine.h"

namespace dolmen::engine {

class PairDatabase {
 public:
  // The number of a write by the sort key of its items: "a0" to "a4" and "b0" to "b4".
  using Contents = std::map<std::string, std::int64_t>;

  // A table with a stream keeps a record of each write, so it grows.
  explicit PairDatabase(bool has_stream = true) : has_stream_(has_stream) {}

  // Opens the database in `directory` with its files in `file_system`. Creates the database and its
  // table if they are absent.
  Status Open(const std::filesystem::path& directory,
              std::shared_ptr<rocksdb::FileSystem> file_system, const OpenOptions& options);
  void Close();
  Engine& engine() const { return *engine_; }

  // Puts the two items of write `number`, each with `bytes` bytes of padding, atomically.
  Status Write(std::int64_t number, std::size_t bytes) const;

  // Deletes the two items of write `number` atomically.
  Status Delete(std::int64_t number) const;

  // Returns the items of the table, or of the index if `index` is "GSI1". Fails the test if they
  // cannot be read.
  Contents Read(const std::string& index = "") const;

  // Returns the items to which the records of the table's stream lead. Fails the test if they cannot
  // be read.
  Contents ReadStream() const;

  // Change `contents` from the state before write `number`, or before the deletion of its items, to
  // the state after it.
  static void Apply(std::int64_t number, Contents* contents);
  static void ApplyDelete(std::int64_t number, Contents* contents);

 private:
  // Does two writes atomically.
  template <typename Input>
  Status Do(const std::array<Input, 2>& inputs) const;

  const bool has_stream_;
  std::shared_ptr<Engine> engine_;
  LiveTableRef table_;
};

}  // namespace dolmen::engine
