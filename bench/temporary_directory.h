// A temporary directory for the data of a run.

#pragma once

#include <filesystem>

namespace dolmen::bench {

// A new directory. The destructor removes it with its contents.
class TemporaryDirectory {
 public:
  // Creates the directory in `parent`. If `parent` is empty, creates it in the directory of the
  // program.
  explicit TemporaryDirectory(const std::filesystem::path& parent);
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }  // empty: the creation failed

 private:
  std::filesystem::path path_;
};

}  // namespace dolmen::bench
