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

std::string_view PartOf(std::string_view object, std::string_view name) {
  for (const wire::JsonPart& member : wire::JsonParts(object)) {
    if (member.name == name) return member.value;
  }
  return {};
}

// Returns the object with `change(member)` as the value of each member, without those that become empty.
template <typename Change>
std::string WithMembers(std::string_view object, Change change) {
  std::string changed = "{";
  for (const wire::JsonPart& member : wire::JsonParts(wire::SkipSpace(object))) {
    const std::string value = change(member);
    if (value.empty()) continue;
    if (changed.size() > 1) changed.push_back(',');
    changed.append("\"").append(member.name).append("\":").append(value);
  }
  return changed + "}";
}

// Returns the array with `read(element)` in place of each element, without those that become empty.
template <typename Read>
std::string WithElements(std::string_view array, Read read) {
  std::string changed = "[";
  for (const wire::JsonPart& element : wire::JsonParts(array)) {
    const std::string value = read(element.value);
    if (value.empty()) continue;
    if (changed.size() > 1) changed.push_back(',');
    changed.append(value);
  }
  return changed + "]";
}

// Reports the item whose attributes or key are `shown`, because `unreadable` has half of a surrogate pair.
void Report(std::string_view shown, std::string_view unreadable,
            const Service::OnUnreadable& on_unreadable) {
  simdjson::dom::parser parser;
  auto item = wire::ParseJson(wire::WithoutHalfSurrogates(shown), "it", &parser)
                  .and_then([](const Json& json) { return ReadStored(json); });
  on_unreadable({.item = item.ok() ? *std::move(item) : StoredItem(),
                 .reason = wire::Describe(*wire::FindHalfSurrogate(unreadable))});
}

// Returns the item, or nothing if it is unreadable. Reports it then.
std::string ReadableItem(std::string_view item, const Service::OnUnreadable& on_unreadable) {
  if (!wire::FindHalfSurrogate(item)) return std::string(item);
  Report(item, item, on_unreadable);
  return {};
}

// Returns the record of a stream, or nothing if its item is unreadable. Reports the item then. An unreadable old
// image is left out of the record: the change to a readable item must not be missed.
std::string ReadableRecord(std::string_view record, const Service::OnUnreadable& on_unreadable) {
  static constexpr std::string_view kChange = "dynamodb";
  const std::string readable = WithMembers(record, [](const wire::JsonPart& member) {
    if (member.name != kChange) return std::string(member.value);
    return WithMembers(member.value, [](const wire::JsonPart& part) {
      const bool is_left_out = part.name == "OldImage" && wire::FindHalfSurrogate(part.value);
      return is_left_out ? std::string() : std::string(part.value);
    });
  });
  if (!wire::FindHalfSurrogate(readable)) return readable;
  const std::string_view change = PartOf(readable, kChange);
  const std::string_view image = PartOf(change, "NewImage");
  const bool is_in_image = wire::FindHalfSurrogate(image).has_value();
  Report(PartOf(change, "Keys"), is_in_image ? image : readable, on_unreadable);
  return {};
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
  return Response::Parse(WithMembers(body, [this](const wire::JsonPart& member) {
    const auto readable = [&](auto read) {
      return WithElements(member.value,
                          [&](std::string_view part) { return read(part, on_unreadable_); });
    };
    if (member.name == "Items") return readable(ReadableItem);
    if (member.name == "Records") return readable(ReadableRecord);
    return std::string(member.value);
  }));
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
