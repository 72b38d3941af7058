// A checker of strict serializability for histories (history.h). A history passes if its operations
// could have run one at a time, in an order that agrees with real time. Strict serializability
// combines serializable transactions with linearizable single operations.
//
// The lists of marks show the order of each item's versions. From the lists the checker knows which
// operations wrote, read and replaced each version. So it knows pairs of operations of which one
// must come before the other. The history passes if these pairs and real time form no cycle. The
// pairs are the edges of the direct serialization graph of
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
  kNobodyWroteIt,     // a read returned a mark or state that was never written
  kAbortedRead,       // a read returned a write of a failed operation
  kIntermediateRead,  // a read returned only some marks of one append
  kRepeatedMark,      // an append took effect twice
  kForkedOrder,       // two reads returned lists, and neither is a prefix of the other
  kLostWrite,         // no list holds an acknowledged append
  kDeletedTwice,
  kCycle,          // no serial order exists
  kRealTimeCycle,  // serial orders exist, but none agrees with real time
};

std::string_view AnomalyName(Anomaly anomaly);

struct Violation {
  Anomaly anomaly = Anomaly::kCycle;
  std::string text = {};  // for failure messages, with the operations involved
};

// Returns the first violation found, or nothing. A pure function. To detect every lost write, the
// history must end with a read of every item.
//
// REQUIRES:
// - No mark is appended twice.
// - No two moments are equal.
// - An operation that deletes an item also reads its marks.
// - No operation deletes an item that starts absent.
std::optional<Violation> CheckSerializability(const History& history);

}  // namespace dolmen::test
