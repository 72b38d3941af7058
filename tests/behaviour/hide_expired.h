// A fixture for tests of hide_expired, in all combinations of the table's setting and the request's
// setting. A request without a setting uses the table's setting.

#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "tests/behaviour/expiring_table.h"

namespace dolmen::behaviour {

// A combination of the table's and the request's hide_expired. The request's setting takes
// precedence.
struct Hiding {
  bool table = false;
  std::optional<bool> request = {};  // nothing: the table decides

  bool hides() const { return request.value_or(table); }
};

// Returns the name of the test that runs with this combination of settings, for example
// "HidingTable" or "ShowingTableHidingRequest".
inline std::string NameOf(const testing::TestParamInfo<Hiding>& info) {
  std::string name = info.param.table ? "HidingTable" : "ShowingTable";
  if (info.param.request) name += *info.param.request ? "HidingRequest" : "ShowingRequest";
  return name;
}

inline void PrintTo(const Hiding& hiding, std::ostream* out) {
  *out << (hiding.hides() ? "hides" : "shows");
}

inline auto EachHiding() {
  return testing::Values(Hiding{false, {}}, Hiding{true, {}}, Hiding{false, true},
                         Hiding{true, true}, Hiding{false, false}, Hiding{true, false});
}

// A fixture with two items. "old" has expired, "new" has not. Both are in all indexes.
class HideExpiredTest : public ExpiringTableTest, public testing::WithParamInterface<Hiding> {
 protected:
  void SetUp() override {
    ExpiringTableTest::SetUp();
    Enable(GetParam().table);
    old_ = Session("old", In(seconds(10)));
    old_.emplace("n", 5);
    Put(old_);
    new_ = Session("new", In(seconds(1000)));
    new_.emplace("n", 5);
    Put(new_);
    clock().Advance(seconds(11));
  }

  // Returns the hide_expired setting of the requests of this test.
  static std::optional<bool> request() { return GetParam().request; }
  // Returns true if the requests of this test do not see expired items.
  static bool hides() { return GetParam().hides(); }

  // Returns the items as SetUp stored them.
  const Item& old_item() const { return old_; }
  const Item& new_item() const { return new_; }

  // Returns the sort keys of the items that a query must return: "new" if expired items are hidden,
  // otherwise "new" and "old".
  static std::vector<std::string> Seen() {
    return hides() ? std::vector<std::string>{"new"} : std::vector<std::string>{"new", "old"};
  }

  // Returns the records of the stream as texts, as History() does. Leaves out the first two
  // records, which belong to the two items that SetUp stored.
  std::vector<std::string> HistorySince() const {
    std::vector<std::string> history = History();
    EXPECT_GE(history.size(), 2u);
    history.erase(history.begin(), history.begin() + 2);
    return history;
  }

 private:
  Item old_;
  Item new_;
};

}  // namespace dolmen::behaviour
