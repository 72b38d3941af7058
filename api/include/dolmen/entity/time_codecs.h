// The codecs of times, days and durations.
//
//   Timestamp created_at;                S, "2026-04-15T10:30:00.000Z"
//   std::chrono::sys_seconds due_at;     S, "2026-04-15T10:30:00Z"
//   std::chrono::sys_days birthday;      S, "2026-04-15"
//   std::chrono::year_month_day start;   S, "2026-04-15"
//   std::chrono::minutes length;         N, the number of minutes
//
// A rule of the attribute stores a time as a number instead:
//
//   Attribute<&Session::expires_at>("expiresAt").AsEpochSeconds()    N, for a time to live
//   Attribute<&Event::at>("at").AsEpochMilliseconds()                N

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <chrono>

#include "dolmen/clock.h"
#include "dolmen/entity/codec.h"

namespace dolmen {

// Stores a time as S: "2026-04-15T10:30:00.000Z". All texts have the same length, so they sort as
// the times do. Decode also accepts a text without milliseconds.
//
// Encode rejects a time before the year 0 or after the year 9999, because the year in the text has
// exactly four digits.
template <>
struct AttributeCodec<Timestamp> {
  static constexpr auto kPart = entity::PartKind::kTime;
  static Status Encode(Timestamp time, AttributeValue* value);
  static Status Decode(AttributeView view, Timestamp* time);
};

template <>
inline constexpr bool entity::kReadsBack<AttributeCodec<Timestamp>> = true;

// Stores a time as S without milliseconds: "2026-04-15T10:30:00Z". Decode accepts the milliseconds
// .000 only. Encode rejects a time outside the years 0 to 9999.
template <>
struct AttributeCodec<std::chrono::sys_seconds> {
  static constexpr auto kPart = entity::PartKind::kTime;
  static Status Encode(std::chrono::sys_seconds time, AttributeValue* value);
  static Status Decode(AttributeView view, std::chrono::sys_seconds* time);
};

// Store a day as S: "2026-04-15". In a key template {name} is this text. Encode rejects a day
// outside the years 0 to 9999, and a year_month_day that does not exist.
template <>
struct AttributeCodec<std::chrono::sys_days> {
  static constexpr auto kPart = entity::PartKind::kText;
  static Status Encode(std::chrono::sys_days day, AttributeValue* value);
  static Status Decode(AttributeView view, std::chrono::sys_days* day);
};
template <>
struct AttributeCodec<std::chrono::year_month_day> {
  static constexpr auto kPart = entity::PartKind::kText;
  static Status Encode(std::chrono::year_month_day day, AttributeValue* value);
  static Status Decode(AttributeView view, std::chrono::year_month_day* day);
};

// Stores a duration as N: the number of its unit, which the item does not name. Another unit of the
// member therefore changes the stored form.
template <Integer Rep, typename Period>
struct AttributeCodec<std::chrono::duration<Rep, Period>> {
  static constexpr auto kPart = entity::PartKind::kInteger;
  using Duration = std::chrono::duration<Rep, Period>;
  static Status Encode(Duration duration, AttributeValue* value) {
    return AttributeCodec<Rep>::Encode(duration.count(), value);
  }
  static Status Decode(AttributeView view, Duration* duration) {
    Rep count = 0;
    const Status decoded = AttributeCodec<Rep>::Decode(view, &count);
    *duration = Duration(count);
    return decoded;
  }
};

// A codec that stores a time as N: whole seconds since 1970, the form that a time to live needs
// (EntityTableInput::time_to_live). Select it with MemberAttribute::AsEpochSeconds.
//
// Encode rounds up to the next second, so that an item does not expire too early. Decode therefore
// returns the rounded time. Decode rejects a time whose milliseconds do not fit into 64 bits.
struct EpochSecondsCodec {
  static constexpr auto kPart = entity::PartKind::kInteger;
  static Status Encode(Timestamp time, AttributeValue* value);
  static Status Encode(std::chrono::sys_seconds time, AttributeValue* value);
  static Status Decode(AttributeView view, Timestamp* time);
  static Status Decode(AttributeView view, std::chrono::sys_seconds* time);
};

// A codec that stores a time as N: milliseconds since 1970. Select it with
// MemberAttribute::AsEpochMilliseconds.
struct EpochMillisecondsCodec {
  static constexpr auto kPart = entity::PartKind::kInteger;
  static Status Encode(Timestamp time, AttributeValue* value);
  static Status Decode(AttributeView view, Timestamp* time);
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
