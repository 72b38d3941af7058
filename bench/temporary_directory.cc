#include "bench/temporary_directory.h"

#include <stdlib.h>

#include <cstdio>
#include <string>
#include <system_error>

namespace dolmen::bench {

namespace fs = std::filesystem;

TemporaryDirectory::TemporaryDirectory(const fs::path& parent) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  std::string name =
      ((parent.empty() ? program.parent_path() : parent) / "dolmen_bench.XXXXXX").string();
  if (mkdtemp(name.data()) != nullptr) {
    path_ = name;
  } else {
    std::fputs("can't create a directory for the data: pass a writable directory with --dir\n",
               stderr);
  }
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace dolmen::bench
