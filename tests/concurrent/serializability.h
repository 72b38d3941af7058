// Judges a history (history.h): could its operations have been done one at a time, in an order that
// agrees with real time?  That is strict serializability, which is what transactions and
// linearizable single operations have together.
//
// The lists tell the order of each item's versions.  So it is known which operation wrote what
// another one read or replaced, and which replaced what it read: each must come before the other.
// The history is good if these demands, and those of real time, have no cycle.  This is the direct
// serialization graph of
//   Adya: Weak Consistency: A Generalized Theory and Optimistic Implementations for Distributed
//   Transactions, 1999
// with version orders recovered from lists, after
//   Kingsbury, Alvaro: Elle: Inferring Isolation Anomalies from Experimental Observations, 2020

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tests/concurrent/history.h"

namespace dolmen::test {

enum class Anomaly : std::uint8_t {
  kNobodyWroteIt,     // what was seen was never written there
  kAbortedRead,       // what was seen is of an operation that failed
  kIntermediateRead,  // only some of the marks of one append were there
  kRepeatedMark,      // an append was done twice
  kForkedOrder,       // two readers saw lists of which neither is the other's beginning
  kLostWrite,         // an acknowledged append is in no list
  kDeletedTwice,
  kCycle,          // no order at all
  kRealTimeCycle,  // an order, but none in which everything comes after what ended before it began
};

std::string_view AnomalyName(Anomaly anomaly);

struct Violation {
  Anomaly anomaly = Anomaly::kCycle;
  std::string text = {};  // for people, with the operations that it is about
};

// The first violation found, or nothing.  A pure function.
// REQUIRES: no mark is appended twice, no two moments are the same, and an operation that deletes
// an item also reads its marks, and does so for no item that starts absent.  For no write to get
// lost unseen, every item is to be read after all that was done.
std::optional<Violation> CheckSerializability(const History& history);

}  // namespace dolmen::test
