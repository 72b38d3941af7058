// What is to be imported: which files, in which order, and whether they are those of the last time.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command/line_reader.h"
#include "dolmen/result.h"

namespace dolmen::command {

// The paths to read for those that were given: files as they are, of directories what is below them
// that ends in .json or .json.gz, in order of the paths' bytes, without an S3 export's manifests
// and names that begin with a dot; standard input if nothing was given.  Symbolic links are
// followed; a file to which several paths lead is there once, where the first of them is.
// kValidation: a path does not exist, or a directory has no such file.  kStorage: it can't be read.
Result<std::vector<std::string>> FindInputs(const std::vector<std::string>& given);

// Opens each input in turn, and tells these apart from others.
class ImportInputs {
 public:
  explicit ImportInputs(std::vector<std::string> paths) : paths_(std::move(paths)) {}

  // A text that is the same for the same inputs: files by their names, as what is in them may have
  // been mended, standard input and pipes by their beginnings.  Fails as LineReader does.
  // REQUIRES: Open was not called.
  Result<std::string> Identity();

  std::size_t size() const { return paths_.size(); }
  const std::string& path(std::size_t i) const { return paths_[i]; }
  // For reading, once each.  Fails as LineReader does.
  Result<LineReader> Open(std::size_t i);

  // The bytes of the files before that one; of all with size().  Nothing if one of them is a pipe.
  // REQUIRES: Identity was called.
  std::optional<std::uint64_t> BytesBefore(std::size_t i) const;

 private:
  std::vector<std::string> paths_;
  std::vector<std::optional<std::uint64_t>> bytes_;
  std::map<std::size_t, LineReader> opened_;  // what can't be read twice
};

}  // namespace dolmen::command
