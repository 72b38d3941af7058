// Gives the place of the sources to tests that read files of the repository.

#pragma once

#include <string>

namespace dolmen::test {

// Returns the path of `file`, which is relative to the root of the repository: "/README.md".
std::string SourceFile(const std::string& file);

}  // namespace dolmen::test
