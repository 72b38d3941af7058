// Tests of PageStarts, the cache of the first keys of pages that were read backward.

#include "engine/storage/page_starts.h"

#include <gtest/gtest.h>

namespace dolmen::engine {
namespace {

// A page that lookups find repeatedly is not evicted by pages that no lookup finds.
TEST(PageStartsTest, KeepsAPageThatIsFoundAgain) {
  PageStarts starts;
  starts.Remember(1, "often");
  for (PageStarts::PageId page = 2; page < 100'000; ++page) {
    ASSERT_TRUE(starts.Find(1)) << "before page " << page;
    starts.Remember(page, "once");
  }
  starts.Forget(1);
  EXPECT_FALSE(starts.Find(1));
}

}  // namespace
}  // namespace dolmen::engine
