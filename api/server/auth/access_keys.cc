#include "server/auth/access_keys.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace dolmen::server {

Status AddAccessKey(std::string_view text, AccessKeys* keys) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos || equals == 0 || equals + 1 == text.size()) {
    return Status::Validation("An access key must have the form ID=SECRET.");
  }
  keys->insert_or_assign(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)));
  return Status();
}

Status AddAccessKeys(std::string_view lines, const std::string& source, AccessKeys* keys) {
  bool found = false;
  while (!lines.empty()) {
    std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.starts_with('#')) continue;
    if (Status status = AddAccessKey(line, keys); !status.ok()) {
      return Status::Validation("In " + source + ": " + status.message());
    }
    found = true;
  }
  // Rejects an empty list of keys. The author of the list wants to restrict access, but a server
  // without access keys accepts every signature.
  return found ? Status()
               : Status::Validation("There is no access key in " + source +
                                    "; give one ID=SECRET per line.");
}

Status AddAccessKeysFromFile(const std::string& file, AccessKeys* keys) {
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::string lines;
  std::array<char, 4096> buffer{};
  // Does not use stream iterators, because they throw if the file is a directory.
  while (stream.read(buffer.data(), buffer.size()), stream.gcount() > 0) {
    lines.append(buffer.data(), static_cast<std::size_t>(stream.gcount()));
  }
  if (!stream.eof() || stream.bad()) {
    return Status::Validation("Can't read access keys from " + file + ": " + std::strerror(errno) +
                              ".");
  }
  return AddAccessKeys(lines, file, keys);
}

}  // namespace dolmen::server
