#include "engine/storage/files/marker.h"

#include <array>
#include <boost/algorithm/hex.hpp>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <system_error>

#include "engine/storage/encryption/file_cipher.h"
#include "engine/storage/files/hash_line.h"

namespace dolmen::engine {
namespace {

constexpr std::string_view kStart = "dolmen database, format ";
constexpr std::string_view kBeforeNonce = "encrypted, nonce ";
constexpr std::string_view kBeforeCheck = ", check ";

std::string FirstLine(int format) {
  return std::string(kStart).append(std::to_string(format)).append("\n");
}

std::string EncryptedMarker(const Nonce& nonce, const KeyCheck& check) {
  std::string text = FirstLine(kEncryptedFormat).append(kBeforeNonce);
  boost::algorithm::hex_lower(nonce, std::back_inserter(text));
  boost::algorithm::hex_lower(check, std::back_inserter(text.append(kBeforeCheck)));
  text += "\n";
  return text + HashLine(text);
}

// Returns the number in the first line. Returns 0 if the line does not name a format.
int FormatIn(std::string_view line) {
  if (!line.starts_with(kStart)) return 0;
  line.remove_prefix(kStart.size());
  int format = 0;
  const auto parsed = std::from_chars(line.data(), line.data() + line.size(), format);
  const bool is_number = parsed.ec == std::errc() && parsed.ptr == line.data() + line.size();
  return is_number && format > 0 ? format : 0;
}

// Removes `before` and 16 bytes in hexadecimal from the front of `*text`. Returns nothing if the
// text does not begin with them.
std::optional<Nonce> TakeBytes(std::string_view before, std::string_view* text) {
  Nonce bytes;
  const std::size_t end = before.size() + 2 * bytes.size();
  if (text->size() < end || !text->starts_with(before)) return std::nullopt;
  text->remove_prefix(before.size());
  for (std::uint8_t& byte : bytes) {
    const auto parsed = std::from_chars(text->data(), text->data() + 2, byte, 16);
    if (parsed.ec != std::errc() || parsed.ptr != text->data() + 2) return std::nullopt;
    text->remove_prefix(2);
  }
  return bytes;
}

Status DamagedMarker(const std::string& directory) {
  return Status::Corruption(directory +
                            "/DOLMEN is damaged: it does not name the format of the "
                            "database");
}

Status CheckEncrypted(std::string_view text, const std::string& directory,
                      const std::optional<EncryptionKey>& key) {
  const std::string before_nonce = FirstLine(kEncryptedFormat).append(kBeforeNonce);
  std::string_view rest = text;
  const std::optional<Nonce> nonce = TakeBytes(before_nonce, &rest);
  const std::optional<KeyCheck> check = nonce ? TakeBytes(kBeforeCheck, &rest) : std::nullopt;
  if (!check || text != EncryptedMarker(*nonce, *check)) return DamagedMarker(directory);
  if (!key) {
    return Status::Validation(
        "the database in " + directory +
        " is encrypted: open it with its key (OpenOptions::encryption_key, or "
        "--encryption-key-file)");
  }
  if (FileCipher(*key, *nonce).check() != *check) {
    return Status::Validation("the encryption key is not the key of the database in " + directory +
                              ": open the database with the key with which it was created");
  }
  return {};
}

}  // namespace

Result<std::string> NewMarker(const std::optional<EncryptionKey>& key) {
  if (!key) return FirstLine(kPlainFormat);
  const std::optional<Nonce> nonce = RandomNonce();
  if (!nonce) return Status::Storage("the operating system has no random bytes");
  return EncryptedMarker(*nonce, FileCipher(*key, *nonce).check());
}

std::string_view WithoutListNote(std::string_view text) {
  int lines = text.starts_with(FirstLine(kEncryptedFormat)) ? 3 : 1;
  std::size_t end = 0;
  for (; lines > 0 && end < text.size(); ++end) lines -= text[end] == '\n';
  return text.substr(0, end);
}

Status CheckMarker(std::string_view text, const std::string& directory,
                   const std::optional<EncryptionKey>& key) {
  const int format = FormatIn(text.substr(0, text.find('\n')));
  const std::string_view marker = WithoutListNote(text);
  const std::string_view note = text.substr(marker.size());
  const bool is_note = kListNote.starts_with(note.substr(0, note.find_last_not_of('\0') + 1));
  if (format == 0 || (format <= kEncryptedFormat && !is_note)) return DamagedMarker(directory);
  if (format == kEncryptedFormat) return CheckEncrypted(marker, directory, key);
  if (format > kEncryptedFormat) {
    return Status::UnsupportedFormat(directory + " has format " + std::to_string(format) +
                                     "; this release reads formats up to " +
                                     std::to_string(kEncryptedFormat) +
                                     ": open it with a newer release of Dolmen");
  }
  if (!key) return {};
  return Status::Validation("the database in " + directory +
                            " is not encrypted: open it without an encryption key, or export it "
                            "and import it into a new database");
}

}  // namespace dolmen::engine
