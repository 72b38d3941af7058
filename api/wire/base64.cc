#include "wire/base64.h"

#include <array>
#include <cstdint>

namespace dolmen::wire {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::uint8_t kNoDigit = 64;

constexpr std::array<std::uint8_t, 256> kDigits = [] {
  std::array<std::uint8_t, 256> digits{};
  digits.fill(kNoDigit);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    digits[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return digits;
}();

std::uint32_t ByteAt(std::string_view bytes, std::size_t i) {
  return static_cast<unsigned char>(bytes[i]);
}

// Returns the UTF-8 character that begins at `at`.
std::string_view CharacterAt(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && (ByteAt(text, end) & 0xC0) == 0x80) ++end;
  return text.substr(at, end - at);
}

void AppendDigits(std::uint32_t triple, std::size_t digits, std::string* out) {
  for (std::size_t i = 0; i < digits; ++i) {
    out->push_back(kAlphabet[triple >> (18 - 6 * i) & 63]);
  }
  out->append(4 - digits, '=');
}

}  // namespace

void AppendBase64(std::string_view bytes, std::string* out) {
  out->reserve(out->size() + (bytes.size() + 2) / 3 * 4);
  std::size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3) {
    AppendDigits(ByteAt(bytes, i) << 16 | ByteAt(bytes, i + 1) << 8 | ByteAt(bytes, i + 2), 4, out);
  }
  const std::size_t left = bytes.size() - i;
  if (left == 1) AppendDigits(ByteAt(bytes, i) << 16, 2, out);
  if (left == 2) AppendDigits(ByteAt(bytes, i) << 16 | ByteAt(bytes, i + 1) << 8, 3, out);
}

Status DecodeBase64(std::string_view text, std::string* out) {
  if (text.size() % 4 != 0) {
    return Status::Validation(
        "Base64 encoded length is expected a multiple of 4 bytes but found: " +
        std::to_string(text.size()));
  }
  for (int pads = 0; pads < 2 && text.ends_with('='); ++pads) text.remove_suffix(1);
  out->reserve(out->size() + text.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  int bit_count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::uint8_t digit = kDigits[ByteAt(text, i)];
    if (digit == kNoDigit) {
      return Status::Validation(
          std::string("Invalid Base64 character: '").append(CharacterAt(text, i)).append("'"));
    }
    bits = (bits << 6 | digit) & 0xffffff;
    bit_count += 6;
    if (bit_count >= 8) {
      bit_count -= 8;
      out->push_back(static_cast<char>(bits >> bit_count & 0xff));
    }
  }
  // Rejects a last digit with unused bits that are not zero.
  const bool clean = (bits & ((1u << bit_count) - 1)) == 0;
  if (clean && bit_count < 6) return {};
  return Status::Validation("Invalid last non-pad Base64 character dectected");
}

}  // namespace dolmen::wire
