#include "server/coral_error.h"

namespace dolmen::server {
namespace {

// Returns true for the characters that a message in JSON keeps. Every other byte becomes "?",
// because a message can quote bytes of a header that are not valid UTF-8, and JSON must be UTF-8.
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

Status CoralStatus(std::string_view name, std::string_view message) {
  return Status::Validation(CoralError(name, message));
}

}  // namespace dolmen::server
