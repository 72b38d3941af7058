// Where backward pages began when they were last read.
//
// RocksDB reads backward at half the speed at which it reads forward.  Whoever knows where a page
// begins can read it forward and turn it around, and the newest rows of a run are asked for again
// and again.  What is remembered is a guess: the page is read anew each time, and only the way
// there depends on it (backward_cursor.h).

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "engine/key/encoded_key.h"

namespace dolmen::engine {

// Callable from any number of threads.  Takes 1 MB if keys are of the usual length, 5 MB at most.
// What is new replaces what was new before it and has not been found since.
class PageStarts {
 public:
  using PageId = std::uint64_t;

  // Of the last `rows` rows of a range.  Pages that differ may have the same.
  static PageId IdOf(const KeyRange& range, std::size_t rows);

  // A key in or near the page's first row, or none.
  std::optional<EncodedKey> Find(PageId page);

  void Remember(PageId page, std::string_view first_key);
  void Forget(PageId page);

 private:
  struct Entry {
    PageId page = 0;
    std::string first_key = {};  // empty: there is none
  };
  // A page is in one of two places: in the back until it is found, then in front.
  struct Places {
    Entry front;
    Entry back;
  };
  static constexpr std::size_t kPlaces = 4096;
  static constexpr std::size_t kStripes = 64;
  struct Stripe {
    std::mutex mutex;
    std::unique_ptr<std::array<Places, kPlaces / kStripes>> places;  // null: never used
  };

  // A page's stripe by its hash's lowest bits, its places in there by the next ones.
  Stripe& StripeOf(PageId page) { return stripes_[page % kStripes]; }
  static Places& PlacesOf(Stripe& stripe, PageId page) {
    return (*stripe.places)[page / kStripes % (kPlaces / kStripes)];
  }

  std::array<Stripe, kStripes> stripes_;
};

}  // namespace dolmen::engine
