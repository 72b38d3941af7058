// Where a run puts its data.

#pragma once

#include <filesystem>

namespace dolmen::bench {

// A new directory that is removed, with all that is in it, when this is.
class TemporaryDirectory {
 public:
  // In `parent`; empty: beside the program.
  explicit TemporaryDirectory(const std::filesystem::path& parent);
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }  // empty: it could not be made

 private:
  std::filesystem::path path_;
};

}  // namespace dolmen::bench
