#include "dolmen/entity/time_codecs.h"

#include <limits>
#include <string>
#include <utility>

#include "engine/base/status_macros.h"

namespace dolmen {
namespace {

using std::chrono::seconds;
using std::chrono::sys_days;
using std::chrono::sys_seconds;
using std::chrono::year;
using std::chrono::year_month_day;

constexpr sys_days kDayMin = year(0) / 1 / 1;
constexpr sys_days kDayMax = year(9999) / 12 / 31;
constexpr std::size_t kDayChars = 10;  // 2026-04-15

// Returns true if the day of the time is from kDayMin to kDayMax.
template <typename Time>
bool IsInYears(Time time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  return kDayMin <= day && day <= kDayMax;
}

Status NotInYears() { return Status::Validation("is a time outside the years 0 to 9999"); }

Status IsNotA(std::string_view kind, std::string_view text) {
  return Status::Validation("is not a " + std::string(kind) + ": \"" + std::string(text) + "\"");
}

// Reads whole seconds since 1970 whose milliseconds fit into 64 bits.
Status DecodeSeconds(AttributeView view, seconds* time) {
  constexpr std::int64_t kGreatest = std::numeric_limits<std::int64_t>::max() / 1000;
  std::int64_t count = 0;
  DOLMEN_RETURN_IF_ERROR(entity::DecodeInteger(view, -kGreatest, kGreatest, &count));
  *time = seconds(count);
  return {};
}

}  // namespace

Status AttributeCodec<Timestamp>::Encode(Timestamp time, AttributeValue* value) {
  if (!IsInYears(time)) return NotInYears();
  std::string text = ToIso8601(time);
  if (text.find('.') == std::string::npos) text.insert(text.size() - 1, ".000");
  *value = std::move(text);
  return {};
}

Status AttributeCodec<Timestamp>::Decode(AttributeView view, Timestamp* time) {
  const auto text = view.AsString();
  if (!text) return entity::WrongType(view, AttributeType::kS);
  const Result<Timestamp> parsed = ParseIso8601(*text);
  if (!parsed.ok()) return IsNotA("time", *text);
  *time = *parsed;
  return {};
}

Status AttributeCodec<sys_seconds>::Encode(sys_seconds time, AttributeValue* value) {
  if (!IsInYears(time)) return NotInYears();
  *value = ToIso8601(time);
  return {};
}

Status AttributeCodec<sys_seconds>::Decode(AttributeView view, sys_seconds* time) {
  Timestamp exact;
  DOLMEN_RETURN_IF_ERROR(AttributeCodec<Timestamp>::Decode(view, &exact));
  *time = std::chrono::floor<seconds>(exact);
  if (*time == exact) return {};
  return IsNotA("time in whole seconds", *view.AsString());
}

Status AttributeCodec<sys_days>::Encode(sys_days day, AttributeValue* value) {
  if (!IsInYears(day)) return NotInYears();
  *value = ToIso8601(day).substr(0, kDayChars);
  return {};
}

Status AttributeCodec<sys_days>::Decode(AttributeView view, sys_days* day) {
  const auto text = view.AsString();
  if (!text) return entity::WrongType(view, AttributeType::kS);
  const Result<Timestamp> parsed = ParseIso8601(std::string(*text) + "T00:00:00Z");
  if (!parsed.ok()) return IsNotA("day", *text);
  *day = std::chrono::floor<std::chrono::days>(*parsed);
  return {};
}

Status AttributeCodec<year_month_day>::Encode(year_month_day day, AttributeValue* value) {
  if (!day.ok()) return Status::Validation("is a day that does not exist");
  return AttributeCodec<sys_days>::Encode(sys_days(day), value);
}

Status AttributeCodec<year_month_day>::Decode(AttributeView view, year_month_day* day) {
  sys_days days;
  DOLMEN_RETURN_IF_ERROR(AttributeCodec<sys_days>::Decode(view, &days));
  *day = days;
  return {};
}

Status EpochSecondsCodec::Encode(Timestamp time, AttributeValue* value) {
  *value = std::int64_t{std::chrono::ceil<seconds>(time).time_since_epoch().count()};
  return {};
}

Status EpochSecondsCodec::Encode(sys_seconds time, AttributeValue* value) {
  *value = std::int64_t{time.time_since_epoch().count()};
  return {};
}

Status EpochSecondsCodec::Decode(AttributeView view, Timestamp* time) {
  seconds since_1970;
  DOLMEN_RETURN_IF_ERROR(DecodeSeconds(view, &since_1970));
  *time = Timestamp(since_1970);
  return {};
}

Status EpochSecondsCodec::Decode(AttributeView view, sys_seconds* time) {
  seconds since_1970;
  DOLMEN_RETURN_IF_ERROR(DecodeSeconds(view, &since_1970));
  *time = sys_seconds(since_1970);
  return {};
}

Status EpochMillisecondsCodec::Encode(Timestamp time, AttributeValue* value) {
  *value = std::int64_t{time.time_since_epoch().count()};
  return {};
}

Status EpochMillisecondsCodec::Decode(AttributeView view, Timestamp* time) {
  using Limits = std::numeric_limits<std::int64_t>;
  std::int64_t count = 0;
  DOLMEN_RETURN_IF_ERROR(entity::DecodeInteger(view, Limits::min(), Limits::max(), &count));
  *time = Timestamp(std::chrono::milliseconds(count));
  return {};
}

}  // namespace dolmen
