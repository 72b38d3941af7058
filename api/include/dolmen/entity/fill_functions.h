// Fill functions: functions that supply an attribute's value when an entity is written.
//
//   Attribute<&Message::id>("messageId").IfUnset<NewUlid>()
//   Attribute<&Coupon::code>("code").IfUnset<NewUuid>()            (uuid.h)
//   Attribute<&Message::updated_at>("updatedAt").Always<Now>()
//
// A program writes its own as a function of a FillContext, or of nothing:
//
//   Timestamp InAnHour(const FillContext& context) { return context.now + std::chrono::hours(1); }
//   Attribute<&Session::expires_at>("expiresAt").IfUnset<InAnHour>().AsEpochSeconds()
//
// A fill function must not throw. It must be thread-safe: every thread that writes to the table may
// call it.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <string>

#include "dolmen/clock.h"
#include "dolmen/ulid.h"
#include "dolmen/uuid.h"  // IWYU pragma: export

namespace dolmen {

// The inputs of a fill function. Valid only during the call.
struct FillContext {
  // The time of the write by the database's clock (OpenOptions::clock). All attributes of one
  // EntityTransaction get the same time.
  Timestamp now = {};

  // The EntityTable's generator of ULIDs, never null.
  UlidGenerator* ulids = nullptr;
};

// Returns the time of the write.
inline Timestamp Now(const FillContext& context) { return context.now; }

// Returns a new ULID: 26 characters that sort by creation time. The ULIDs of one EntityTable
// strictly increase.
inline std::string NewUlid(const FillContext& context) { return context.ulids->Next(); }

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
