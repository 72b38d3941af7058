// The inputs of an import: their files, their order and their identity.

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

// Returns the files to read for the given paths, or standard input if no path is given. For a
// directory, returns all files *.json and *.json.gz below it, sorted by the bytes of their paths.
// Omits files and directories whose names begin with a dot, and the manifests of an S3 export.
// Follows symbolic links. If several paths lead to one file, returns only the first of these
// paths.
// - kValidation: a path does not exist, or a directory contains no file to read.
// - kStorage: a path cannot be read.
Result<std::vector<std::string>> FindInputs(const std::vector<std::string>& given);

// Returns the file in which `dolmen export` described the table. Returns an empty text if there is
// no such file, or if the first given path is not a directory. `files` is what FindInputs(given)
// returned. The export has the first of these files in a folder `data`, next to the description.
std::string FindTableManifest(const std::vector<std::string>& given,
                              const std::vector<std::string>& files);

// The inputs of one import. Not thread-safe.
class ImportInputs {
 public:
  explicit ImportInputs(std::vector<std::string> paths) : paths_(std::move(paths)) {}

  // Returns a text that identifies the inputs. If an import ended early, the next import whose
  // inputs have the same text resumes it. The text depends on the names of files and not on their
  // content, because a user may correct a file between two runs. For standard input and pipes, the
  // text depends on their first bytes. Fails as LineReader does.
  // REQUIRES: Open has not been called.
  Result<std::string> Identity();

  std::size_t size() const { return paths_.size(); }
  const std::string& path(std::size_t i) const { return paths_[i]; }
  // Opens input `i`, as lines of items (import_documents.h). May be called once for each input. Fails
  // as LineReader and LinesOfDocument do.
  Result<LineReader> Open(std::size_t i);

  // Returns the total size of the inputs before input `i`. BytesBefore(size()) is the size of all
  // inputs. Returns nothing if an input before input `i` is a pipe.
  // REQUIRES: Identity has been called.
  std::optional<std::uint64_t> BytesBefore(std::size_t i) const;

 private:
  std::vector<std::string> paths_;
  std::vector<std::optional<std::uint64_t>> bytes_;
  std::map<std::size_t, LineReader> opened_;  // inputs that cannot be opened twice
};

}  // namespace dolmen::command
