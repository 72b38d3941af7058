// Expiry: items that are deleted at a time which one of their attributes holds.
//
//   const auto enabled = db.UpdateTimeToLive(
//       {.table_name = "app", .specification = {.attribute_name = "expires"}});
//   const auto put = table.PutItem({.item = {{"PK", "SESSION#1"}, {"SK", "SESSION"},
//                                            {"expires", 1776249000}}});  // seconds since 1970
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html

#pragma once

#include <cstdint>
#include <string>

namespace dolmen {

// The time to live of a table.
//
// An item has expired if its attribute is a number that is less than the current time, by at most
// five years of 365 days.  The number and the time are whole seconds since 1970; the time is the
// database's clock.  All other items never expire:
// - items without the attribute, or with another type in it,
// - items with a time in milliseconds, which is far in the future,
// - items that expired more than five years ago, which DynamoDB takes for a mistake.
//
// An expired item is deleted later, by a thread in the background (OpenOptions::expiry_lag) or by
// Table::ExpireNow.  The deletion is a write like any other: it removes the index entries and adds
// a record to the table's stream.  Until then the item is read, changed and counted like any other,
// unless it is hidden.  An update that moves the attribute into the future keeps the item.
struct TimeToLiveSpecification {
  bool enabled = true;
  std::string attribute_name = {};  // a top-level attribute; 1 to 255 bytes

  // True: requests on the table treat expired items as absent.  The field hide_expired of a request
  // overrides this.  An extension of Dolmen's.
  //
  // Reads, conditions, updates and return values do not see a hidden item.
  // - An update or a put that meets a hidden item replaces it.  The stream gets a record of the
  //   item's removal by the service, and one of the insertion.
  // - A deletion of a hidden item leaves it to be deleted by its time.
  // - A page's counts and limit leave hidden items out.  Its 1 MB and its consumed capacity include
  //   them.
  // - A Query of an index that does not project the attribute reads the item of each entry.
  bool hide_expired = false;
};

// A change of a table's time to live (Database::UpdateTimeToLive).
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTimeToLive.html
struct UpdateTimeToLiveInput {
  std::string table_name = {};
  TimeToLiveSpecification specification = {};
};

// The state of a table's time to live.
enum class TimeToLiveStatus : std::uint8_t {
  // No item expires.
  kDisabled,
  // A backfill visits the items that are older than the time to live.  Items that are written
  // meanwhile expire already, and hide_expired hides all expired items.
  kEnabling,
  // Every expired item is found and deleted.
  kEnabled
};

// A table's time to live as it is now (Database::DescribeTimeToLive).
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TimeToLiveDescription.html
struct TimeToLiveDescription {
  TimeToLiveStatus status = TimeToLiveStatus::kDisabled;
  std::string attribute_name = {};  // empty: disabled
  bool hide_expired = false;
};

}  // namespace dolmen
