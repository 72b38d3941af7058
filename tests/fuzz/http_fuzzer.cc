// Fuzzes the parser of HTTP requests.
//
// Input: the bytes of one request, as a client sends them.

#include <cstdint>
#include <string>
#include <string_view>

#include "http/header_text.h"
#include "http/uri.h"
#include "server/request_parser.h"
#include "tests/fuzz/require.h"

namespace dolmen::fuzz {
namespace {

using http::HeaderField;
using server::ReadOutcome;
using server::Request;
using server::RequestParser;

// Small limits, which short inputs can exceed.
constexpr server::RequestLimits kLimits = {.head_bytes_max = 2048, .body_bytes_max = 64};

std::string_view Trimmed(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
  return text;
}

// Compares the fields with the lines of the head, which it reads independently.
void CheckFields(std::string_view head, const Request& request) {
  unsigned hosts = 0;
  unsigned lengths = 0;
  unsigned codings = 0;
  std::string_view rest = head.substr(head.find("\r\n") + 2);
  for (const HeaderField& field : request.fields) {
    const std::string_view line = rest.substr(0, rest.find("\r\n"));
    rest.remove_prefix(line.size() + 2);
    const std::size_t colon = line.find(':');
    Require(colon != line.npos && field.name == line.substr(0, colon), "a name is before a colon");
    Require(field.value == Trimmed(line.substr(colon + 1)), "a value is after a colon");
    Require(field.value.empty() || (field.value.data() >= head.data() &&
                                    field.value.data() < head.data() + head.size()),
            "a value is a part of the head");
    hosts += http::IsSameName(field.name, "host") ? 1 : 0;
    lengths += http::IsSameName(field.name, "content-length") ? 1 : 0;
    codings += http::IsSameName(field.name, "transfer-encoding") ? 1 : 0;
  }
  Require(rest == "\r\n", "every line is a field");
  Require(hosts == 1 || (hosts == 0 && request.is_http10), "a request has one Host");
  Require(codings == (request.chunked ? 1 : 0), "a coding other than chunked is refused");
  Require(!request.chunked || lengths == 0, "a body has one end");
}

// Reads the chunks in the given number of bytes at a time, as they arrive on a connection. Sets
// `read` to the number of bytes that were read.
ReadOutcome ReadBody(const std::string& head, std::string_view bytes, std::size_t step,
                     server::GrowingBuffer* body, std::size_t* read) {
  Request request;
  RequestParser parser(kLimits, &request);
  Require(parser.ReadHead(head) == ReadOutcome::kDone, "the head can be read again");
  std::string pending;
  *read = 0;
  while (!bytes.empty()) {
    pending.append(bytes.substr(0, step));
    bytes.remove_prefix(std::min(step, bytes.size()));
    std::size_t consumed = 0;
    const ReadOutcome outcome = parser.ReadChunks(pending, body, &consumed);
    Require(consumed <= pending.size(), "only bytes that have arrived are read");
    Require(body->size() <= kLimits.body_bytes_max, "a body stays within its limit");
    pending.erase(0, consumed);
    *read += consumed;
    if (outcome != ReadOutcome::kIncomplete) return outcome;
  }
  return ReadOutcome::kIncomplete;
}

void CheckBody(const std::string& head, std::string_view bytes) {
  server::GrowingBuffer whole;
  std::size_t whole_read = 0;
  const ReadOutcome outcome = ReadBody(head, bytes, bytes.size() + 1, &whole, &whole_read);
  for (const std::size_t step : {1U, 7U}) {
    server::GrowingBuffer body;
    std::size_t read = 0;
    const bool is_done = ReadBody(head, bytes, step, &body, &read) == ReadOutcome::kDone;
    Require(is_done == (outcome == ReadOutcome::kDone), "pieces have the same end as the whole");
    if (!is_done) continue;
    Require(body.view() == whole.view() && read == whole_read,
            "pieces have the same content as the whole");
  }
}

void Try(std::string_view input) {
  const std::size_t end = server::FindHeadEnd(input, 0);
  for (std::size_t searched = 1; searched < std::min(end, input.size()); searched += 5) {
    Require(server::FindHeadEnd(input, searched) == end, "a search can be continued");
  }
  if (end == input.npos) return;
  const std::string head(input.substr(0, end));
  Request request;
  RequestParser parser(kLimits, &request);
  const ReadOutcome outcome = parser.ReadHead(head);
  Require(outcome != ReadOutcome::kIncomplete, "a head with an empty line is complete");
  if (outcome != ReadOutcome::kDone) return;
  CheckFields(head, request);
  Require(request.content_length <= kLimits.body_bytes_max, "a large body is refused early");
  const std::string_view path = http::PathOf(request.target);
  Require(path.find('?') == path.npos, "a path ends before the query");
  http::QueryOf(request.target);
  if (request.chunked) CheckBody(head, input.substr(end));
}

}  // namespace
}  // namespace dolmen::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  dolmen::fuzz::Try({reinterpret_cast<const char*>(data), size});
  return 0;
}
