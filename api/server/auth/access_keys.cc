#include "server/auth/access_keys.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

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
  const auto refuse = [&](const std::string& why) {
    return Status::Validation("Can't read access keys from " + file + ": " + why + ".");
  };
  constexpr std::size_t kBytesMax = 1 << 20;
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return refuse(std::strerror(errno));
  std::string lines;
  std::array<char, 4096> buffer{};
  struct stat status = {};
  const bool is_device =
      ::fstat(descriptor, &status) == 0 && (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode));
  ssize_t count = 0;
  while (!is_device && lines.size() <= kBytesMax &&
         (count = ::read(descriptor, buffer.data(), buffer.size())) > 0) {
    lines.append(buffer.data(), static_cast<std::size_t>(count));
  }
  const int error = errno;
  ::close(descriptor);
  if (is_device) return refuse("It is a device; give a file or a pipe");
  if (count < 0) return refuse(std::strerror(error));
  if (lines.size() > kBytesMax) return refuse("It has more than 1 MiB");
  return AddAccessKeys(lines, file, keys);
}

}  // namespace dolmen::server
