// The lines of a file, or of standard input, that may be compressed by gzip.

#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/result.h"

namespace dolmen::server {

inline constexpr std::string_view kStandardInput = "-";

// Reads a file from its beginning, or from where an earlier reader of the same file was.  What the
// file is called does not matter: gzip is known by its first bytes.  Memory is bounded: a line of
// more than kLineBytesMax is an error.  For one thread.
class LineReader {
 public:
  // An item has at most 400 KB, and no more than six bytes of JSON for each of its own and some for
  // each of its types; this is far beyond.
  static constexpr std::size_t kLineBytesMax = std::size_t{16} << 20;

  // `path` may be kStandardInput.  kStorage: it can't be read.
  static Result<LineReader> Open(const std::string& path);

  // The next line without its end, or nothing at the end of the file; empty ones too.  Lives until
  // the next call.  kStorage: the file can't be read on.  kCorruption: it ends in the middle of its
  // compressed data or these are damaged.  kValidation: the line is too long.
  Result<std::optional<std::string_view>> Next();

  // What an earlier reader's position() was, to read on behind it.  An error as of Next, and if the
  // file is not that long.
  struct Position {
    std::uint64_t lines = 0;
    std::uint64_t bytes = 0;  // uncompressed
  };
  Status GoTo(const Position& position);

  // Behind the line that Next returned last.
  const Position& position() const { return position_; }

  // The bytes of the file that were read, compressed as they are; and of it all, unless it is a
  // pipe.
  std::uint64_t file_bytes_read() const;
  std::optional<std::uint64_t> file_bytes() const { return file_bytes_; }

  // The first bytes of the uncompressed data, up to 64 KB of them.  REQUIRES: nothing else was
  // called before.  Fails as Next does.
  Result<std::string_view> Peek();

  // "standard input", or the path: for messages.
  const std::string& name() const { return name_; }

 private:
  struct Close {
    void operator()(gzFile file) const { ::gzclose(file); }
  };

  LineReader() = default;
  Status Fill();
  Status Failure() const;

  std::unique_ptr<gzFile_s, Close> file_;
  std::string name_;
  std::optional<std::uint64_t> file_bytes_;
  std::string buffer_;  // [begin_, end_) is read from the file and not yet handed out
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool at_end_ = false;  // of the file
  Position position_;
};

}  // namespace dolmen::server
