#include "c/open_request.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "dolmen/testing/simulation_json.h"
#include "engine/base/status_macros.h"
#include "wire/json.h"
#include "wire/manual_clock.h"

namespace dolmen::c {
namespace {

using wire::Json;

// Each function below sets a field of the request and returns false if the value is wrong.

bool ReadText(const Json& json, std::string* text) {
  *text = wire::StringOf(json);
  return !text->empty() && text->find('\0') == std::string::npos;
}

bool ReadFlag(const Json& json, bool* flag) { return json.get(*flag) == simdjson::SUCCESS; }

bool ReadNumber(const Json& json, std::uint64_t max, std::uint64_t* number) {
  return json.get(*number) == simdjson::SUCCESS && *number <= max;
}

bool ReadBytes(const Json& json, std::size_t* bytes) {
  std::uint64_t number = 0;
  if (!ReadNumber(json, std::numeric_limits<std::size_t>::max() / 2, &number)) return false;
  *bytes = static_cast<std::size_t>(number);
  return true;
}

// Reads one of two words. Sets `is_second`.
bool ReadChoice(const Json& json, std::string_view first, std::string_view second,
                bool* is_second) {
  const std::string_view word = wire::StringOf(json);
  *is_second = word == second;
  return word == first || word == second;
}

bool ReadDirectory(const Json& json, OpenRequest* request) {
  return ReadText(json, &request->directory.emplace());
}

bool ReadCreateIfMissing(const Json& json, OpenRequest* request) {
  return ReadFlag(json, &request->open.create_if_missing);
}

bool ReadReadOnly(const Json& json, OpenRequest* request) {
  return ReadFlag(json, &request->open.read_only);
}

bool ReadDurability(const Json& json, OpenRequest* request) {
  bool is_buffered = false;
  if (!ReadChoice(json, "sync", "buffered", &is_buffered)) return false;
  request->open.durability = is_buffered ? Durability::kBuffered : Durability::kSync;
  return true;
}

bool ReadOnConflict(const Json& json, OpenRequest* request) {
  bool fails = false;
  if (!ReadChoice(json, "wait", "fail", &fails)) return false;
  request->open.on_conflict = fails ? OnConflict::kFail : OnConflict::kWait;
  return true;
}

bool ReadEncryptionKey(const Json& json, OpenRequest* request) {
  request->open.encryption_key = ParseEncryptionKey(wire::StringOf(json));
  return request->open.encryption_key.has_value();
}

bool ReadCacheBytes(const Json& json, OpenRequest* request) {
  return ReadBytes(json, &request->open.cache_bytes);
}

bool ReadRowCacheBytes(const Json& json, OpenRequest* request) {
  return ReadBytes(json, &request->open.row_cache_bytes);
}

Result<Timestamp> ReadClockTime(const Json& json) {
  std::int64_t milliseconds = 0;
  if (json.get(milliseconds) == simdjson::SUCCESS) {
    return Timestamp(std::chrono::milliseconds(milliseconds));
  }
  const std::string_view text = wire::StringOf(json);
  return text == "manual" ? Clock::System()->Now() : ParseIso8601(text);
}

bool ReadClock(const Json& json, OpenRequest* request) {
  if (wire::StringOf(json) == "system") return true;
  const Result<Timestamp> time = ReadClockTime(json);
  if (!time.ok() || !wire::CheckClockTime(*time).ok()) return false;
  request->open.clock = std::make_shared<ManualClock>(*time);
  return true;
}

bool ReadExpiryLag(const Json& json, OpenRequest* request) {
  constexpr std::uint64_t kYear = 31536000;
  std::uint64_t seconds = 0;
  if (!ReadNumber(json, kYear, &seconds)) return false;
  request->open.expiry_lag = std::chrono::seconds(seconds);
  if (seconds == 0) request->open.expiry_lag.reset();
  return true;
}

bool ReadRegion(const Json& json, OpenRequest* request) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  std::string& region = request->endpoint.region;
  return ReadText(json, &region) && std::ranges::all_of(region, is_allowed);
}

bool ReadAccount(const Json& json, OpenRequest* request) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::string& account = request->endpoint.account;
  return ReadText(json, &account) && account.size() == 12 && std::ranges::all_of(account, is_digit);
}

// An option, the values that it accepts, and the function that reads it.
struct Option {
  std::string_view name;
  std::string_view accepts;
  bool (*read)(const Json& json, OpenRequest* request);
};

constexpr std::array<Option, 13> kOptions = {{
    {"Directory", "a path", ReadDirectory},
    {"CreateIfMissing", "true or false", ReadCreateIfMissing},
    {"ReadOnly", "true or false", ReadReadOnly},
    {"Durability", "\"sync\" or \"buffered\"", ReadDurability},
    {"OnConflict", "\"wait\" or \"fail\"", ReadOnConflict},
    {"EncryptionKey", "a text of 64 hexadecimal digits", ReadEncryptionKey},
    {"CacheBytes", "a number of bytes", ReadCacheBytes},
    {"RowCacheBytes", "a number of bytes", ReadRowCacheBytes},
    {"Clock",
     "\"system\", \"manual\", or a time in the years 1970 to 9998: \"2026-04-15T10:30:00Z\" or a "
     "whole number of milliseconds",
     ReadClock},
    {"ExpiryLagSeconds", "a whole number from 0 to 31536000", ReadExpiryLag},
    {"Simulate", "a simulation", nullptr},  // ReadSimulation reports its own errors
    {"Region", "a region like \"eu-west-1\"", ReadRegion},
    {"Account", "a text of 12 digits", ReadAccount},
}};

Status ReadSimulation(const Json& json, OpenRequest* request) {
  DOLMEN_ASSIGN_OR_RETURN(SimulateOptions options, ParseSimulation(simdjson::minify(json)));
  request->open.simulate = Simulate(std::move(options));
  return {};
}

Status ReadOption(std::string_view name, const Json& value, OpenRequest* request) {
  const auto option = std::ranges::find(kOptions, name, &Option::name);
  if (option == kOptions.end()) {
    std::string message = "There is no option " + std::string(name) + ". The options are";
    for (const Option& known : kOptions) {
      message.append(&known == kOptions.data() ? " " : ", ").append(known.name);
    }
    return Status::Validation(message + ".");
  }
  if (value.is_null()) return {};
  if (option->read == nullptr) return ReadSimulation(value, request);
  if (option->read(value, request)) return {};
  return Status::Validation("The option " + std::string(name) + " must be " +
                            std::string(option->accepts) + ".");
}

}  // namespace

std::optional<EncryptionKey> ParseEncryptionKey(std::string_view digits) {
  EncryptionKey key;
  if (digits.size() != 2 * key.size()) return std::nullopt;
  for (std::size_t i = 0; i < key.size(); ++i) {
    const char* const end = digits.data() + 2 * i + 2;
    std::uint8_t byte = 0;
    if (std::from_chars(end - 2, end, byte, 16).ptr != end) return std::nullopt;
    key[i] = std::byte(byte);
  }
  return key;
}

Result<OpenRequest> ParseOpenRequest(std::string_view json) {
  simdjson::dom::parser parser;
  DOLMEN_ASSIGN_OR_RETURN(const Json parsed,
                          wire::ParseJson(json, "The text of the options", &parser));
  if (!parsed.is_object()) return Status::Validation("The options are not a JSON object.");
  // The region of an endpoint must be set, because no client signs for a region.
  OpenRequest request = {.endpoint = {.region = std::string(kDefaultRegion)}};
  for (const auto& [name, value] : wire::EntriesOf(wire::ObjectOf(parsed))) {
    DOLMEN_RETURN_IF_ERROR(ReadOption(name, value, &request));
  }
  return request;
}

}  // namespace dolmen::c
