// The lines of a file, or of standard input, that may be compressed by gzip.

#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/result.h"

namespace dolmen::command {

inline constexpr std::string_view kStandardInput = "-";

// Reads a file from its beginning.  What the file is called does not matter: gzip is known by its
// first bytes.  Memory is bounded: a line of more than kLineBytesMax is an error.  For one thread.
class LineReader {
 public:
  // An item has at most 400 KB, and no more than six bytes of JSON for each of its own and some for
  // each of its types; this is far beyond.
  static constexpr std::size_t kLineBytesMax = std::size_t{16} << 20;

  // `path` may be kStandardInput.  kStorage: it can't be read.
  static Result<LineReader> Open(const std::string& path);

  // The next line without its end, or nothing at the end of the file; empty ones too.  Lives until
  // the next call.  kStorage: the file can't be read on.  kCorruption: it ends in the middle of its
  // compressed data or these are damaged.  kValidation: the line is too long; SkipLine goes on
  // behind it.
  Result<std::optional<std::string_view>> Next();

  // Reads the line that Next found too long to its end; how long that takes nobody knows, so `stop`
  // is asked now and then.  False if it said so.  Fails as Next does.
  Result<bool> SkipLine(const std::function<bool()>& stop);

  struct Position {
    std::uint64_t lines = 0;
    std::uint64_t bytes = 0;  // uncompressed
    std::uint64_t hash = 0;   // of these bytes, and of what StartHash has said

    friend bool operator==(const Position&, const Position&) = default;
  };
  // Behind the line that Next returned last, or SkipLine went over.
  const Position& position() const { return position_; }

  // The hash of what comes before the file.  REQUIRES: no line was read yet.
  void StartHash(std::uint64_t hash) { position_.hash = hash; }

  // The bytes of the file that were read, compressed as they are; and of it all, unless it is a
  // pipe.
  std::uint64_t file_bytes_read() const;
  std::optional<std::uint64_t> file_bytes() const { return file_bytes_; }

  // The first bytes of the uncompressed data, up to 64 KB of them.  REQUIRES: nothing else was
  // called before.  Fails as Next does.
  Result<std::string_view> Peek();

  // "standard input", or the path: for messages.
  static std::string NameOf(const std::string& path);
  const std::string& name() const { return name_; }

 private:
  struct Close {
    void operator()(gzFile file) const { ::gzclose(file); }
  };

  LineReader() = default;
  Status Fill();
  Status Failure() const;
  void Take(std::size_t count);

  std::unique_ptr<gzFile_s, Close> file_;
  std::string name_;
  std::optional<std::uint64_t> file_bytes_;
  std::string buffer_;  // [begin_, end_) is read from the file and not yet handed out
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool at_end_ = false;  // of the file
  Position position_;
};

}  // namespace dolmen::command
