// A cache of the first keys of pages that were read backward.
//
// RocksDB reads backward at half the speed at which it reads forward. A cursor that knows where a
// page begins can read the page forward and reverse the rows. Many pages are read more than once,
// because applications read the newest rows of a partition again and again. A remembered key is a
// hint: the page itself is read each time, and the hint affects only the speed (backward_cursor.h).

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/internal/mutex.h"
#include "engine/key/encoded_key.h"

namespace dolmen::engine {

// The remembered keys. They take 1 MB if keys have the usual length, and 5 MB at most. A page's id
// selects a pair of entries, and each entry stores the first key of one page. A new page replaces
// one of the two pages in its pair, but never the page that Find() found last. Callable from any
// number of threads.
class PageStarts {
 public:
  using PageId = std::uint64_t;

  // Returns the id of the page that contains the last `rows` rows of a range. The id is a hash, so
  // different pages may have the same id.
  static PageId MakePageId(const KeyRange& range, std::size_t rows);

  // Returns the key that was last remembered for the page. Returns nothing if no key is remembered.
  std::optional<EncodedKey> Find(PageId page);

  // Remembers the key of the page's first row. Ignores a key of more than 256 bytes.
  void Remember(PageId page, std::string_view first_key);
  void Forget(PageId page);

 private:
  struct Entry {
    PageId page = 0;
    std::string first_key = {};  // empty: the entry is unused
  };
  // A pair of entries; a page is stored in one of them. Remember() writes a new page to the back
  // entry. If Find() finds a page in the back entry, Find() exchanges the two entries.
  struct Places {
    Entry front;
    Entry back;
  };
  static constexpr std::size_t kPlaces = 4096;
  static constexpr std::size_t kStripes = 64;
  struct Stripe {
    Mutex mutex;
    // The entries of the stripe; null until the stripe is used.
    std::unique_ptr<std::array<Places, kPlaces / kStripes>> places DOLMEN_GUARDED_BY(mutex);
  };

  // The lowest bits of a page's hash choose the stripe. The next bits choose the pair of entries in
  // the stripe.
  Stripe& StripeOf(PageId page) { return stripes_[page % kStripes]; }
  static Places& PlacesOf(Stripe& stripe, PageId page) DOLMEN_REQUIRES(stripe.mutex) {
    return (*stripe.places)[page / kStripes % (kPlaces / kStripes)];
  }

  std::array<Stripe, kStripes> stripes_;
};

}  // namespace dolmen::engine
