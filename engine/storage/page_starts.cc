#include "engine/storage/page_starts.h"

#include <xxhash.h>

#include <utility>

namespace dolmen::engine {
namespace {

// The maximum length of a remembered key in bytes. It limits the memory for the keys. Longer keys
// are rare.
constexpr std::size_t kKeyBytesMax = 256;

}  // namespace

PageStarts::PageId PageStarts::MakePageId(const KeyRange& range, std::size_t rows) {
  const std::string_view lower = range.lower.bytes();
  const std::string_view upper = range.upper.bytes();
  const PageId start = XXH3_64bits_withSeed(lower.data(), lower.size(), rows);
  return XXH3_64bits_withSeed(upper.data(), upper.size(), start);
}

std::optional<EncodedKey> PageStarts::Find(PageId page) {
  Stripe& stripe = StripeOf(page);
  const MutexLock lock(stripe.mutex);
  if (stripe.places == nullptr) return std::nullopt;
  auto& [front, back] = PlacesOf(stripe, page);
  if (back.page == page) std::swap(front, back);
  if (front.page != page || front.first_key.empty()) return std::nullopt;
  return EncodedKey::FromBytes(front.first_key);
}

void PageStarts::Remember(PageId page, std::string_view first_key) {
  if (first_key.size() > kKeyBytesMax) return;
  Stripe& stripe = StripeOf(page);
  const MutexLock lock(stripe.mutex);
  if (stripe.places == nullptr) {
    stripe.places = std::make_unique<std::array<Places, kPlaces / kStripes>>();
  }
  auto& [front, back] = PlacesOf(stripe, page);
  Entry& entry = front.page == page ? front : back;
  entry.page = page;
  entry.first_key = first_key;
}

void PageStarts::Forget(PageId page) {
  Stripe& stripe = StripeOf(page);
  const MutexLock lock(stripe.mutex);
  if (stripe.places == nullptr) return;
  auto& [front, back] = PlacesOf(stripe, page);
  for (Entry* entry : {&front, &back}) {
    if (entry->page == page) entry->first_key.clear();
  }
}

}  // namespace dolmen::engine
