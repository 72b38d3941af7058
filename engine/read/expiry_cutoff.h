// Which items have expired.  The rules: dolmen/time_to_live.h.

#pragma once

#include <optional>
#include <string>

#include "dolmen/clock.h"
#include "dolmen/item_view.h"
#include "dolmen/number.h"
#include "engine/key/encoded_key.h"
#include "engine/schema/table_schema.h"

namespace dolmen::engine {

// The items of a table that have expired at a moment.  Borrows from the schema.
class ExpiryCutoff {
 public:
  ExpiryCutoff(const ExpirySchema& expiry DOLMEN_LIFETIME_BOUND, Timestamp now);

  bool Has(const ItemView& item) const;

  // Their entries in the expiry's index.
  KeyRange Entries() const;

  const std::string& attribute() const DOLMEN_LIFETIME_BOUND { return expiry_->attribute(); }

 private:
  const ExpirySchema* expiry_;
  Number from_;   // seconds since 1970; less is of so long ago that it is taken for a mistake
  Number until_;  // seconds since 1970; it and more are still to come
};

// The items that a request does not see; nothing if it sees all.  `asked` is the request's own
// word.
std::optional<ExpiryCutoff> HiddenItems(const TableSchema& table DOLMEN_LIFETIME_BOUND,
                                        const std::optional<bool>& asked, Clock& clock);

}  // namespace dolmen::engine
