// Tests of the cycles that the graph of operations finds.

#include "tests/concurrent/precedence_graph.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace dolmen::test {
namespace {

TEST(PrecedenceGraphTest, FindsTheShortestOfSeveralCycles) {
  PrecedenceGraph graph(100);
  for (std::size_t i = 0; i < 100; ++i) graph.Add({.from = i, .to = (i + 1) % 100});
  graph.Add({.from = 70, .to = 63});
  graph.Add({.from = 22, .to = 20, .item = 5});
  const auto cycle = graph.FindCycle();
  ASSERT_EQ(cycle.size(), 3u);
  EXPECT_EQ(cycle[0].from, 20u);
  EXPECT_EQ(cycle[1].from, 21u);
  EXPECT_EQ(cycle[2].from, 22u);
  EXPECT_EQ(cycle[2].to, 20u);
  EXPECT_EQ(cycle[2].item, 5u);
}

TEST(PrecedenceGraphTest, IgnoresAnEdgeFromANodeToItself) {
  PrecedenceGraph graph(1);
  graph.Add({.from = 0, .to = 0});
  EXPECT_TRUE(graph.FindCycle().empty());
}

// Operation 3 ended before operation 45 began, but an edge says that operation 45 comes first. The
// graph must return a cycle of two edges: this edge, and one real-time edge from operation 3 to 45.
// The operations with the numbers 4 to 44 must not become parts of the cycle.
TEST(PrecedenceGraphTest, RealTimeOrderOfDistantOperationsIsOneEdge) {
  std::vector<Operation> operations;
  for (Moment i = 0; i < 50; ++i) operations.push_back({.began = 2 * i, .ended = 2 * i + 1});
  PrecedenceGraph graph(operations.size());
  graph.AddRealTime(operations);
  EXPECT_TRUE(graph.FindCycle().empty());
  graph.Add({.from = 45, .to = 3, .why = Precedence::kWriteRead});
  const auto cycle = graph.FindCycle();
  ASSERT_EQ(cycle.size(), 2u);
  EXPECT_EQ(cycle[0].from, 3u);
  EXPECT_EQ(cycle[0].to, 45u);
  EXPECT_EQ(cycle[0].why, Precedence::kRealTime);
}

}  // namespace
}  // namespace dolmen::test
