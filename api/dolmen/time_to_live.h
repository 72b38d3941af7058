// Expiry: items that are to go by themselves at a time which an attribute of theirs says.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html

#pragma once

#include <cstdint>
#include <string>

namespace dolmen {

// An item has expired if its attribute is a number of seconds since 1970 that is less than the
// clock's whole seconds, but by five years of 365 days at most.  Any other never expires: without
// the attribute, with another type, or with milliseconds in it, which are far in the future.
//
// What has expired is deleted later (Table::ExpireNow, OpenOptions::expiry_lag), by a write like
// any other: index entries go too, and the table's stream gets a record of it.  Until then it is
// read, changed and counted as ever, and an update of its attribute keeps it; unless it is hidden.
struct TimeToLiveSpecification {
  bool enabled = true;
  std::string attribute_name = {};  // 1 to 255 bytes, top-level

  // What a request takes expired items for that does not say so itself (hide_expired in the inputs
  // of operations.h, query.h, scan.h, batch.h and transact.h).  Hidden ones are treated as absent:
  // by reads, by conditions, by updates, which then start from nothing, and by what writes return.
  // The stream gets a record of the removal, by the service, and one of the insertion if a write
  // puts an item in a hidden one's place; deleting a hidden one leaves it to be deleted by its
  // time. A page's counts and limit leave them out, but not its 1 MB and its capacity.  In an index
  // that does not project the attribute, hiding reads each entry's item.  Dolmen's own.
  bool hide_expired = false;
};

// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTimeToLive.html
struct UpdateTimeToLiveInput {
  std::string table_name = {};
  TimeToLiveSpecification specification = {};
};

// kEnabling: the items that were there before are being looked through.  What is written meanwhile
// expires already, and all expired items are hidden that are to be.
enum class TimeToLiveStatus : std::uint8_t { kDisabled, kEnabling, kEnabled };

// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TimeToLiveDescription.html
struct TimeToLiveDescription {
  TimeToLiveStatus status = TimeToLiveStatus::kDisabled;
  std::string attribute_name = {};  // empty: disabled
  bool hide_expired = false;
};

}  // namespace dolmen
