#include "tests/support/temp_directory.h"

#include <cstdlib>
#include <iostream>
#include <system_error>

namespace dolmen::test {

TempDirectory::TempDirectory() {
  std::string name = (std::filesystem::temp_directory_path() / "dolmen-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    std::cerr << "cannot create a temporary directory like " << name << '\n';
    std::abort();  // no test can continue without it
  }
  path_ = name;
}

TempDirectory::~TempDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace dolmen::test
