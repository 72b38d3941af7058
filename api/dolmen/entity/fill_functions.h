// Functions that give an attribute its value when an entity is written: a time, a new id, or what
// the program likes.
//
//   Attribute<&Message::id>("messageId").IfUnset<NewUlid>()
//   Attribute<&Message::updated_at>("updatedAt").Always<Now>()

#pragma once

#include <string>

#include "dolmen/clock.h"
#include "dolmen/ulid.h"

namespace dolmen {

// What they may ask.  Lives for the call.
struct FillContext {
  Timestamp now = {};              // of the database's clock
  UlidGenerator* ulids = nullptr;  // of the EntityTable
};

inline Timestamp Now(const FillContext& context) { return context.now; }
inline std::string NewUlid(const FillContext& context) { return context.ulids->Next(); }

}  // namespace dolmen
