// A file that is written at its end: complete under its name, or not there at all.

#pragma once

#include <zlib.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "dolmen/result.h"

namespace dolmen::server {

inline constexpr std::string_view kStandardOutput = "-";

// Bytes go to "<path>.partial", which is renamed when all is on the disk; what the path named
// before stays until then.  Standard output, pipes and devices are written to as they are.  For one
// thread.
class OutputFile {
 public:
  // kStorage, of every method: the file can't be written.
  static Result<OutputFile> Create(const std::string& path, bool gzip);

  OutputFile(OutputFile&&) = default;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();  // removes what is not committed

  Status Write(std::string_view bytes);

  // Nothing may be written afterwards.
  Status Commit();

  std::uint64_t bytes() const { return bytes_; }  // written, before they are compressed

 private:
  struct Close {
    void operator()(gzFile file) const { ::gzclose(file); }
  };

  OutputFile() = default;

  std::unique_ptr<gzFile_s, Close> file_;
  std::string path_;     // as a message should say it
  std::string partial_;  // what is to be renamed; empty: nothing
  std::uint64_t bytes_ = 0;
};

// Makes what was created, renamed or removed in the directory survive a power cut.
Status SyncDirectory(const std::string& directory);

}  // namespace dolmen::server
