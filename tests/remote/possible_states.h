// The states in which an item may be, after writes whose results are known or unknown.

#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <set>

#include "dolmen/result.h"

namespace dolmen::test {

// The ways in which a write can end, as its result says.
enum class WriteEnd : std::uint8_t {
  kDone,
  kConditionFailed,
  kNotDone,  // the write was not executed
  kUnknown,  // the write may have been executed
  kWrong,    // an error that no fault of the network explains
};
inline constexpr std::size_t kWriteEnds = 5;

// Returns the end that the status of a write tells, by the contract of Client::Call.
WriteEnd EndOf(const Status& status);

struct ItemState {
  bool exists = false;
  std::int64_t number = 0;  // 0: the item has no number
  std::int64_t sum = 0;     // updates add to it
  friend auto operator<=>(const ItemState&, const ItemState&) = default;
};

// Only one thread may write the item.
class PossibleStates {
 public:
  using Condition = std::function<bool(const ItemState&)>;
  using Effect = std::function<ItemState(const ItemState&)>;

  // Take account of a write and of a read. Return false if no state is left: then the database
  // contradicts its results.
  bool Write(WriteEnd end, const Condition& condition, const Effect& effect);
  bool Read(const ItemState& seen);

  // Returns one of the states.
  const ItemState& any() const { return *states_.begin(); }

 private:
  std::set<ItemState> states_ = {ItemState{}};  // at first the item does not exist
};

}  // namespace dolmen::test
