// For tests of hide_expired: a table that does or does not, and requests that say it, too, or leave
// it to the table, in all combinations.

#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "tests/behaviour/expiring_table.h"

namespace dolmen::behaviour {

struct Hiding {
  bool table = false;
  std::optional<bool> request = {};

  bool hides() const { return request.value_or(table); }
};

// "HidingTable", "ShowingTableHidingRequest" ...
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

// "old" has expired, "new" has not; both are in all indexes.
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

  // What requests say, and what comes of it.
  static std::optional<bool> request() { return GetParam().request; }
  static bool hides() { return GetParam().hides(); }

  // The items as they were put.
  const Item& old_item() const { return old_; }
  const Item& new_item() const { return new_; }

  // The sort keys that are to be seen of these two, "new" before "old".
  static std::vector<std::string> Seen() {
    return hides() ? std::vector<std::string>{"new"} : std::vector<std::string>{"new", "old"};
  }

  // The stream behind what SetUp did.
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
