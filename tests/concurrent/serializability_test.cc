// Tests of the checker with histories written by hand. It must find each anomaly and accept
// histories that only look like one.

#include "tests/concurrent/serializability.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <utility>
#include <vector>

#include "tests/concurrent/precedence_graph.h"

namespace dolmen::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::size_t kX = 0;  // starts as an empty list, like kY
constexpr std::size_t kY = 1;
constexpr std::size_t kNew = 2;  // starts absent

ItemWrite Deletion(std::size_t item) { return {.item = item}; }

class SerializabilityTest : public testing::Test {
 protected:
  // Adds an operation. It overlaps the others unless Await() is called in between.
  void Do(std::vector<ItemRead> reads, std::vector<ItemWrite> writes) {
    history_.operations.push_back({.name = "operation",
                                   .thread = history_.operations.size(),
                                   .began = now_++,
                                   .reads = std::move(reads),
                                   .writes = std::move(writes)});
  }
  void Read(std::vector<ItemRead> reads) { Do(std::move(reads), {}); }
  void Write(std::vector<ItemWrite> writes) { Do({}, std::move(writes)); }
  void Fail(std::vector<ItemRead> reads, std::vector<ItemWrite> writes) {
    Do(std::move(reads), std::move(writes));
    history_.operations.back().committed = false;
  }

  // Ends all operations except `but`. Later operations begin after these ends.
  void Await(std::optional<std::size_t> but = std::nullopt) {
    for (std::size_t i = 0; i < history_.operations.size(); ++i) {
      Operation& operation = history_.operations[i];
      if (operation.ended == 0 && i != but) operation.ended = now_++;
    }
  }

  void ExpectGood() {
    Await();
    const auto violation = CheckSerializability(history_);
    EXPECT_FALSE(violation.has_value()) << violation->text;
  }

  // `text` is a matcher for the violation's text.
  template <typename Matcher>
  void ExpectBad(Anomaly anomaly, Matcher text) {
    Await();
    const auto violation = CheckSerializability(history_);
    ASSERT_TRUE(violation.has_value()) << "expected: " << AnomalyName(anomaly);
    EXPECT_EQ(violation->anomaly, anomaly) << violation->text;
    EXPECT_THAT(violation->text, text);
    EXPECT_THAT(violation->text, HasSubstr(std::string(AnomalyName(anomaly))));
  }
  void ExpectBad(Anomaly anomaly) { ExpectBad(anomaly, HasSubstr("#")); }

  History history_{.items = {{.name = "x"}, {.name = "y"}, {.name = "new", .starts_absent = true}}};

 private:
  Moment now_ = 1;
};

// --- valid histories ---

TEST_F(SerializabilityTest, AcceptsAnEmptyHistory) { ExpectGood(); }

TEST_F(SerializabilityTest, AcceptsOperationsOneAfterAnother) {
  Read({{kX, Marks{}}, {kNew, Absent{}}});
  Await();
  Write({{kX, {1}}, {kNew, {2}}});
  Await();
  Do({{kX, Marks{1}}, {kY, MarkCount{0}}}, {{kX, {3, 4}}});
  Await();
  Read({{kX, Marks{1, 3, 4}}, {kY, Marks{}}, {kNew, Marks{2}}});
  ExpectGood();
}

TEST_F(SerializabilityTest, AcceptsConcurrentReadersWithAndWithoutTheWrite) {
  Write({{kX, {1}}, {kY, {2}}});
  Read({{kX, Marks{1}}, {kY, Marks{2}}});
  Read({{kX, Marks{}}, {kY, Marks{}}});
  Read({{kX, Marks{1}}, {kY, Marks{2}}});
  ExpectGood();
}

TEST_F(SerializabilityTest, AcceptsConcurrentWritesInAnyOneOrder) {
  Write({{kX, {1}}, {kY, {2}}});
  Write({{kX, {3}}, {kY, {4}}});
  Write({{kX, {5}}});
  Await();
  Read({{kX, Marks{3, 5, 1}}, {kY, Marks{4, 2}}});
  ExpectGood();
}

TEST_F(SerializabilityTest, AcceptsADeletedItemThatStaysAbsent) {
  Write({{kX, {1}}});
  Await();
  Read({{kX, Marks{1}}});
  Do({{kX, Marks{1}}}, {Deletion(kX)});
  Read({{kX, Absent{}}});
  Await();
  Read({{kX, Absent{}}});
  ExpectGood();
}

TEST_F(SerializabilityTest, AcceptsFailedOperationsWithoutEffect) {
  Fail({{kX, Marks{}}}, {{kX, {1}}, {kY, {2}}});
  Fail({{kY, Marks{}}}, {Deletion(kY)});
  Await();
  Read({{kX, Marks{}}, {kY, Marks{}}});
  ExpectGood();
}

TEST_F(SerializabilityTest, AcceptsAWriteThatReturnsItsOwnMarks) {
  Write({{kX, {1}}});
  Do({{kX, Marks{1, 2}}}, {{kX, {2}}});
  Write({{kX, {3}}});
  Await();
  Read({{kX, Marks{1, 2, 3}}});
  ExpectGood();
}

// --- reads that contradict the writes of their own item ---

TEST_F(SerializabilityTest, FindsReadOfAMarkThatWasNeverWritten) {
  Read({{kX, Marks{7}}});
  ExpectBad(Anomaly::kNobodyWroteIt, HasSubstr("no operation put 7 in x"));
}

TEST_F(SerializabilityTest, FindsMarkInTheWrongItem) {
  Write({{kX, {1}}});
  Read({{kY, Marks{1}}});
  ExpectBad(Anomaly::kNobodyWroteIt, HasSubstr("no operation put 1 in y"));
}

TEST_F(SerializabilityTest, FindsAbsenceWithoutADeletion) {
  Read({{kX, Absent{}}});
  ExpectBad(Anomaly::kNobodyWroteIt, HasSubstr("x is absent"));
}

TEST_F(SerializabilityTest, FindsItemThatWasNeverCreated) {
  Read({{kNew, Marks{}}});
  ExpectBad(Anomaly::kNobodyWroteIt);
}

TEST_F(SerializabilityTest, FindsSizeThatWasNeverReached) {
  Write({{kX, {1}}});
  Do({{kX, MarkCount{2}}}, {{kY, {2}}});
  Read({{kX, Marks{1}}, {kY, Marks{2}}});
  ExpectBad(Anomaly::kNobodyWroteIt);
}

TEST_F(SerializabilityTest, FindsAbortedRead) {
  Fail({}, {{kX, {1}}});
  Read({{kX, Marks{1}}});
  ExpectBad(Anomaly::kAbortedRead,
            AllOf(HasSubstr("#0 operation of thread 0, from 1 to 3, which failed"),
                  HasSubstr("appends [1] to x"), HasSubstr("saw x [1]")));
}

TEST_F(SerializabilityTest, FindsEffectOfAFailedDeletion) {
  Fail({{kX, Marks{}}}, {Deletion(kX)});
  Read({{kX, Absent{}}});
  ExpectBad(Anomaly::kAbortedRead);
}

TEST_F(SerializabilityTest, FindsPartOfAnAppend) {
  Write({{kX, {1, 2}}});
  Read({{kX, Marks{1}}});
  ExpectBad(Anomaly::kIntermediateRead);
}

TEST_F(SerializabilityTest, FindsPartOfAnAppendBesideTheWhole) {
  Write({{kX, {1, 2}}});
  Read({{kX, Marks{1}}});
  Read({{kX, Marks{1, 2}}});
  ExpectBad(Anomaly::kIntermediateRead, HasSubstr("saw x [1]"));
}

TEST_F(SerializabilityTest, FindsInterleavedAppends) {
  Write({{kX, {1, 2}}});
  Write({{kX, {3, 4}}});
  Read({{kX, Marks{1, 3, 2, 4}}});
  ExpectBad(Anomaly::kIntermediateRead);
}

TEST_F(SerializabilityTest, FindsConditionOnAPartOfAnAppend) {
  Write({{kX, {1, 2}}});
  Do({{kX, MarkCount{1}}}, {{kY, {3}}});
  Read({{kX, Marks{1, 2}}, {kY, Marks{3}}});
  ExpectBad(Anomaly::kIntermediateRead, HasSubstr("saw x with 1 marks"));
}

TEST_F(SerializabilityTest, FindsAppendDoneTwice) {
  Write({{kX, {1}}});
  Read({{kX, Marks{1, 1}}});
  ExpectBad(Anomaly::kRepeatedMark);
}

TEST_F(SerializabilityTest, FindsOverwrittenAppendThatAReaderSaw) {
  Write({{kX, {1}}});
  Read({{kX, Marks{1}}});
  Write({{kX, {2}}});
  Await();
  Read({{kX, Marks{2}}});
  ExpectBad(Anomaly::kForkedOrder);
}

TEST_F(SerializabilityTest, FindsTwoOrdersOfOneItem) {
  Write({{kX, {1}}});
  Write({{kX, {2}}});
  Read({{kX, Marks{1, 2}}});
  Read({{kX, Marks{2, 1}}});
  ExpectBad(Anomaly::kForkedOrder);
}

TEST_F(SerializabilityTest, FindsAcknowledgedWriteThatWasLost) {
  Write({{kX, {1}}});
  Write({{kX, {2}}});
  Await();
  Read({{kX, Marks{2}}});
  ExpectBad(Anomaly::kLostWrite, AllOf(HasSubstr("appends [1]"), Not(HasSubstr("appends [2]"))));
}

TEST_F(SerializabilityTest, FindsWriteLostByADeletion) {
  Do({{kX, Marks{}}}, {Deletion(kX)});
  Write({{kX, {1}}});
  Await();
  Read({{kX, Absent{}}});
  ExpectBad(Anomaly::kLostWrite);
}

TEST_F(SerializabilityTest, FindsItemDeletedTwice) {
  Do({{kX, Marks{}}}, {Deletion(kX)});
  Do({{kX, Marks{}}}, {Deletion(kX)});
  ExpectBad(Anomaly::kDeletedTwice);
}

// --- reads that contradict each other or writes of other items ---

// Both operations read the same version and replaced it.
TEST_F(SerializabilityTest, FindsLostUpdate) {
  Do({{kX, Marks{}}}, {{kX, {1}}});
  Do({{kX, MarkCount{0}}}, {{kX, {2}}});
  Await();
  Read({{kX, Marks{1, 2}}});
  ExpectBad(Anomaly::kCycle, AllOf(HasSubstr("its version of x was replaced by #1"),
                                   HasSubstr("the version of x that it read was replaced by #0"),
                                   Not(HasSubstr("#2 operation"))));
}

// Each operation read the item that the other one wrote, before the other's write.
TEST_F(SerializabilityTest, FindsWriteSkew) {
  Do({{kX, Marks{}}, {kY, Marks{}}}, {{kX, {1}}});
  Do({{kX, MarkCount{0}}, {kY, MarkCount{0}}}, {{kY, {2}}});
  Await();
  Read({{kX, Marks{1}}, {kY, Marks{2}}});
  ExpectBad(Anomaly::kCycle);
}

// Each operation read the other's write, so one of them read an uncommitted write.
TEST_F(SerializabilityTest, FindsDirtyRead) {
  Do({{kY, Marks{2}}}, {{kX, {1}}});
  Do({{kX, Marks{1}}}, {{kY, {2}}});
  ExpectBad(Anomaly::kCycle, AllOf(HasSubstr("its version of x was read by #1"),
                                   HasSubstr("its version of y was read by #0")));
}

TEST_F(SerializabilityTest, FindsWritesInTwoOrders) {
  Write({{kX, {1}}, {kY, {2}}});
  Write({{kX, {3}}, {kY, {4}}});
  Read({{kX, Marks{1, 3}}});
  Read({{kY, Marks{4, 2}}});
  ExpectBad(Anomaly::kCycle);
}

TEST_F(SerializabilityTest, FindsFracturedRead) {
  Write({{kX, {1}}, {kY, {2}}});
  Read({{kX, Marks{1}}, {kY, Marks{}}});
  Await();
  Read({{kX, Marks{1}}, {kY, Marks{2}}});
  ExpectBad(Anomaly::kCycle);
}

TEST_F(SerializabilityTest, FindsFracturedReadOfANewItem) {
  Write({{kX, {1}}, {kNew, {2}}});
  Read({{kX, Marks{1}}, {kNew, Absent{}}});
  Await();
  Read({{kX, Marks{1}}, {kNew, Marks{2}}});
  ExpectBad(Anomaly::kCycle);
}

TEST_F(SerializabilityTest, FindsFracturedReadOfADeletedItem) {
  Do({{kX, Marks{}}}, {Deletion(kX), {kY, {1}}});
  Read({{kX, Marks{}}, {kY, Marks{1}}});
  ExpectBad(Anomaly::kCycle);
}

TEST_F(SerializabilityTest, FindsFracturedReadOfAFailedCondition) {
  Write({{kX, {1}}, {kY, {2}}});
  Fail({{kX, Marks{1}}, {kY, Marks{}}}, {{kNew, {3}}});
  Await();
  Read({{kX, Marks{1}}, {kY, Marks{2}}});
  ExpectBad(Anomaly::kCycle);
}

// Two writes of different items, and two readers that saw them in different orders.
TEST_F(SerializabilityTest, FindsLongFork) {
  Write({{kX, {1}}});
  Write({{kY, {2}}});
  Read({{kX, Marks{1}}, {kY, Marks{}}});
  Read({{kX, Marks{}}, {kY, Marks{2}}});
  Await();
  Read({{kX, Marks{1}}, {kY, Marks{2}}});
  ExpectBad(Anomaly::kCycle);
}

TEST_F(SerializabilityTest, FindsWriteToADeletedItem) {
  Do({{kX, Marks{}}}, {Deletion(kX)});
  Write({{kX, {1}}});
  Read({{kX, Marks{1}}});
  ExpectBad(Anomaly::kCycle);
}

// --- serializable histories that contradict real time ---

TEST_F(SerializabilityTest, FindsStaleRead) {
  Write({{kX, {1}}});
  Await();
  Read({{kX, Marks{}}});
  Await();
  Read({{kX, Marks{1}}});
  ExpectBad(Anomaly::kRealTimeCycle, HasSubstr("had ended before the beginning of #1"));
}

TEST_F(SerializabilityTest, FindsReadersThatGoBackInTime) {
  Write({{kX, {1}}});
  Read({{kX, Marks{1}}});
  Await(0);
  Read({{kX, Marks{}}});
  ExpectBad(Anomaly::kRealTimeCycle, HasSubstr("#1 operation of thread 1, from 2 to 3"));
}

// The two writes have no item in common. Only real time orders them.
TEST_F(SerializabilityTest, FindsReaderThatSawOnlyTheLaterOfTwoWrites) {
  Read({{kX, Marks{}}, {kY, Marks{2}}});
  Write({{kX, {1}}});
  Await(0);
  Write({{kY, {2}}});
  Await(0);
  Read({{kX, Marks{1}}, {kY, Marks{2}}});
  ExpectBad(Anomaly::kRealTimeCycle);
}

TEST_F(SerializabilityTest, FindsWritesAgainstRealTimeOrder) {
  Write({{kX, {1}}});
  Await();
  Write({{kX, {2}}});
  Await();
  Read({{kX, Marks{2, 1}}});
  ExpectBad(Anomaly::kRealTimeCycle);
}

// --- texts of violations ---

TEST_F(SerializabilityTest, DescribeShowsTheEndOfLongLists) {
  Marks marks;
  for (Mark mark = 1; mark <= 20; ++mark) {
    Write({{kX, {mark}}});
    marks.push_back(mark);
  }
  Read({{kX, marks}});
  Await();
  EXPECT_THAT(Describe(history_, 20), HasSubstr("saw x [12 more, 13, 14, 15, 16, 17, 18, 19, 20]"));
}

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

// The cycle stays short for any number of operations between the two in the wrong order.
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
