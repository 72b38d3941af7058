// Fuzzes the check of signatures. The corpus has requests with valid signatures.
//
// Input: the bytes of one request, as a client sends them.

#include <simdjson.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "http/uri.h"
#include "server/auth/authentication.h"
#include "server/auth/signed_headers.h"
#include "server/request_parser.h"
#include "tests/fuzz/require.h"

namespace dolmen::fuzz {
namespace {

using server::AccessKeys;
using server::Authentication;
using server::Request;

// The time at which the requests of the corpus were signed.
constexpr Timestamp kSignedAt =
    std::chrono::sys_days(std::chrono::January / 1 / 2026) + std::chrono::hours(12);

void CheckError(const Status& status) {
  if (status.ok()) return;
  RequireShowable(status, StatusCode::kValidation);
  simdjson::dom::parser parser;
  std::string_view type;
  const auto error = parser.parse(status.message())["__type"].get(type);
  Require(error == simdjson::SUCCESS && type.ends_with("Exception"), "an error is DynamoDB's JSON");
}

// Checks an accepted request: any other body, secret or time must be refused.
void CheckAccepted(Request request, const AccessKeys& keys) {
  Authentication authentication(keys);
  Require(authentication.CheckHead(request, kSignedAt).ok(), "the head is accepted, too");
  Require(!authentication.Check(request, kSignedAt + std::chrono::hours(24 * 8)).ok(),
          "a signature expires");
  AccessKeys others = keys;
  for (auto& [id, secret] : others) secret += "x";
  Authentication of_others(others);
  Require(!of_others.Check(request, kSignedAt).ok(), "another secret makes another signature");
  server::Signature signature;
  Require(server::ReadSignature(request, &signature).ok(), "an accepted signature can be read");
  const bool is_unsigned = server::IsPayloadUnsigned(request, signature);
  Authentication strict(keys, /*requires_signed_payload=*/true);
  Require(strict.Check(request, kSignedAt).ok() != is_unsigned, "a signature covers the payload");
  const std::string other_body = std::string(request.body) + " ";
  request.body = other_body;
  Require(authentication.Check(request, kSignedAt).ok() == is_unsigned,
          "another body has another signature");
}

void Try(std::string_view input) {
  const std::size_t end = server::FindHeadEnd(input, 0);
  if (end == input.npos) return;
  Request request;
  server::RequestParser parser({}, &request);
  if (parser.ReadHead(input.substr(0, end)) != server::ReadOutcome::kDone) return;
  // The server answers a request for another path before it checks the signature.
  if (http::PathOf(request.target) != "/") return;
  request.body = input.substr(end);
  static const AccessKeys no_keys;
  static const AccessKeys keys = {{"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"}};
  Authentication open(no_keys);
  const Status is_complete = open.Check(request, kSignedAt);
  CheckError(is_complete);
  Require(!open.region().empty() && open.region().find('"') == std::string_view::npos,
          "a region is a name");
  Authentication closed(keys);
  const Status is_correct = closed.Check(request, kSignedAt);
  CheckError(is_correct);
  CheckError(closed.CheckHead(request, kSignedAt));
  if (!is_correct.ok()) return;
  Require(is_complete.ok(), "a correct signature is complete");
  CheckAccepted(request, keys);
}

}  // namespace
}  // namespace dolmen::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  dolmen::fuzz::Try({reinterpret_cast<const char*>(data), size});
  return 0;
}
