// Which operation comes before which, and why; and a cycle, if that can't be.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/concurrent/history.h"

namespace dolmen::test {

// Why one operation comes before another one.
enum class Precedence : std::uint8_t {
  kWriteWrite,  // it wrote the version of an item that the other one's write followed
  kWriteRead,   // it wrote what the other one read
  kReadWrite,   // it read what the other one's write replaced
  kRealTime,    // it had ended when the other one began
};

// Operations are numbers below the count given at first.
class PrecedenceGraph {
 public:
  struct Edge {
    std::size_t from = 0;
    std::size_t to = 0;
    Precedence why = Precedence::kRealTime;
    std::size_t item = 0;  // without meaning for kRealTime
  };

  explicit PrecedenceGraph(std::size_t operations);

  // An operation does not come before itself: then nothing is added.
  void Add(const Edge& edge);

  // Everything that ended before something else began comes before it.
  // REQUIRES: no two moments are the same
  void AddRealTime(const std::vector<Operation>& operations);

  // One of the cycles with the fewest operations: each edge begins where the one before it ends,
  // the first one where the last one ends.  Empty: there is none.
  std::vector<Edge> FindCycle() const;

 private:
  // The pairs of operations that don't overlap grow with the square of their number.  So time has
  // nodes of its own, one for each end, in a chain: an operation comes before the node of its end,
  // and after the node of the last end before it began.
  bool IsTime(std::size_t node) const { return node >= operations_; }

  std::vector<bool> NodesBehindCycles() const;
  std::vector<Edge> ShortestCycleThrough(std::size_t start, const std::vector<bool>& among,
                                         std::size_t shorter_than) const;
  std::vector<Edge> WithoutTimeNodes(const std::vector<Edge>& path) const;

  std::size_t operations_;
  std::vector<std::vector<Edge>> edges_;  // by the node they begin at
};

}  // namespace dolmen::test
