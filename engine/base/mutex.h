// Mutexes that Clang's thread-safety analysis understands (-Wthread-safety, which CI runs).
//
//   mutable Mutex mutex_;
//   int count_ DOLMEN_GUARDED_BY(mutex_) = 0;
//   void Add() { const MutexLock lock(mutex_); ++count_; }
//   void AddLocked() DOLMEN_REQUIRES(mutex_) { ++count_; }
//
// The analysis reports each access of a guarded member without its mutex. Other compilers ignore
// the annotations. This header is not installed. https://clang.llvm.org/docs/ThreadSafetyAnalysis.html

#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>

#if defined(__clang__)
#define DOLMEN_THREAD_ANNOTATION(attribute) __attribute__((attribute))
#else
#define DOLMEN_THREAD_ANNOTATION(attribute)
#endif

#define DOLMEN_GUARDED_BY(mutex) DOLMEN_THREAD_ANNOTATION(guarded_by(mutex))
#define DOLMEN_REQUIRES(mutex) DOLMEN_THREAD_ANNOTATION(requires_capability(mutex))
#define DOLMEN_EXCLUDES(mutex) DOLMEN_THREAD_ANNOTATION(locks_excluded(mutex))
#define DOLMEN_ACQUIRED_BEFORE(mutex) DOLMEN_THREAD_ANNOTATION(acquired_before(mutex))

namespace dolmen {

class DOLMEN_THREAD_ANNOTATION(capability("mutex")) Mutex {
 public:
  void Lock() DOLMEN_THREAD_ANNOTATION(acquire_capability()) { mutex_.lock(); }
  bool TryLock() DOLMEN_THREAD_ANNOTATION(try_acquire_capability(true)) {
    return mutex_.try_lock();
  }
  void Unlock() DOLMEN_THREAD_ANNOTATION(release_capability()) { mutex_.unlock(); }

 private:
  friend class ConditionVariable;
  std::mutex mutex_;
};

// A lock that holds a Mutex until the end of its scope.
class DOLMEN_THREAD_ANNOTATION(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) DOLMEN_THREAD_ANNOTATION(acquire_capability(mutex))
      : mutex_(mutex) {
    mutex_.Lock();
  }
  ~MutexLock() DOLMEN_THREAD_ANNOTATION(release_capability()) { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

// A condition variable. The wait functions unlock the mutex while they wait, and lock it again
// before they return. A wait may end without a notification, so the caller must wait in a loop
// that tests a condition.
class ConditionVariable {
 public:
  void Wait(Mutex& mutex) DOLMEN_REQUIRES(mutex) {
    std::unique_lock lock(mutex.mutex_, std::adopt_lock);
    condition_.wait(lock);
    lock.release();
  }
  void WaitUntil(Mutex& mutex, std::chrono::steady_clock::time_point deadline)
      DOLMEN_REQUIRES(mutex) {
    std::unique_lock lock(mutex.mutex_, std::adopt_lock);
    condition_.wait_until(lock, deadline);
    lock.release();
  }
  void NotifyOne() { condition_.notify_one(); }
  void NotifyAll() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

// A mutex that either any number of readers or one writer can hold. A reader that comes while a writer waits gets it after
// that writer: std::shared_mutex promises no order, and with glibc overlapping readers keep a writer out without end. So
// a thread must not lock it for a second time, and writers must be rare, as they are in any use of such a mutex.
class DOLMEN_THREAD_ANNOTATION(capability("shared mutex")) SharedMutex {
 public:
  void Lock() DOLMEN_THREAD_ANNOTATION(acquire_capability()) {
    writers_waiting_.fetch_add(1, std::memory_order_relaxed);
    const std::lock_guard keeps_readers_out(entrance_);
    mutex_.lock();
    writers_waiting_.fetch_sub(1, std::memory_order_relaxed);
  }
  void Unlock() DOLMEN_THREAD_ANNOTATION(release_capability()) { mutex_.unlock(); }
  void LockShared() DOLMEN_THREAD_ANNOTATION(acquire_shared_capability()) {
    // The order of this load does not matter: a reader that misses a writer is before it.
    if (writers_waiting_.load(std::memory_order_relaxed) != 0) {
      const std::lock_guard waits_for_the_writer(entrance_);
    }
    mutex_.lock_shared();
  }
  void UnlockShared() DOLMEN_THREAD_ANNOTATION(release_shared_capability()) {
    mutex_.unlock_shared();
  }

 private:
  std::shared_mutex mutex_;
  std::mutex entrance_;  // a writer holds it until it holds mutex_
  std::atomic<int> writers_waiting_ = 0;
};

// A lock that holds a SharedMutex as its writer until the end of the scope.
class DOLMEN_THREAD_ANNOTATION(scoped_lockable) WriterLock {
 public:
  explicit WriterLock(SharedMutex& mutex) DOLMEN_THREAD_ANNOTATION(acquire_capability(mutex))
      : mutex_(mutex) {
    mutex_.Lock();
  }
  ~WriterLock() DOLMEN_THREAD_ANNOTATION(release_capability()) { mutex_.Unlock(); }
  WriterLock(const WriterLock&) = delete;
  WriterLock& operator=(const WriterLock&) = delete;

 private:
  SharedMutex& mutex_;
};

// A lock that holds a SharedMutex as one of its readers until the end of the scope.
class DOLMEN_THREAD_ANNOTATION(scoped_lockable) ReaderLock {
 public:
  explicit ReaderLock(SharedMutex& mutex) DOLMEN_THREAD_ANNOTATION(acquire_shared_capability(mutex))
      : mutex_(mutex) {
    mutex_.LockShared();
  }
  ~ReaderLock() DOLMEN_THREAD_ANNOTATION(release_generic_capability()) { mutex_.UnlockShared(); }
  ReaderLock(const ReaderLock&) = delete;
  ReaderLock& operator=(const ReaderLock&) = delete;

 private:
  SharedMutex& mutex_;
};

}  // namespace dolmen
