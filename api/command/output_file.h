// A file that appears under its name only when it is complete.

#pragma once

#include <zlib.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "dolmen/result.h"

namespace dolmen::command {

inline constexpr std::string_view kStandardOutput = "-";

// Returns true for outputs that are written directly: standard output, pipes and devices.
bool IsStream(const std::string& path);

struct OutputFileOptions {
  bool gzip = false;
  bool overwrite = false;  // replace an existing file
};

// A file to write. The bytes go to the new file "<path>.partial". When they are durable, Commit
// renames that file to <path>. Until then, an existing file at <path> stays unchanged. Both paths
// are names of files and not followed if they are symbolic links. If IsStream(<path>), the bytes go
// directly to <path> and stay there even after an error. Only the owner may read and write the
// file, as the files of a database, whose items it may hold. Not thread-safe.
class OutputFile {
 public:
  // Creates the file. Each method of the class may return:
  // - kValidation: <path> exists and may not be overwritten, or "<path>.partial" exists.
  // - kStorage: the file cannot be written, or there was an interrupt (interrupt.h) while the
  //   method waited for the reader of a stream.
  static Result<OutputFile> Create(const std::string& path, const OutputFileOptions& options);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();  // removes a file that is not committed

  Status Write(std::string_view bytes);

  // Completes the file. Write must not be called afterwards.
  Status Commit();

  std::uint64_t bytes() const { return bytes_; }  // bytes written, before compression

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
  Status Rename();

  int file_ = -1;
  bool is_stream_ = false;                         // a stream, whose reader may block writes
  std::unique_ptr<z_stream, EndDeflate> deflate_;  // null: no compression
  std::string buffer_;                             // bytes not yet written
  std::string path_;                               // the name in messages
  std::string partial_;                            // the file to rename; empty: none
  bool overwrite_ = false;
  std::uint64_t bytes_ = 0;
};

// Makes the creation, renaming and removal of files in the directory durable. Does nothing if the
// directory cannot be read or its file system cannot sync a directory.
Status SyncDirectory(const std::string& directory);

}  // namespace dolmen::command
