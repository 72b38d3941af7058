#include "remote/retry.h"

#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <string_view>

#include "wire/errors.h"

namespace dolmen::remote {
namespace {

constexpr int kTokensMax = 500;
constexpr std::chrono::milliseconds kTransientPause(25);
constexpr std::chrono::milliseconds kThrottledPause(1000);
constexpr std::chrono::milliseconds kPauseMax(20000);

using Names = std::array<std::string_view, 6>;
constexpr Names kClockErrors = {
    "InvalidSignatureException", "SignatureDoesNotMatch", "RequestExpired",
    "RequestTimeTooSkewed",      "RequestInTheFuture",    "AuthFailure"};

AttemptResult Ambiguous(const std::string& what) {
  return {.kind = AttemptKind::kTransient,
          .status = Status::InternalServerError().WithMessage(
              what + ". The request may have been executed."),
          .is_ambiguous = true};
}

AttemptResult NotSent(AttemptKind kind, const HttpResponse& response, const std::string& url) {
  return {.kind = kind,
          .status = Status::ServiceUnavailable().WithMessage(
              "Cannot reach " + url + ": " + response.error + ". The request was not executed."),
          .is_sent = false};
}

// Returns false if the response has a checksum that is not that of its body.
bool IsIntact(const HttpResponse& response) {
  if (response.crc32.empty()) return true;
  return response.crc32 ==
         std::to_string(libdeflate_crc32(0, response.body.data(), response.body.size()));
}

AttemptKind KindOf(const wire::ServiceError& error, int http_status) {
  if (IsThrottled(error.status)) return AttemptKind::kThrottled;
  if (std::ranges::find(kClockErrors, error.name) != kClockErrors.end()) return AttemptKind::kClock;
  if (error.name == "ExpiredTokenException" || error.name == "ExpiredToken") {
    return AttemptKind::kExpired;
  }
  const bool is_missing = error.status.code() == StatusCode::kUnknownOperation;
  const bool is_transient = (http_status >= 500 && !is_missing) ||
                            error.name.starts_with("RequestTimeout") ||
                            error.name == "PriorRequestNotComplete";
  return is_transient ? AttemptKind::kTransient : AttemptKind::kDone;
}

AttemptResult JudgeError(const HttpResponse& response) {
  const wire::ServiceError error = wire::ReadError(response.status, response.body);
  return {.kind = KindOf(error, response.status),
          .status = error.status,
          .is_ambiguous =
              response.status >= 500 && error.status.code() != StatusCode::kUnknownOperation};
}

}  // namespace

bool IsThrottled(const Status& status) {
  switch (status.code()) {
    case StatusCode::kThrottling:
    case StatusCode::kProvisionedThroughputExceeded:
    case StatusCode::kRequestLimitExceeded:
    case StatusCode::kTransactionInProgress:
      return true;
    default:
      return false;
  }
}

AttemptResult Judge(const HttpResponse& response, const std::string& url) {
  switch (response.outcome) {
    case HttpOutcome::kNotSent:
      return NotSent(AttemptKind::kTransient, response, url);
    case HttpOutcome::kNotTrusted:
      return NotSent(AttemptKind::kDone, response, url);
    case HttpOutcome::kLost:
      return Ambiguous("The connection to " + url +
                       " has ended without a response: " + response.error);
    case HttpOutcome::kTimeout:
      return Ambiguous("The response of " + url + " has not arrived in time: " + response.error);
    case HttpOutcome::kTooLarge:
      return {.status = Status::Validation(
                  "The response of " + url +
                  " has more than 128 MiB. The request may have been executed.")};
    case HttpOutcome::kResponse:
      break;
  }
  if (!IsIntact(response)) {
    return Ambiguous("The response of " + url + " does not have its checksum x-amz-crc32");
  }
  if (response.status == 200) return {};
  return JudgeError(response);
}

std::chrono::milliseconds PauseBefore(int retry, AttemptKind kind, double random) {
  const auto base = kind == AttemptKind::kThrottled ? kThrottledPause : kTransientPause;
  const double doubled = std::ldexp(static_cast<double>(base.count()), std::min(retry, 30) - 1);
  const double limit = std::min(doubled, static_cast<double>(kPauseMax.count()));
  return std::chrono::milliseconds(static_cast<std::int64_t>(limit * random));
}

bool RetryBudget::Take(AttemptKind kind, int* taken) {
  const int cost = kind == AttemptKind::kThrottled ? 5 : 14;
  const MutexLock lock(mutex_);
  if (tokens_ < cost) return false;
  tokens_ -= cost;
  *taken = cost;
  return true;
}

void RetryBudget::Return(int taken) {
  const MutexLock lock(mutex_);
  tokens_ = std::min(kTokensMax, tokens_ + std::max(1, taken));
}

namespace {

bool IsOneOf(std::string_view operation, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, operation) != names.end();
}

std::string_view Instead(std::string_view operation) {
  if (operation == "TransactWriteItems") {
    return "Write the items one after the other, each with a condition. dolmen/entity.h lists the "
           "writes of entities that are transactions.";
  }
  if (operation == "TransactGetItems") {
    return "Read the items with BatchGetItem, which does not read one snapshot.";
  }
  if (operation.ends_with("Statement") || operation == "ExecuteTransaction") {
    return "It has no PartiQL: use the other functions of Table and Database.";
  }
  if (operation.ends_with("Backup") || operation.ends_with("Backups") ||
      operation == "RestoreTableToPointInTime") {
    return "Make and restore backups with the tools of the service.";
  }
  if (IsOneOf(operation, {"ListStreams", "DescribeStream", "GetShardIterator", "GetRecords"})) {
    return "Enable streams in the configuration of the service, or read the tables again.";
  }
  if (operation.ends_with("TimeToLive")) {
    return "Delete expired items in the program.";
  }
  return "Use a service that has it.";
}

}  // namespace

Status MissingOperation(std::string_view url, std::string_view operation) {
  return Status::UnknownOperation(std::string("The service ")
                                      .append(url)
                                      .append(" does not have the operation ")
                                      .append(operation)
                                      .append(". ")
                                      .append(Instead(operation)));
}

}  // namespace dolmen::remote
