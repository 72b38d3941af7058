#include "http/uri.h"

#include <algorithm>
#include <cstddef>

namespace dolmen::http {
namespace {

bool IsUnreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

// Returns the value of a hexadecimal digit, 0 to 15, or -1.
int DigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// Decodes %XX. A % without two hexadecimal digits stays as it is.
std::string Decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '%' && i + 2 < text.size() && DigitOf(text[i + 1]) >= 0 &&
                        DigitOf(text[i + 2]) >= 0;
    decoded.push_back(escape ? static_cast<char>(DigitOf(text[i + 1]) * 16 + DigitOf(text[i + 2]))
                             : text[i]);
    if (escape) i += 2;
  }
  return decoded;
}

}  // namespace

std::string_view PathOf(std::string_view target) {
  constexpr std::string_view kSchemeEnd = "://";
  std::string_view path = target.substr(0, target.find('?'));
  const std::size_t scheme = path.find(kSchemeEnd);
  if (path.starts_with('/') || scheme == path.npos) return path;
  path.remove_prefix(scheme + kSchemeEnd.size());
  path.remove_prefix(std::min(path.find('/'), path.size()));
  return path.empty() ? "/" : path;
}

QueryParameters QueryOf(std::string_view target) {
  QueryParameters parameters;
  const std::size_t mark = target.find('?');
  std::string_view rest = mark == target.npos ? std::string_view() : target.substr(mark + 1);
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    if (part.empty()) continue;
    const std::size_t equals = part.find('=');
    parameters.emplace_back(Decoded(part.substr(0, equals)),
                            equals == part.npos ? std::string() : Decoded(part.substr(equals + 1)));
  }
  return parameters;
}

std::optional<std::string_view> Find(const QueryParameters& parameters, std::string_view name) {
  for (const auto& [key, value] : parameters) {
    if (key == name) return value;
  }
  return std::nullopt;
}

void AppendUriEncoded(std::string_view text, std::string_view also_kept, std::string* out) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (const char c : text) {
    if (IsUnreserved(c) || also_kept.find(c) != also_kept.npos) {
      out->push_back(c);
    } else {
      out->push_back('%');
      out->push_back(kDigits[static_cast<unsigned char>(c) >> 4]);
      out->push_back(kDigits[static_cast<unsigned char>(c) & 15]);
    }
  }
}

}  // namespace dolmen::http
