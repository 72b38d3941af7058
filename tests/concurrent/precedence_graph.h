// A graph of operations. An edge says that one operation must come before another operation, and
// gives the reason. If the graph has a cycle, the operations have no valid order.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/concurrent/history.h"

namespace dolmen::test {

// The reason why a first operation comes before a second operation.
enum class Precedence : std::uint8_t {
  kWriteWrite,  // the first wrote a version, the second wrote the next version
  kWriteRead,   // the first wrote the version that the second read
  kReadWrite,   // the first read the version that the second replaced
  kRealTime,    // the first ended before the second began
};

// A graph whose nodes are operations, numbered from 0.
class PrecedenceGraph {
 public:
  struct Edge {
    std::size_t from = 0;
    std::size_t to = 0;
    Precedence why = Precedence::kRealTime;
    std::size_t item = 0;  // no meaning for kRealTime
  };

  explicit PrecedenceGraph(std::size_t operations);

  // Adds an edge. Ignores an edge from an operation to itself.
  void Add(const Edge& edge);

  // Adds the real-time order: if operation A ended before operation B began, A precedes B.
  // REQUIRES: no two moments are equal
  void AddRealTime(const std::vector<Operation>& operations);

  // Returns a cycle with the fewest operations, or nothing. Each edge begins where the previous
  // edge ends, and the first edge begins where the last one ends.
  std::vector<Edge> FindCycle() const;

 private:
  // Returns true for a time node. Time nodes save edges: an edge for each pair of operations that
  // do not overlap would be too many. Each operation's end has a time node, and the time nodes
  // form a chain. An operation precedes the time node of its end, and follows the last time node
  // before its beginning.
  bool IsTime(std::size_t node) const { return node >= operations_; }

  std::vector<bool> NodesBehindCycles() const;
  std::vector<Edge> ShortestCycleThrough(std::size_t start, const std::vector<bool>& among,
                                         std::size_t shorter_than) const;
  std::vector<Edge> WithoutTimeNodes(const std::vector<Edge>& path) const;

  std::size_t operations_;
  std::vector<std::vector<Edge>> edges_;  // [n]: the edges that begin at node n
};

}  // namespace dolmen::test
