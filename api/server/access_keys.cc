#include "server/access_keys.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace dolmen::server {

Status AddAccessKey(std::string_view text, AccessKeys* keys) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos || equals == 0 || equals + 1 == text.size()) {
    return Status::Validation("An access key is given as ID=SECRET.");
  }
  keys->insert_or_assign(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)));
  return Status();
}

Status AddAccessKeys(std::string_view lines, AccessKeys* keys) {
  while (!lines.empty()) {
    std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.starts_with('#')) continue;
    if (Status status = AddAccessKey(line, keys); !status.ok()) return status;
  }
  return Status();
}

Status AddAccessKeysOf(const std::string& file, AccessKeys* keys) {
  std::ifstream stream(file, std::ios::binary);
  const std::string lines{std::istreambuf_iterator<char>(stream), {}};
  if (!stream.good() && !stream.eof()) {
    return Status::Validation("Can't read access keys from " + file + ": " + std::strerror(errno) +
                              ".");
  }
  if (Status status = AddAccessKeys(lines, keys); !status.ok()) {
    return Status::Validation("In " + file + ": " + status.message());
  }
  // Whoever gives such a file does not mean to let in everybody.
  if (keys->empty()) return Status::Validation("There is no access key in " + file + ".");
  return Status();
}

}  // namespace dolmen::server
