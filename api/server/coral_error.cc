#include "server/coral_error.h"

namespace dolmen::server {
namespace {

// A message can repeat bytes of a header, which need not be valid UTF-8. JSON must be UTF-8.
bool IsPlain(char c) { return c >= ' ' && c <= '~'; }

void AppendJsonText(std::string_view text, std::string* out) {
  for (const char c : text) {
    if (c == '"' || c == '\\') out->push_back('\\');
    out->push_back(IsPlain(c) ? c : '?');
  }
}

}  // namespace

std::string CoralError(std::string_view name, std::string_view message) {
  std::string body = R"({"__type":"com.amazon.coral.service#)";
  body.append(name).append(R"(","message":")");
  AppendJsonText(message, &body);
  body.append(R"("})");
  return body;
}

}  // namespace dolmen::server
