// A file that is written at its end: complete under its name, or not there at all.

#pragma once

#include <zlib.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "dolmen/result.h"

namespace dolmen::command {

inline constexpr std::string_view kStandardOutput = "-";

// What is written to as it is: standard output, a pipe, a device.
bool IsStream(const std::string& path);

// Bytes go to "<path>.partial", which is renamed when all is on the disk; what the path named
// before stays until then.  Of a stream, what has got there stays.  For one thread.
class OutputFile {
 public:
  // kStorage, of every method: the file can't be written, or there was an interrupt (interrupt.h)
  // while the reader of a stream was waited for.
  static Result<OutputFile> Create(const std::string& path, bool gzip);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();  // removes what is not committed

  Status Write(std::string_view bytes);

  // Nothing may be written afterwards.
  Status Commit();

  std::uint64_t bytes() const { return bytes_; }  // written, before they are compressed

 private:
  struct EndDeflate {
    void operator()(z_stream* stream) const {
      ::deflateEnd(stream);
      delete stream;
    }
  };

  OutputFile() = default;
  Status Deflate(std::string_view bytes, int flush);
  Status Flush();
  int Close();

  int file_ = -1;
  bool waits_ = false;                             // for a reader
  std::unique_ptr<z_stream, EndDeflate> deflate_;  // null: as it is
  std::string buffer_;                             // not yet written
  std::string path_;                               // as a message should say it
  std::string partial_;                            // what is to be renamed; empty: nothing
  std::uint64_t bytes_ = 0;
};

// Makes what was created, renamed or removed in the directory survive a power cut.
Status SyncDirectory(const std::string& directory);

}  // namespace dolmen::command
