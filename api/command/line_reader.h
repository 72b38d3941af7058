// A reader of the lines of a file or of standard input. The input may be compressed with gzip.

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
// The bytes that some programs write before a text in UTF-8.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// A reader of a file from its beginning. It detects gzip by the first bytes, not by the name. Its
// memory is bounded: a line longer than kLineBytesMax is an error. Not thread-safe.
class LineReader {
 public:
  // The longest line in bytes. The JSON of any item is much shorter, because an item has at most
  // 400 KB. JSON needs at most six bytes for each byte of the item, and a few bytes for the type of
  // each value.
  static constexpr std::size_t kLineBytesMax = std::size_t{16} << 20;

  // Opens a file, or standard input for kStandardInput.
  // - kStorage: the file cannot be read.
  static Result<LineReader> Open(const std::string& path);

  // Returns a reader of a text in memory, which it copies. `name` is the name for messages.
  // - kStorage: the system has no memory for the text.
  static Result<LineReader> OfText(std::string_view text, std::string name);

  // Returns the next line without its end, or nothing at the end of the file. Lines may be empty.
  // The view is valid until the next call.
  // - kStorage: the file cannot be read.
  // - kCorruption: the compressed data are truncated or damaged.
  // - kValidation: the line is too long. SkipLine continues after it.
  Result<std::optional<std::string_view>> Next();

  // Skips the line that Next found too long. Calls `stop` from time to time, because the line may
  // be very long. Returns false if `stop` returned true. Fails as Next does.
  Result<bool> SkipLine(const std::function<bool()>& stop);

  // A position after a line.
  struct Position {
    std::uint64_t lines = 0;
    std::uint64_t bytes = 0;  // uncompressed
    std::uint64_t hash = 0;   // of these bytes, seeded by StartHash

    friend bool operator==(const Position&, const Position&) = default;
  };
  // The position after the last line that Next returned or SkipLine skipped.
  const Position& position() const { return position_; }

  // Sets the hash of all files before this file.
  // REQUIRES: no line has been read.
  void StartHash(std::uint64_t hash) { position_.hash = hash; }

  // Return the number of bytes read from the file, before decompression, and the size of the file.
  // A pipe has no size.
  std::uint64_t file_bytes_read() const;
  std::optional<std::uint64_t> file_bytes() const { return file_bytes_; }

  // Returns the first uncompressed bytes, up to 64 KB. Fails as Next does.
  // REQUIRES: no other method has been called.
  Result<std::string_view> Peek();

  // Returns "standard input" or the path, for messages.
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
  std::string buffer_;  // [begin_, end_) is read from the file but not yet returned
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool at_end_ = false;  // of the file
  Position position_;
};

}  // namespace dolmen::command
