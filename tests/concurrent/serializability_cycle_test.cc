// Tests of the checker with histories written by hand, in which operations contradict each other or
// real time. No order of the operations explains such a history.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/concurrent/serializability_fixture.h"

namespace dolmen::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// --- reads that contradict other reads, or contradict writes of other items ---

// Both operations read the initial version and wrote a new one. So the later write ignored the
// earlier one.
TEST_F(SerializabilityTest, FindsLostUpdate) {
  Do({{kX, Marks{}}}, {{kX, {1}}});
  Do({{kX, MarkCount{0}}}, {{kX, {2}}});
  Await();
  Read({{kX, Marks{1, 2}}});
  ExpectBad(Anomaly::kCycle, AllOf(HasSubstr("its version of x was replaced by #1"),
                                   HasSubstr("the version of x that it read was replaced by #0"),
                                   Not(HasSubstr("#2 operation"))));
}

// Each operation reads both items and writes one of them. Both operations read the initial states,
// so each would have to come before the other one.
TEST_F(SerializabilityTest, FindsWriteSkew) {
  Do({{kX, Marks{}}, {kY, Marks{}}}, {{kX, {1}}});
  Do({{kX, MarkCount{0}}, {kY, MarkCount{0}}}, {{kY, {2}}});
  Await();
  Read({{kX, Marks{1}}, {kY, Marks{2}}});
  ExpectBad(Anomaly::kCycle);
}

// Each of the two operations read what the other operation wrote, so one of them read an
// uncommitted write.
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

// Two operations write different items. One reader saw only the first write, and the other reader
// saw only the second write. So the readers saw the writes in different orders.
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

// The two writes change different items, so the reads alone would allow either order. Only the
// times of the writes show that the write of x came first. The first reader saw only the later
// write, so its result is wrong.
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

}  // namespace
}  // namespace dolmen::test
