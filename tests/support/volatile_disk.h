// A disk that loses what was not synced when the power is cut.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tests/support/intercepted_disk.h"
#include "tests/support/random.h"
#include "tests/support/temp_directory.h"

namespace dolmen::test {

// A file system that keeps its files in the operating system's file system, in one directory, and
// notes which bytes and which names are synced. Thread-safe.
class VolatileDisk : public InterceptedDisk {
 public:
  // Cuts the power: from now on every change fails.
  void CutPower();
  // Cuts the power during a later call that changes the disk. `calls` of them precede it. Half of
  // the times, that call still has its effect.
  void CutPowerAfter(std::size_t calls, Random* random);

  // Returns true after the power was cut.
  bool is_off() const { return is_off_; }
  // Returns the number of calls so far that change the disk.
  std::size_t calls() const { return calls_; }

  // Copies the directory to `to` as the disk may look after the power cut:
  // - Names: some of the creations, renames and deletions since the last sync of the directory have
  //   happened, others not.
  // - Bytes: a file keeps its synced bytes. It ends anywhere behind them. Of the pages or sectors behind them,
  //   some may hold zeros, and a page may be as it was after an earlier write.
  void CopyRemains(const std::filesystem::path& from, const std::filesystem::path& to,
                   Random* random);

  const char* Name() const override { return "VolatileDisk"; }
  rocksdb::IOStatus Intercept(const DiskCall& call, const PerformCall& perform) override;

 private:
  // The contents of a file, under any names or under none.
  using FileId = std::size_t;
  using Names = std::map<std::string, FileId>;
  // A change of the names that is not synced: `file` gets the name `added` and loses `removed`.
  struct Change {
    FileId file = 0;
    std::string added = {};
    std::string removed = {};
  };

  // Returns the file with this name. Treats a file that was there from the start as synced.
  FileId Find(const std::string& path);
  std::filesystem::path DataOf(FileId file) const { return data_ / std::to_string(file); }
  void Apply(const Change& change, Names* names) const;
  void SyncNames();
  void AddName(FileId file, const std::string& path);
  rocksdb::IOStatus Perform(const DiskCall& call, const PerformCall& perform);
  // Returns the names after some of the unsynced changes.
  Names NamesAfterTheCut(Random* random) const;
  // Writes what remains of the file to `path`.
  void CopyFile(FileId file, const std::filesystem::path& path, Random* random) const;

  std::atomic<std::size_t> calls_ = 0;
  std::atomic<bool> is_off_ = false;
  std::mutex mutex_;                          // guards the members below
  std::size_t calls_left_ = ~std::size_t{0};  // before the power cut
  bool has_effect_ = false;                   // of the call during which the power is cut
  TempDirectory data_;                        // holds a link to each file, under its FileId
  std::vector<std::uint64_t> synced_;         // the synced bytes of each file
  std::map<FileId, std::vector<std::uint64_t>> writes_;  // the sizes of a file after each write
  Names names_;                                          // the names now
  Names synced_names_;           // the names at the last sync of the directory
  std::vector<Change> changes_;  // of the names since then
};

}  // namespace dolmen::test
