#include "tests/support/source_directory.h"

namespace dolmen::test {

std::string SourceFile(const std::string& file) { return DOLMEN_SOURCE_DIR + file; }

}  // namespace dolmen::test
