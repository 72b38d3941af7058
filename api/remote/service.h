// The service that a remote database talks to, and its responses.

#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/consumed_capacity.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"
#include "engine/base/status_macros.h"
#include "remote/client.h"
#include "remote/token_times.h"
#include "wire/item_responses.h"
#include "wire/json.h"
#include "wire/members.h"

namespace dolmen::remote {

// A parsed response. Its JSON lives as long as this object. Movable; not thread-safe.
class Response {
 public:
  // An empty body counts as an empty object.
  // - kInternalServerError: the body is not a JSON object. A write may have taken effect.
  static Result<Response> Parse(std::string_view body);

  const wire::JsonObject& object() const { return object_; }

 private:
  std::unique_ptr<simdjson::dom::parser> parser_;  // owns the memory of object_
  wire::JsonObject object_;
};

// An item of a response that is not JSON, because a string in it has half of a surrogate pair.
struct UnreadableItem {
  StoredItem item = {};     // with U+FFFD in place of each half
  std::string reason = {};  // "a string has half of a surrogate pair, \ud83d, at name.S"
};

// A service. Thread-safe.
class Service {
 public:
  // A function that gets each unreadable item of a page. Is called by several threads at a time.
  using OnUnreadable = std::function<void(const UnreadableItem&)>;
  // A function that waits. Only tests replace it.
  using Pause = std::function<void(std::chrono::milliseconds)>;
  // A function that returns a time that never goes back. Only tests replace it.
  using SteadyClock = std::function<std::chrono::steady_clock::time_point()>;

  Service(std::unique_ptr<Client> client, SharedClock clock, Pause pause,
          SteadyClock steady_clock = std::chrono::steady_clock::now)
      : client_(std::move(client)),
        clock_(std::move(clock)),
        pause_(std::move(pause)),
        steady_clock_(std::move(steady_clock)),
        token_times_(std::make_unique<TokenTimes>()) {}

  // Leaves unreadable items out of the pages that Send returns, and calls `on_unreadable` for each. The same holds for
  // the records of a stream that have such an item, which is then reported with its key only. Without
  // this call, such a page is an error, because a program must not miss an item unknowingly.
  // REQUIRES: no other thread uses this object yet.
  void SkipUnreadable(OnUnreadable on_unreadable) { on_unreadable_ = std::move(on_unreadable); }

  // Sends a request and parses the response. Errors: those of Client::Call and Response::Parse.
  Result<Response> Send(std::string_view operation, std::string_view body, Repeat repeat) const;

  // Sends a request with the JSON of `input`, and adds the response to `output`. Errors: those of Send.
  template <typename Output, typename Input>
  Result<Output> Call(std::string_view operation, const Input& input, Repeat repeat,
                      Output output = {}) const {
    DOLMEN_ASSIGN_OR_RETURN(const Response& response, Send(operation, wire::ToJson(input), repeat));
    DOLMEN_RETURN_IF_ERROR(wire::Decode(response.object(), &output));
    return output;
  }

  // Returns false if the program gets each failure, and sends its requests again itself.
  bool retries() const { return client_->retries(); }

  // Calls `is_done` until it returns true, with pauses that grow from 20 ms to 2 s.
  // - kServiceUnavailable: it has returned false for 30 minutes of pauses. `what` is in the message.
  // - any error that `is_done` returns.
  Status WaitUntil(std::string_view what, const std::function<Result<bool>()>& is_done) const;

  // Pauses before the attempt with this number, which counts from 1 for the first repetition. The pause is
  // random up to a limit that doubles from 20 ms to 2 s, so that writers of one item part.
  void PauseBefore(int attempt) const;

  Timestamp Now() const { return clock_->Now(); }
  const SharedClock& clock() const { return clock_; }
  std::chrono::steady_clock::time_point SteadyNow() const { return steady_clock_(); }

  // Returns the tokens of transactions. Valid as long as this object.
  TokenTimes* token_times() const { return token_times_.get(); }

 private:
  // Parses the response without its unreadable items.
  Result<Response> ParseReadable(std::string_view body) const;

  std::unique_ptr<Client> client_;
  OnUnreadable on_unreadable_;  // empty: an unreadable item is an error
  SharedClock clock_;
  Pause pause_;
  SteadyClock steady_clock_;
  std::unique_ptr<TokenTimes> token_times_;
};

using wire::ReadStored;
// Reads the item in a member of the structure; nothing if the member is absent.
Result<std::optional<StoredItem>> ReadStoredMember(const wire::JsonObject& structure,
                                                   std::string_view name);

using wire::ReadCapacities;
using wire::ReadCapacity;
using wire::Units;

// Adds the capacities to those of the same tables, or appends them.
void AddCapacities(const std::vector<ConsumedCapacity>& more, std::vector<ConsumedCapacity>* sum);
void AddCapacity(const std::optional<ConsumedCapacity>& more, std::optional<ConsumedCapacity>* sum);

// The number of consecutive requests after which a batch ends if none of them makes progress.
inline constexpr int kBatchRepetitionsMax = 10;
// Returns the number of consecutive requests without progress, of which `before` were counted before the
// last one. A request that was throttled counts as three, because the client has sent it several times.
inline int RepetitionsAfter(int before, bool has_progress, bool is_throttled) {
  if (has_progress) return 0;
  return before + (is_throttled ? 3 : 1);
}

// Returns the error of a request that follows an executed request of the same call. kInternalServerError
// replaces the errors that say that a request was not executed, because the call was executed in part.
Status AfterExecuted(const Status& error);

// Calls `f` with 0 to `count` - 1 on up to 16 threads at once, and waits for all calls.
void InParallel(std::size_t count, const std::function<void(std::size_t)>& f);

}  // namespace dolmen::remote
