#include "wire/jobs.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "engine/base/start_thread.h"
#include "engine/base/status_macros.h"
#include "wire/table_settings.h"

namespace dolmen::wire {

bool Job::Proceed() {
  if (!std::exchange(has_proceeded_, true)) jobs_.WaitForTurn(this);
  was_stopped_ = was_stopped_ || must_end_;
  return !was_stopped_;
}

Status Jobs::Start(std::string id, Map description, Work work) {
  JobRef job;
  {
    const MutexLock lock(mutex_);
    DOLMEN_ASSIGN_OR_RETURN(job, Add(std::move(id), std::move(description)));
    if (place_ == Place::kInBackground) {
      const Status started = engine::StartThread(
          "for a job", [this, running = job.get(), work = std::move(work)] { Run(running, work); },
          &job->thread_);
      if (!started.ok()) {
        jobs_.remove(job);
        return started;
      }
      while (!job->is_accepted_ && !job->has_ended_) changed_.Wait(mutex_);
      return job->is_accepted_ ? Status() : job->result_;
    }
  }
  Run(job.get(), work);
  const MutexLock lock(mutex_);
  return job->result_;
}

Result<Jobs::JobRef> Jobs::Add(std::string id, Map description) {
  RemoveEnded();
  if (jobs_.size() >= kJobsMax) {
    return Status::LimitExceeded("Subscriber limit exceeded: only " + std::to_string(kJobsMax) +
                                 " exports, imports, bulk operations and restores can run at once. "
                                 "Wait until one has ended.");
  }
  jobs_.push_back(std::make_shared<Job>(this, std::move(id), std::move(description)));
  jobs_.back()->must_end_ = is_stopped_;
  return jobs_.back();
}

void Jobs::Run(Job* job, const Work& work) {
  Status result;
  // Memory may be exhausted. A thread must not end with an exception.
  try {
    result = work(*job);
  } catch (const std::exception& error) {
    result = Status::Storage(std::string("the job failed: ") + error.what());
  }
  bool was_accepted = false;
  {
    const MutexLock lock(mutex_);
    was_accepted = job->is_accepted_;
    job->result_ = result;
    job->has_ended_ = true;
    changed_.NotifyAll();
  }
  if (was_accepted && !result.ok() && report_failure_) report_failure_(result);
}

void Jobs::WaitForTurn(Job* job) {
  if (place_ == Place::kInRequest) return;
  const MutexLock lock(mutex_);
  job->is_accepted_ = true;
  changed_.NotifyAll();
  if (job->must_end_) return;
  // The jobs work in the order in which they were accepted.
  jobs_.splice(jobs_.end(), jobs_,
               std::find_if(jobs_.begin(), jobs_.end(),
                            [&](const JobRef& other) { return other.get() == job; }));
  while (!job->must_end_ && Next() != job) changed_.Wait(mutex_);
}

const Job* Jobs::Next() const {
  for (const JobRef& job : jobs_) {
    if (job->is_accepted_ && !job->has_ended_) return job.get();
  }
  return nullptr;
}

void Jobs::RemoveEnded() {
  jobs_.remove_if([](const JobRef& job) {
    if (job->has_ended_ && job->thread_.joinable()) job->thread_.join();
    return job->has_ended_;
  });
}

Job* Jobs::FindRunning(std::string_view id) const {
  for (const JobRef& job : jobs_) {
    if (!id.empty() && job->id_ == id && !job->has_ended_) return job.get();
  }
  return nullptr;
}

std::optional<Map> Jobs::Find(std::string_view id) const {
  const MutexLock lock(mutex_);
  const Job* const job = FindRunning(id);
  return job == nullptr ? std::nullopt : std::optional(job->description_);
}

bool Jobs::Cancel(std::string_view id, std::string_view status) {
  const MutexLock lock(mutex_);
  Job* const job = FindRunning(id);
  if (job == nullptr) return false;
  Set(status, "CANCELLING", &job->description_);
  job->is_cancelled_ = true;
  job->must_end_ = true;
  changed_.NotifyAll();
  return true;
}

void Jobs::Stop() {
  std::list<JobRef> jobs;
  {
    const MutexLock lock(mutex_);
    is_stopped_ = true;
    for (const JobRef& job : jobs_) job->must_end_ = true;
    changed_.NotifyAll();
    jobs.swap(jobs_);
  }
  for (const JobRef& job : jobs) {
    if (job->thread_.joinable()) job->thread_.join();
  }
}

}  // namespace dolmen::wire
