#include "command/encryption_key.h"

#include <sys/stat.h>

#include <array>
#include <boost/algorithm/string/trim.hpp>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>

#include "command/text.h"
#include "engine/base/status_macros.h"

namespace dolmen::command {
namespace {

constexpr std::size_t kFileBytesMax = 256;  // a key and some white space

// Parses the text of `source`, which is a file or a variable.
Result<std::optional<EncryptionKey>> ParseKey(std::string text, const std::string& source) {
  boost::algorithm::trim(text);
  EncryptionKey key;
  bool valid = text.size() == 2 * key.size();
  for (std::size_t i = 0; valid && i < key.size(); ++i) {
    const char* const digits = text.data() + 2 * i;
    std::uint8_t byte = 0;
    valid = std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
    key[i] = std::byte(byte);
  }
  if (valid) return std::optional(key);
  return Status::Validation(source +
                            " holds no encryption key: a key is 64 hexadecimal digits, for example "
                            "the output of `openssl rand -hex 32`");
}

void WarnIfOthersCanRead(const std::string& file) {
  struct stat status = {};
  if (::stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  if ((status.st_mode & (S_IRGRP | S_IROTH)) == 0) return;
  std::fprintf(stderr,
               "dolmen: warning: other users can read the encryption key in %s; run chmod 600.\n",
               Printable(file).c_str());
}

}  // namespace

Result<std::optional<EncryptionKey>> ReadEncryptionKey(const std::string& file) {
  if (file.empty()) {
    const char* const variable = std::getenv(kEncryptionKeyVariable);
    if (variable == nullptr || *variable == '\0') return std::optional<EncryptionKey>();
    return ParseKey(variable, std::string("the variable ") + kEncryptionKeyVariable);
  }
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::array<char, kFileBytesMax> text;
  stream.read(text.data(), text.size());
  const auto size = static_cast<std::size_t>(stream.gcount());
  if (size == 0 && (!stream.eof() || stream.bad())) {
    return Status::Validation("can't read the encryption key from " + Printable(file) + ": " +
                              std::strerror(errno));
  }
  WarnIfOthersCanRead(file);
  return ParseKey(std::string(text.data(), size), Printable(file));
}

}  // namespace dolmen::command
