#include "remote/client.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "engine/base/status_macros.h"
#include "http/signing_time.h"
#include "remote/credential_chain.h"
#include "remote/credentials.h"
#include "remote/http_pool.h"
#include "remote/profile.h"
#include "remote/retry.h"
#include "remote/signer.h"
#include "remote/system.h"
#include "remote/target.h"

namespace dolmen::remote {
namespace {

using std::chrono::milliseconds;
using SteadyTime = std::chrono::steady_clock::time_point;

// AWS's SDKs change their clock only by differences that make signatures invalid.
constexpr std::chrono::minutes kSkewMin(4);

constexpr std::string_view kTargetPrefix = "DynamoDB_20120810.";
constexpr std::string_view kStreamsPrefix = "DynamoDBStreams_20120810.";
constexpr std::string_view kStreams = "DynamoDBStreams.";

// The parts of a request that are equal in all its attempts.
struct Message {
  std::string url;
  std::string target;  // the header X-Amz-Target
  std::string_view body;
  Repeat repeat;
};

ConnectOptions Clamped(ConnectOptions options) {
  options.attempts_max = std::max(1, options.attempts_max);
  for (milliseconds* const time :
       {&options.connect_timeout, &options.attempt_timeout, &options.total_timeout}) {
    *time = std::clamp(*time, milliseconds(1), milliseconds(std::chrono::hours(24)));
  }
  if (!options.clock) options.clock = Clock::System();
  return options;
}

}  // namespace

struct Client::State {
  State(ConnectOptions given, Target found, System surroundings, CredentialSource source)
      : options(std::move(given)),
        target(std::move(found)),
        system(std::move(surroundings)),
        pool(options.connections_max, system.variable("AWS_CA_BUNDLE")),
        credentials(std::move(source)),
        signer(target.region) {}

  Timestamp Now() const { return options.clock->Now() + milliseconds(skew_ms.load()); }
  milliseconds Left(SteadyTime deadline) const {
    return std::chrono::floor<milliseconds>(deadline - system.steady_now());
  }

  AttemptResult Attempt(const Message& message, SteadyTime deadline, std::string* body);
  // Sets the difference to the service's clock, which shows `date`. Returns false if the request was
  // signed at about this time.
  bool CorrectClock(const std::string& date, Timestamp signed_at);
  // Changes the kind of a result that no other attempt can correct to kDone.
  void Correct(const HttpResponse& response, const std::shared_ptr<const Credentials>& used,
               Timestamp signed_at, AttemptResult* result);
  // Takes the tokens of a retry and waits. Returns false if the request must not be sent again.
  bool PauseForRetry(int retry, const Message& message, const AttemptResult& result,
                     SteadyTime deadline, int* tokens);

  const ConnectOptions options;
  const Target target;
  const System system;
  HttpPool pool;
  CredentialCache credentials;
  Signer signer;
  RetryBudget budget;
  std::atomic<std::int64_t> skew_ms = 0;  // the service's clock minus this one
};

bool Client::State::CorrectClock(const std::string& date, Timestamp signed_at) {
  const std::optional<Timestamp> theirs = http::ParseSigningTime(date);
  if (!theirs) return false;
  if (std::chrono::abs(*theirs - signed_at) < kSkewMin) return false;
  skew_ms = (*theirs - options.clock->Now()).count();
  return true;
}

void Client::State::Correct(const HttpResponse& response,
                            const std::shared_ptr<const Credentials>& used, Timestamp signed_at,
                            AttemptResult* result) {
  const bool is_useless =
      (result->kind == AttemptKind::kClock && !CorrectClock(response.date, signed_at)) ||
      (result->kind == AttemptKind::kExpired && !credentials.Drop(used));
  if (is_useless) result->kind = AttemptKind::kDone;
}

AttemptResult Client::State::Attempt(const Message& message, SteadyTime deadline,
                                     std::string* body) {
  const Timestamp now = Now();
  auto used = credentials.Get(now);
  if (!used.ok()) return {.status = used.status(), .is_sent = false};
  if (Left(deadline) <= milliseconds(0)) {
    return {.kind = AttemptKind::kTransient,
            .status = Status::ServiceUnavailable().WithMessage(
                "total_timeout has ended before the request was sent. It was not executed.")};
  }
  HttpResponse response = pool.Send(
      {.url = message.url,
       .fields = signer.Sign(HostOf(message.url), message.target, message.body, **used, now),
       .body = message.body,
       .connect_timeout = options.connect_timeout,
       .timeout = std::min(options.attempt_timeout, Left(deadline)),
       .sent_once = message.repeat == Repeat::kUnsafe,
       .proxy = !target.is_local});
  AttemptResult result = Judge(response, message.url);
  result.was_resent = response.was_resent;
  Correct(response, *used, now, &result);
  *body = std::move(response.body);
  return result;
}

bool Client::State::PauseForRetry(int retry, const Message& message, const AttemptResult& result,
                                  SteadyTime deadline, int* tokens) {
  if (result.kind == AttemptKind::kDone || retry >= options.attempts_max) return false;
  if (message.repeat == Repeat::kUnsafe && result.is_ambiguous) return false;
  const milliseconds pause = PauseBefore(retry, result.kind, system.random());
  if (pause >= Left(deadline) || !budget.Take(result.kind, tokens)) return false;
  system.sleep(pause);
  return Left(deadline) > milliseconds(0);
}

Client::Client(std::unique_ptr<State> state) : state_(std::move(state)) {}
Client::~Client() = default;

Result<std::unique_ptr<Client>> Client::Create(const ConnectOptions& options) {
  return Create(options, System::Real());
}

Result<std::unique_ptr<Client>> Client::Create(const ConnectOptions& options,
                                               const System& system) {
  DOLMEN_ASSIGN_OR_RETURN(const Profile& profile, ReadProfile(options.profile, system));
  // A refresh of credentials must not wait for the connections of requests.
  const auto services = std::make_shared<HttpPool>(1, system.variable("AWS_CA_BUNDLE"));
  const auto instance_region = [&]() -> std::string {
    if (IsMetadataDisabled(system)) return {};
    return InstanceRegion(system, services.get()).value_or("");
  };
  DOLMEN_ASSIGN_OR_RETURN(Target target, FindTarget(options, profile, system, instance_region));
  DOLMEN_ASSIGN_OR_RETURN(CredentialSource source,
                          FindCredentials(options, profile, target, system, services));
  return std::unique_ptr<Client>(new Client(
      std::make_unique<State>(Clamped(options), std::move(target), system, std::move(source))));
}

Result<std::string> Client::Call(std::string_view operation, std::string_view body, Repeat repeat) {
  const bool is_stream = operation.starts_with(kStreams);
  if (is_stream) operation.remove_prefix(kStreams.size());
  const Message message{
      .url = (is_stream ? state_->target.streams_url : state_->target.url) + "/",
      .target = std::string(is_stream ? kStreamsPrefix : kTargetPrefix).append(operation),
      .body = body,
      .repeat = repeat};
  const SteadyTime deadline = state_->system.steady_now() + state_->options.total_timeout;
  std::string response;
  AttemptResult result;
  bool was_ambiguous = false;
  int tokens = 0;
  for (int attempt = 1;; ++attempt) {
    result = state_->Attempt(message, deadline, &response);
    if (result.status.ok()) {
      state_->budget.Return(tokens);
      return response;
    }
    was_ambiguous = was_ambiguous || result.was_resent;
    if (!state_->PauseForRetry(attempt, message, result, deadline, &tokens)) break;
    was_ambiguous = was_ambiguous || result.is_ambiguous;
  }
  if (result.status.code() == StatusCode::kUnknownOperation) {
    return MissingOperation(state_->target.url, operation);
  }
  // An error of the service that would come again is the result of this request, whether it was executed
  // twice or not.
  const bool is_result = result.kind == AttemptKind::kDone && result.is_sent;
  if (!was_ambiguous || result.is_ambiguous || is_result) return result.status;
  return Status::InternalServerError().WithMessage(result.status.message() +
                                                   " An earlier attempt may have been executed.");
}

bool Client::retries() const { return state_->options.attempts_max > 1; }
const std::string& Client::region() const { return state_->target.region; }
const std::string& Client::endpoint() const { return state_->target.url; }

}  // namespace dolmen::remote
