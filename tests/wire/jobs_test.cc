// Tests of the jobs that continue after their requests.

#include "wire/jobs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <new>
#include <string>
#include <thread>

#include "tests/support/status_matchers.h"

namespace dolmen::wire {
namespace {

using test::IsOk;
using test::StatusIs;

class JobsTest : public testing::Test {
 protected:
  // Starts a job that works until the latch opens.
  Status StartWaiting(std::latch* open, const std::string& id = "waiting") {
    return jobs_.Start(id, {{"State", "IN_PROGRESS"}}, [open](Job& job) {
      if (job.Proceed()) open->wait();
      return Status();
    });
  }
  void WaitUntilEnded(const std::string& id) {
    while (jobs_.Find(id)) std::this_thread::yield();
  }

  Jobs jobs_{Jobs::Place::kInBackground};
};

TEST_F(JobsTest, AJobContinuesAfterItsStart) {
  std::latch open(1);
  ASSERT_THAT(StartWaiting(&open), IsOk());
  EXPECT_EQ(jobs_.Find("waiting"), (Map{{"State", "IN_PROGRESS"}}));
  EXPECT_EQ(jobs_.Find("other"), std::nullopt);
  EXPECT_EQ(jobs_.Find(""), std::nullopt);
  open.count_down();
  WaitUntilEnded("waiting");
}

TEST_F(JobsTest, AnErrorBeforeAJobProceedsIsTheErrorOfItsStart) {
  EXPECT_THAT(jobs_.Start("a", {}, [](Job&) { return Status::Validation("no"); }),
              StatusIs(StatusCode::kValidation, "no"));
  EXPECT_THAT(jobs_.Start("a", {}, [](Job&) { return Status(); }), IsOk());
  EXPECT_THAT(jobs_.Start("a", {},
                          [](Job& job) {
                            job.Proceed();
                            return Status::Validation("no");
                          }),
              IsOk());
}

TEST_F(JobsTest, AJobThrowsNoException) {
  EXPECT_THAT(jobs_.Start("a", {}, [](Job&) -> Status { throw std::bad_alloc(); }),
              StatusIs(StatusCode::kStorage, testing::HasSubstr("bad_alloc")));
}

TEST_F(JobsTest, JobsWorkOneAfterTheOther) {
  std::latch first(1);
  std::atomic<bool> is_open = false;
  std::atomic<bool> was_early = false;
  ASSERT_THAT(StartWaiting(&first), IsOk());
  for (const char* id : {"a", "b", "c"}) {
    ASSERT_THAT(jobs_.Start(id, {},
                            [&](Job& job) {
                              job.Proceed();
                              if (!is_open) was_early = true;
                              return Status();
                            }),
                IsOk());
  }
  is_open = true;
  first.count_down();
  for (const char* id : {"waiting", "a", "b", "c"}) WaitUntilEnded(id);
  EXPECT_FALSE(was_early);
}

TEST_F(JobsTest, ACancelledJobMustEnd) {
  std::latch first(1);
  ASSERT_THAT(StartWaiting(&first), IsOk());
  std::latch ended(1);
  std::atomic<bool> proceeded = true;
  ASSERT_THAT(jobs_.Start("a", {{"State", "IN_PROGRESS"}},
                          [&](Job& job) {
                            proceeded = job.Proceed();
                            EXPECT_TRUE(job.was_stopped());
                            EXPECT_TRUE(job.is_cancelled());
                            first.wait();
                            ended.count_down();
                            return Status();
                          }),
              IsOk());
  EXPECT_TRUE(jobs_.Cancel("a", "State"));
  EXPECT_EQ(jobs_.Find("a"), (Map{{"State", "CANCELLING"}}));
  first.count_down();
  ended.wait();
  EXPECT_FALSE(proceeded);
  for (const char* id : {"waiting", "a"}) WaitUntilEnded(id);
  EXPECT_FALSE(jobs_.Cancel("a", "State"));
}

TEST_F(JobsTest, StopEndsAllJobs) {
  std::atomic<int> stopped = 0;
  for (const char* id : {"a", "b"}) {
    ASSERT_THAT(jobs_.Start(id, {},
                            [&](Job& job) {
                              while (job.Proceed()) std::this_thread::yield();
                              EXPECT_FALSE(job.is_cancelled());
                              ++stopped;
                              return Status();
                            }),
                IsOk());
  }
  jobs_.Stop();
  EXPECT_EQ(stopped, 2);
}

TEST_F(JobsTest, TheNumberOfJobsIsLimited) {
  std::latch open(1);
  for (std::size_t i = 0; i < Jobs::kJobsMax; ++i) {
    ASSERT_THAT(StartWaiting(&open, std::to_string(i)), IsOk());
  }
  EXPECT_THAT(StartWaiting(&open), StatusIs(StatusCode::kLimitExceeded, testing::_));
  open.count_down();
  for (std::size_t i = 0; i < Jobs::kJobsMax; ++i) WaitUntilEnded(std::to_string(i));
  EXPECT_THAT(StartWaiting(&open), IsOk());
  WaitUntilEnded("waiting");
}

TEST(JobsInRequestTest, StartReturnsTheOutcome) {
  Jobs jobs(Jobs::Place::kInRequest);
  EXPECT_THAT(jobs.Start("a", {{"State", "IN_PROGRESS"}},
                         [&](Job& job) {
                           EXPECT_TRUE(job.Proceed());
                           EXPECT_NE(jobs.Find("a"), std::nullopt);
                           return Status::Validation("no");
                         }),
              StatusIs(StatusCode::kValidation, "no"));
  EXPECT_EQ(jobs.Find("a"), std::nullopt);
}

}  // namespace
}  // namespace dolmen::wire
