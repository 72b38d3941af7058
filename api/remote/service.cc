#include "remote/service.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <utility>

#include "engine/base/status_macros.h"
#include "remote/retry.h"
#include "remote/system.h"
#include "wire/json_text.h"

namespace dolmen::remote {
namespace {

using std::chrono::milliseconds;
using wire::Json;
using wire::JsonObject;

constexpr milliseconds kFirstPause{20};
constexpr milliseconds kLongestPause{2000};
constexpr milliseconds kLongestWait = std::chrono::minutes(30);
constexpr std::size_t kThreadsMax = 16;

Status Malformed(std::string_view why) {
  return Status::InternalServerError().WithMessage(
      std::string("The response of the service cannot be read: ").append(why));
}

void AddTo(const ConsumedCapacity& more, ConsumedCapacity* sum) {
  sum->total += more.total;
  sum->table += more.table;
  for (const auto& [index, units] : more.global_secondary_indexes) {
    sum->global_secondary_indexes[index] += units;
  }
  for (const auto& [index, units] : more.local_secondary_indexes) {
    sum->local_secondary_indexes[index] += units;
  }
}

// Returns the array without the items that have half of a surrogate pair. Reports these.
std::string ReadableItems(std::string_view items, const Service::OnUnreadable& on_unreadable) {
  std::string readable = "[";
  for (const wire::JsonPart& item : wire::JsonParts(items)) {
    if (const auto half = wire::FindHalfSurrogate(item.value)) {
      simdjson::dom::parser parser;
      auto shown = wire::ParseJson(wire::WithoutHalfSurrogates(item.value), "it", &parser)
                       .and_then([](const Json& json) { return ReadStored(json); });
      on_unreadable(
          {.item = shown.ok() ? *std::move(shown) : StoredItem(), .reason = wire::Describe(*half)});
      continue;
    }
    if (readable.size() > 1) readable.push_back(',');
    readable.append(item.value);
  }
  return readable + "]";
}

}  // namespace

Result<Response> Response::Parse(std::string_view body) {
  Response response;
  response.parser_ = std::make_unique<simdjson::dom::parser>();
  const Result<Json> json =
      wire::ParseJson(body.empty() ? std::string_view("{}") : body, "it", response.parser_.get());
  if (!json.ok()) return Malformed(json.status().message());
  if (!json->is_object()) return Malformed("it is not a JSON object");
  response.object_ = wire::ObjectOf(*json);
  return response;
}

Result<Response> Service::Send(std::string_view operation, std::string_view body,
                               Repeat repeat) const {
  DOLMEN_ASSIGN_OR_RETURN(const std::string& text, client_->Call(operation, body, repeat));
  Result<Response> response = Response::Parse(text);
  if (response.ok() || !on_unreadable_ || !wire::FindHalfSurrogate(text)) return response;
  return ParseReadable(text);
}

Result<Response> Service::ParseReadable(std::string_view body) const {
  std::string readable = "{";
  for (const wire::JsonPart& member : wire::JsonParts(wire::SkipSpace(body))) {
    if (readable.size() > 1) readable.push_back(',');
    readable.append("\"").append(member.name).append("\":");
    const bool has_items = member.name == "Items" && wire::FindHalfSurrogate(member.value);
    readable.append(has_items ? ReadableItems(member.value, on_unreadable_) : member.value);
  }
  return Response::Parse(readable + "}");
}

Status Service::WaitUntil(std::string_view what,
                          const std::function<Result<bool>()>& is_done) const {
  milliseconds pause = kFirstPause;
  for (milliseconds waited{}; waited <= kLongestWait; waited += pause) {
    DOLMEN_ASSIGN_OR_RETURN(const bool done, is_done());
    if (done) return {};
    pause_(pause);
    pause = std::min(2 * pause, kLongestPause);
  }
  return Status::ServiceUnavailable().WithMessage(
      std::string(what).append(" has taken more than 30 minutes. It may still end; look again "
                               "with DescribeTable."));
}

void Service::PauseBefore(int attempt) const {
  const milliseconds limit =
      std::min(kFirstPause * (1 << std::min(attempt - 1, 10)), kLongestPause);
  static const System kSystem = System::Real();
  pause_(std::chrono::round<milliseconds>(limit * kSystem.random()));
}

Result<std::optional<StoredItem>> ReadStoredMember(const JsonObject& structure,
                                                   std::string_view name) {
  const std::optional<Json> json = wire::Member(structure, name);
  if (!json) return std::optional<StoredItem>();
  DOLMEN_ASSIGN_OR_RETURN(StoredItem item, ReadStored(*json));
  return std::optional(std::move(item));
}

void AddCapacities(const std::vector<ConsumedCapacity>& more, std::vector<ConsumedCapacity>* sum) {
  for (const ConsumedCapacity& one : more) {
    const auto same = std::ranges::find(*sum, one.table_name, &ConsumedCapacity::table_name);
    if (same == sum->end()) {
      sum->push_back(one);
    } else {
      AddTo(one, &*same);
    }
  }
}

void AddCapacity(const std::optional<ConsumedCapacity>& more,
                 std::optional<ConsumedCapacity>* sum) {
  if (!more) return;
  if (*sum) {
    AddTo(*more, &**sum);
  } else {
    *sum = more;
  }
}

Status AfterExecuted(const Status& error) {
  if (error.code() != StatusCode::kServiceUnavailable && !IsThrottled(error)) return error;
  return Status::InternalServerError().WithMessage(
      error.message() + " An earlier request of this call was executed.");
}

void InParallel(std::size_t count, const std::function<void(std::size_t)>& f) {
  if (count == 1) return f(0);
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) f(i);
  };
  std::vector<std::thread> threads;
  try {
    for (std::size_t i = 1; i < std::min(count, kThreadsMax); ++i) threads.emplace_back(work);
  } catch (const std::system_error&) {
    // The system has no further thread. The existing ones do all the work.
  }
  work();
  for (std::thread& thread : threads) thread.join();
}

}  // namespace dolmen::remote
