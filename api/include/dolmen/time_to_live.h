// The time to live of a table: the deletion of items at the time that an attribute of them holds.
//
//   const auto enabled = db.UpdateTimeToLive(
//       {.table_name = "app", .specification = {.attribute_name = "expires"}});
//   const auto put = table.PutItem({.item = {{"PK", "SESSION#1"}, {"SK", "SESSION"},
//                                            {"expires", 1776249000}}});  // seconds since 1970
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstdint>
#include <string>

namespace dolmen {

// The time to live of a table.
//
// The attribute holds a time as a number of seconds since 1970. An item has expired if this time is
// in the past, but at most five years of 365 days ago. Dolmen compares the number with the whole
// seconds of the database's clock. These items never expire:
// - items without the attribute, or whose attribute is not a number,
// - items with a time in milliseconds, which is far in the future,
// - items that expired more than five years ago, which DynamoDB considers a mistake.
//
// An expired item is deleted later, by a thread in the background (OpenOptions::expiry_lag) or by
// Table::ExpireNow. The deletion is a write like any other: it removes the index entries and adds
// a record to the table's stream. Until then the item is read, changed and counted like any other,
// unless hide_expired hides it. If an update sets the attribute to a future time, the item is not
// deleted.
struct TimeToLiveSpecification {
  bool enabled = true;
  std::string attribute_name = {};  // a top-level attribute; 1 to 255 bytes

  // True: requests on the table treat expired items as absent. The field options.hide_expired of a
  // request overrides this. An extension of DynamoDB by Dolmen.
  //
  // Reads, conditions, updates and return values do not see a hidden item.
  // - An update or a put with the key of a hidden item replaces the item. The stream gets two
  //   records: a REMOVE of the hidden item with by_service, then an INSERT of the new item.
  // - A request to delete a hidden item does nothing. Dolmen deletes the item later, like every
  //   expired item.
  // - The counts and the `limit` of a page do not include hidden items. The limit of 1 MB and the
  //   consumed capacity of the page include them.
  // - If an index does not hold the attribute `attribute_name`, a Query or Scan of the index reads
  //   each item from the table.
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
  // A backfill is searching for the items that were written before the time to live was enabled.
  // Dolmen already deletes expired items that were written later. hide_expired already hides all
  // expired items.
  kEnabling,
  // The backfill has ended. Dolmen deletes every item after it expires.
  kEnabled,
  // The time to live was disabled. Only a simulation (testing/simulate.h) has this state.
  kDisabling
};

// The current time to live of a table (Database::DescribeTimeToLive).
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TimeToLiveDescription.html
struct TimeToLiveDescription {
  TimeToLiveStatus status = TimeToLiveStatus::kDisabled;
  std::string attribute_name = {};  // empty: the time to live is disabled
  bool hide_expired = false;
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
