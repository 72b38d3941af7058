// Jobs: work that continues after the response to the request that started it.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "dolmen/attribute_value.h"
#include "dolmen/result.h"
#include "engine/base/mutex.h"

namespace dolmen::wire {

class Jobs;

// A running job, for the function that does its work. Only the thread of that function calls it.
class Job {
 public:
  Job(Jobs* jobs, std::string id, Map description)
      : jobs_(*jobs), id_(std::move(id)), description_(std::move(description)) {}

  // Returns true if the job may continue. The first call ends Jobs::Start, and waits until all
  // earlier jobs have ended. So a job takes a snapshot before this call, and works after it. Later
  // calls do not wait. Returns false if the job must end, because Cancel or Stop was called.
  bool Proceed();

  // Returns true if Proceed was called.
  bool has_proceeded() const { return has_proceeded_; }
  // Returns true if Proceed has returned false.
  bool was_stopped() const { return was_stopped_; }
  // Returns true if Jobs::Cancel was called.
  bool is_cancelled() const { return is_cancelled_; }

 private:
  friend class Jobs;
  Jobs& jobs_;
  const std::string id_;
  std::thread thread_;  // not joinable if the job runs in its request
  bool has_proceeded_ = false;
  bool was_stopped_ = false;
  std::atomic<bool> must_end_ = false;
  std::atomic<bool> is_cancelled_ = false;
  // The mutex of jobs_ guards these members.
  Map description_;
  bool is_accepted_ = false;  // Proceed was called
  bool has_ended_ = false;
  Status result_;
};

// The jobs of a process. They live no longer than the process. Thread-safe.
class Jobs {
 public:
  // The function that does the work of a job.
  using Work = std::function<Status(Job& job)>;

  // - kInRequest: Start returns when the job has ended.
  // - kInBackground: each job has a thread. One job at a time works, the oldest first.
  enum class Place : std::uint8_t { kInRequest, kInBackground };

  // The number of jobs that have not ended, as many as DynamoDB accepts of each kind.
  static constexpr std::size_t kJobsMax = 50;

  // A function that gets the error of a job that has failed after the end of Start. It is called in
  // the thread of the job, and must not throw.
  using ReportFailure = std::function<void(const Status& status)>;

  explicit Jobs(Place place, ReportFailure report_failure = {})
      : place_(place), report_failure_(std::move(report_failure)) {}
  ~Jobs() { Stop(); }

  // Starts a job: calls `work`, and returns after the first call of Job::Proceed or after the end of
  // the job. Find returns `description` while the job has not ended, if `id` is not empty. After
  // Stop a new job must end at once.
  // - kLimitExceeded: there are kJobsMax jobs.
  // - kStorage: the system has no further thread.
  // - the error of `work`, if the job ended before it called Job::Proceed or runs in its request.
  Status Start(std::string id, Map description, Work work) DOLMEN_EXCLUDES(mutex_);

  // Returns the description of the job if it has not ended.
  std::optional<Map> Find(std::string_view id) const DOLMEN_EXCLUDES(mutex_);

  // Makes the job end soon, and sets the member `status` of its description to CANCELLING. Returns
  // false if no such job runs.
  bool Cancel(std::string_view id, std::string_view status) DOLMEN_EXCLUDES(mutex_);

  // Makes all jobs end, and waits for them.
  void Stop() DOLMEN_EXCLUDES(mutex_);

 private:
  friend class Job;
  using JobRef = std::shared_ptr<Job>;

  // Adds a job without a thread.
  Result<JobRef> Add(std::string id, Map description) DOLMEN_REQUIRES(mutex_);
  void Run(Job* job, const Work& work) DOLMEN_EXCLUDES(mutex_);
  void WaitForTurn(Job* job) DOLMEN_EXCLUDES(mutex_);
  // Returns the job that may work: the oldest one that was accepted and has not ended.
  const Job* Next() const DOLMEN_REQUIRES(mutex_);
  // Removes the jobs that have ended.
  void RemoveEnded() DOLMEN_REQUIRES(mutex_);
  // Returns the job with the ID that has not ended, or null.
  Job* FindRunning(std::string_view id) const DOLMEN_REQUIRES(mutex_);

  const Place place_;
  const ReportFailure report_failure_;  // may be empty
  mutable Mutex mutex_;
  ConditionVariable changed_;
  std::list<JobRef> jobs_ DOLMEN_GUARDED_BY(mutex_);
  bool is_stopped_ DOLMEN_GUARDED_BY(mutex_) = false;
};

}  // namespace dolmen::wire
