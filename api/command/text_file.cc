#include "command/text_file.h"

#include <fstream>
#include <iterator>

#include "command/text.h"

namespace dolmen::command {

Result<std::string> ReadTextFile(const std::string& path, std::string_view name) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.is_open() && !file.bad()) return text;
  return Status::Validation("can't read " + std::string(name) + " " + Printable(path));
}

}  // namespace dolmen::command
