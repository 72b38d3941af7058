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

// The times that count as expired at one moment, in seconds since 1970.
struct ExpiredTimes {
  explicit ExpiredTimes(Timestamp now);

  // Returns true if the attribute holds such a time.
  bool Contain(const AttributeView& value) const;

  Number from;   // an earlier time never expires
  Number until;  // this time and later ones have not expired
};

// The items of a table that have expired at one moment. Borrows `expiry` from the table's schema.
class ExpiryCutoff {
 public:
  ExpiryCutoff(const ExpirySchema& expiry DOLMEN_LIFETIME_BOUND, Timestamp now)
      : expiry_(&expiry), times_(now) {}

  // Returns true if the item has expired.
  bool IsExpired(const ItemView& item) const { return times_.Contain(item[expiry_->attribute()]); }

  const std::string& attribute() const DOLMEN_LIFETIME_BOUND { return expiry_->attribute(); }

  // Returns the key range of the expired items' entries in the expiry index.
  KeyRange Entries() const;

 private:
  const ExpirySchema* expiry_;
  ExpiredTimes times_;
};

// Returns the cutoff by which expired items are hidden from a request, or nothing if the request
// sees all items. `asked` is the request's hide_expired; nothing means the table's default.
std::optional<ExpiryCutoff> HiddenItems(const TableSchema& table DOLMEN_LIFETIME_BOUND,
                                        const std::optional<bool>& asked, OperationTime* time);

}  // namespace dolmen::engine
