#include "tests/concurrent/precedence_graph.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <numeric>
#include <optional>

namespace dolmen::test {

PrecedenceGraph::PrecedenceGraph(std::size_t operations)
    : operations_(operations), edges_(operations) {}

void PrecedenceGraph::Add(const Edge& edge) {
  if (edge.from != edge.to) edges_[edge.from].push_back(edge);
}

void PrecedenceGraph::AddRealTime(const std::vector<Operation>& operations) {
  std::vector<std::size_t> by_end(operations.size());
  std::iota(by_end.begin(), by_end.end(), std::size_t{0});
  const auto end_of = [&](std::size_t operation) { return operations[operation].ended; };
  std::ranges::sort(by_end, {}, end_of);
  edges_.resize(operations_ + by_end.size());
  for (std::size_t i = 0; i < by_end.size(); ++i) {
    Add({.from = by_end[i], .to = operations_ + i});
    if (i > 0) Add({.from = operations_ + i - 1, .to = operations_ + i});
  }
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const auto later = std::ranges::lower_bound(by_end, operations[i].began, {}, end_of);
    const auto ended = static_cast<std::size_t>(later - by_end.begin());
    if (ended > 0) Add({.from = operations_ + ended - 1, .to = i});
  }
}

// Removes nodes without a predecessor until every remaining node has a predecessor. Each remaining
// node is in a cycle or can be reached from a cycle.
std::vector<bool> PrecedenceGraph::NodesBehindCycles() const {
  std::vector<std::size_t> before(edges_.size(), 0);
  for (const auto& edges : edges_) {
    for (const Edge& edge : edges) ++before[edge.to];
  }
  std::vector<std::size_t> first;
  for (std::size_t node = 0; node < before.size(); ++node) {
    if (before[node] == 0) first.push_back(node);
  }
  std::vector<bool> left(edges_.size(), true);
  while (!first.empty()) {
    const std::size_t node = first.back();
    first.pop_back();
    left[node] = false;
    for (const Edge& edge : edges_[node]) {
      if (--before[edge.to] == 0) first.push_back(edge.to);
    }
  }
  return left;
}

// Returns the shortest cycle through `start`, or nothing. Searches breadth-first. The length of a
// path is the number of its operations, and time nodes do not count. So the search visits a time
// node before nodes that are already in the queue.
std::vector<PrecedenceGraph::Edge> PrecedenceGraph::ShortestCycleThrough(
    std::size_t start, const std::vector<bool>& among, std::size_t shorter_than) const {
  constexpr std::size_t kFar = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> distance(edges_.size(), kFar);
  std::vector<std::optional<Edge>> reached_by(edges_.size());
  std::deque<std::size_t> next = {start};
  distance[start] = 0;
  while (!next.empty()) {
    const std::size_t node = next.front();
    next.pop_front();
    if (distance[node] + 1 >= shorter_than) return {};
    for (const Edge& edge : edges_[node]) {
      if (edge.to == start) {
        std::vector<Edge> path = {edge};
        while (path.back().from != start) path.push_back(*reached_by[path.back().from]);
        std::ranges::reverse(path);
        return path;
      }
      const std::size_t there = distance[node] + (IsTime(edge.to) ? 0 : 1);
      if (!among[edge.to] || there >= distance[edge.to]) continue;
      distance[edge.to] = there;
      reached_by[edge.to] = edge;
      if (IsTime(edge.to)) {
        next.push_front(edge.to);
      } else {
        next.push_back(edge.to);
      }
    }
  }
  return {};
}

// Returns the path without its time nodes. Steps from one operation through time nodes to another
// operation become one edge.
std::vector<PrecedenceGraph::Edge> PrecedenceGraph::WithoutTimeNodes(
    const std::vector<Edge>& path) const {
  std::vector<Edge> joined;
  for (const Edge& edge : path) {
    if (IsTime(edge.from)) {
      joined.back().to = edge.to;
    } else {
      joined.push_back(edge);
    }
  }
  return joined;
}

std::vector<PrecedenceGraph::Edge> PrecedenceGraph::FindCycle() const {
  const std::vector<bool> among = NodesBehindCycles();
  std::vector<Edge> shortest;
  std::size_t shorter_than = std::numeric_limits<std::size_t>::max();
  for (std::size_t start = 0; start < operations_; ++start) {
    if (!among[start]) continue;
    const std::vector<Edge> cycle =
        WithoutTimeNodes(ShortestCycleThrough(start, among, shorter_than));
    if (cycle.empty()) continue;
    shortest = cycle;
    shorter_than = cycle.size();
  }
  return shortest;
}

}  // namespace dolmen::test
