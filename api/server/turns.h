// A queue of work that must not delay the other events of a worker.

#pragma once

#include <boost/asio/io_context.hpp>
#include <deque>
#include <memory>
#include <utility>

namespace dolmen::server {

// A queue of tasks. It runs them in the order of their arrival, one for each round of an event loop: the loop
// handles all other events that are ready before the queue runs the next task. Only the thread of the loop uses it.
class Turns {
 public:
  // REQUIRES: `context` outlives this object, and one thread runs it.
  explicit Turns(boost::asio::io_context* context) : context_(*context) {}

  // Runs `task`, which may be movable only, after the tasks that were added before. If the task throws an exception,
  // the loop throws it, and the tasks behind it still run.
  template <typename Task>
  void Add(Task task) {
    waiting_.push_back(std::make_unique<Holder<Task>>(std::move(task)));
    Post();
  }

 private:
  struct Waiting {
    virtual ~Waiting() = default;
    virtual void Run() = 0;
  };
  template <typename Task>
  struct Holder : Waiting {
    explicit Holder(Task of) : task(std::move(of)) {}
    void Run() override { task(); }
    Task task;
  };

  // Lets the loop call RunNext in its next round.
  void Post();
  void RunNext();

  boost::asio::io_context& context_;
  std::deque<std::unique_ptr<Waiting>> waiting_;
  bool posted_ = false;
};

}  // namespace dolmen::server
