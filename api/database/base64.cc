#include "database/base64.h"

#include <nettle/base64.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace dolmen::internal {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Returns the UTF-8 character that begins at `at`.
std::string_view CharacterAt(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
  return text.substr(at, end - at);
}

}  // namespace

void AppendBase64(std::string_view bytes, std::string* out) {
  const std::size_t start = out->size();
  out->resize(start + BASE64_ENCODE_RAW_LENGTH(bytes.size()));
  base64_encode_raw(out->data() + start, bytes.size(),
                    reinterpret_cast<const std::uint8_t*>(bytes.data()));
}

Status DecodeBase64(std::string_view text, std::string* out) {
  if (text.size() % 4 != 0) {
    return Status::Validation(
        "Base64 encoded length is expected a multiple of 4 bytes but found: " +
        std::to_string(text.size()));
  }
  std::string_view digits = text;
  for (int pads = 0; pads < 2 && digits.ends_with('='); ++pads) digits.remove_suffix(1);
  const std::size_t start = out->size();
  std::size_t length = 0;
  base64_decode_ctx decoder;
  base64_decode_init(&decoder);
  out->resize(start + BASE64_DECODE_LENGTH(text.size()));
  const bool is_valid =
      base64_decode_update(&decoder, &length, reinterpret_cast<std::uint8_t*>(out->data() + start),
                           text.size(), text.data()) != 0 &&
      base64_decode_final(&decoder) != 0;
  out->resize(start + length);
  // Nettle skips white space, so that fewer bytes than expected are a fault.
  if (is_valid && length == digits.size() * 3 / 4) return {};
  const std::size_t wrong = digits.find_first_not_of(kAlphabet);
  if (wrong == digits.npos) {
    return Status::Validation("Invalid last non-pad Base64 character dectected");
  }
  return Status::Validation(
      std::string("Invalid Base64 character: '").append(CharacterAt(digits, wrong)).append("'"));
}

}  // namespace dolmen::internal
