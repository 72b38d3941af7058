// The time of an operation, and the cutoff that separates expired items from all other items at this
// time. dolmen/time_to_live.h states when an item expires.

#pragma once

#include <optional>
#include <string>

#include "dolmen/clock.h"
#include "dolmen/item_view.h"
#include "dolmen/number.h"
#include "engine/key/encoded_key.h"
#include "engine/schema/table_schema.h"

namespace dolmen::engine {

// The time of one operation. All parts of an operation judge items at this time, even if the clock
// advances meanwhile. Asks the clock at the first call of Now(), because most operations need no
// time. Borrows the clock. Not thread-safe.
class OperationTime {
 public:
  // If `now` is given, Now() returns `now` and never asks the clock.
  explicit OperationTime(Clock& clock DOLMEN_LIFETIME_BOUND, std::optional<Timestamp> now = {})
      : clock_(clock), now_(now) {}

  Timestamp Now() {
    if (!now_) now_ = clock_.Now();
    return *now_;
  }

 private:
  Clock& clock_;
  std::optional<Timestamp> now_;
};

// The range of expiry times that count as expired at one moment. Borrows `expiry` from the table's
// schema.
class ExpiryCutoff {
 public:
  ExpiryCutoff(const ExpirySchema& expiry DOLMEN_LIFETIME_BOUND, Timestamp now);

  // Returns true if the item has expired.
  bool IsExpired(const ItemView& item) const;

  // Returns the key range of the expired items' entries in the expiry index.
  KeyRange Entries() const;

  const std::string& attribute() const DOLMEN_LIFETIME_BOUND { return expiry_->attribute(); }

  // Return the bounds of the range, in seconds since 1970: an item has expired if its time is at least
  // from() and less than until().
  const Number& from() const DOLMEN_LIFETIME_BOUND { return from_; }
  const Number& until() const DOLMEN_LIFETIME_BOUND { return until_; }

 private:
  const ExpirySchema* expiry_;
  Number from_;   // seconds since 1970; an item with an earlier time never expires
  Number until_;  // seconds since 1970; an item with this time or later is not expired
};

// Returns the cutoff by which expired items are hidden from a request, or nothing if the request
// sees all items. `asked` is the request's hide_expired; nothing means the table's default.
std::optional<ExpiryCutoff> HiddenItems(const TableSchema& table DOLMEN_LIFETIME_BOUND,
                                        const std::optional<bool>& asked, OperationTime* time);

}  // namespace dolmen::engine
