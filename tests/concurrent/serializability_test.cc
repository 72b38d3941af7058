// Tests of the checker with histories written by hand. It must accept valid histories that look
// like an anomaly, and find reads that contradict the writes of their own item.
// serializability_cycle_test.cc tests the anomalies that involve several operations or items.

#include "tests/concurrent/serializability.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/concurrent/serializability_fixture.h"

namespace dolmen::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

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

}  // namespace
}  // namespace dolmen::test
