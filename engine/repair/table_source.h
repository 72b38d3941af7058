// A reader of a table file that may be damaged.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/result.h"
#include "engine/repair/block.h"
#include "engine/repair/file_list.h"
#include "engine/repair/repair_files.h"
#include "engine/repair/version.h"

namespace dolmen::engine {

// The versions in the blocks of a table file that can be read. The file's index names the places of
// the blocks. If the index or the end of the file is damaged, the reader finds the blocks by their
// checksums. It keeps one block in memory, and the file is open only during a read: a repair reads
// all table files of a database at the same time, maybe more files than a process may have open.
class TableSource : public VersionSource {
 public:
  // Reads the begin of the file in `system`, which must outlive the TableSource. Calls `on_gap` for
  // each run of blocks that cannot be read, when the reader reaches the run.
  static std::unique_ptr<TableSource> Open(RepairFiles* system, const TableFileToRead& table,
                                           FileGapHandler on_gap);

  const Version* current() const override {
    return next_ < versions_.size() ? &versions_[next_] : nullptr;
  }
  void Next() override {
    if (++next_ >= versions_.size()) ReadBlock();
  }

  // Returns the ranges that the file deletes.
  const std::vector<DeletedRange>& deleted() const { return deleted_; }
  // Returns the size of the file, and the number of bytes that were read or passed over.
  std::uint64_t file_bytes() const { return file_bytes_; }
  std::uint64_t bytes_read() const { return block_ > 0 ? places_[block_ - 1].end() : 0; }
  // Return the places of the blocks, and the place of the block of current().
  const std::vector<BlockPlace>& places() const { return places_; }
  const BlockPlace& place() const { return places_[block_ - 1]; }

 private:
  TableSource(RepairFiles* system, const TableFileToRead& table, FileGapHandler on_gap);

  // Finds the places by the file's index. Returns false if the index cannot be read.
  bool FindPlacesByIndex();
  // Finds the places by the checksums of the blocks.
  void FindPlacesByChecksums();
  // Returns true if the versions follow those of the block before them and belong into the file.
  bool IsInPlace(const std::vector<Version>& versions) const;
  // Reads the next readable block.
  void ReadBlock();
  // Returns an empty string if the bytes cannot be read.
  std::string ReadAt(std::uint64_t offset, std::uint64_t size);
  // Returns the contents of the block, or nothing if it cannot be read.
  std::optional<std::string> ReadContents(const BlockPlace& place);

  RepairFiles* const system_;
  const TableFileToRead table_;
  const FileGapHandler on_gap_;
  std::uint64_t file_bytes_ = 0;
  std::vector<BlockPlace> places_;
  std::vector<DeletedRange> deleted_;
  std::size_t block_ = 0;  // the number of blocks that were read or passed over
  std::vector<Version> versions_;
  std::size_t next_ = 0;
  std::string last_key_;        // of the block before the current one
  bool is_indexed_ = false;     // true if places_ has all blocks of the file
  std::optional<FileGap> gap_;  // the gap before the next readable block
};

}  // namespace dolmen::engine
