// Functions that call themselves as deeply as their input nests, with their frames on the heap.
//
// A thread of the host may have a stack of 64 KB, and an expression may nest 300 operators. So a parser
// that follows the nesting consists of coroutines:
//
//   class Parser {
//    public:
//     int Parse() { return ReadSum().Run(); }
//
//    private:
//     Deep<int> ReadGroup() {
//       const int inner = co_await ReadSum();
//       co_return Accept(')') ? inner : kFailed;
//     }
//   };
//
// Each co_await stands alone at the right of a variable or of co_return: GCC 12 compiles one within a condition to
// a crash.
//
// Run() resumes one coroutine after the other, and each returns to Run() when it awaits another. The use of
// the stack therefore does not depend on the nesting, with any compiler and without optimization too.

#pragma once

#include <coroutine>
#include <exception>
#include <utility>

namespace dolmen::engine {

// A call of a coroutine that returns a T. The coroutine starts when another coroutine awaits the call, or when
// Run() is called.
template <typename T>
class [[nodiscard]] Deep {
 public:
  class promise_type;

  ~Deep() { call_.destroy(); }
  Deep(const Deep&) = delete;
  Deep& operator=(const Deep&) = delete;

  // Runs the coroutine to its end, with all coroutines that it awaits. Returns the result.
  T Run() {
    std::coroutine_handle<> running = call_;
    call_.promise().running_ = &running;
    while (running) running.resume();
    return await_resume();
  }

  bool await_ready() const { return false; }
  template <typename Caller>
  void await_suspend(std::coroutine_handle<Caller> caller) {
    promise_type& promise = call_.promise();
    promise.caller_ = caller;
    promise.running_ = caller.promise().running();
    *promise.running_ = call_;
  }
  T await_resume() {
    promise_type& promise = call_.promise();
    if (promise.failure_) std::rethrow_exception(promise.failure_);
    return std::move(promise.result_);
  }

 private:
  using Call = std::coroutine_handle<promise_type>;

  explicit Deep(Call call) : call_(call) {}

  const Call call_;
};

// The state of a coroutine, which its frame contains. The names are those that the language requires.
template <typename T>
class Deep<T>::promise_type {
 public:
  Deep get_return_object() { return Deep(Call::from_promise(*this)); }
  std::suspend_always initial_suspend() const noexcept { return {}; }
  auto final_suspend() const noexcept {
    struct Return {
      bool await_ready() const noexcept { return false; }
      void await_suspend(Call call) const noexcept {
        *call.promise().running_ = call.promise().caller_;
      }
      void await_resume() const noexcept {}
    };
    return Return();
  }
  void return_value(T result) { result_ = std::move(result); }
  // The caller gets the exception, a std::bad_alloc. Without that, the frames would be destroyed one within
  // the other, as deep on the stack as the input nests.
  void unhandled_exception() { failure_ = std::current_exception(); }

  std::coroutine_handle<>* running() const { return running_; }

 private:
  friend class Deep;

  std::coroutine_handle<> caller_;              // null: Run() itself
  std::coroutine_handle<>* running_ = nullptr;  // the coroutine that Run() resumes next
  T result_{};
  std::exception_ptr failure_;
};

}  // namespace dolmen::engine
