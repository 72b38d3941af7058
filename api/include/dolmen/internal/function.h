// A function object of any type, like std::function. The public headers use it instead of
// std::function, because <functional> would add 14,000 lines to each source that includes dolmen.h.

#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "dolmen/internal/shared.h"

namespace dolmen::internal {

template <typename Signature>
class Function;

// A function that takes `Arguments` and returns R, or an empty Function. Copies share the function
// object. A call is as thread-safe as the function object is.
template <typename R, typename... Arguments>
class Function<R(Arguments...)> {
 public:
  Function() = default;
  Function(std::nullptr_t) {}

  // Takes a function object. A null function pointer and an empty std::function make an empty
  // Function.
  template <typename F>
    requires(!std::is_same_v<F, Function> && std::is_invocable_r_v<R, F&, Arguments...>)
  Function(F function) {
    if constexpr (requires { function == nullptr; }) {
      if (function == nullptr) return;
    }
    target_ = Shared<Target<F>>::Make(std::move(function));
  }

  explicit operator bool() const { return static_cast<bool>(target_); }

  // Calls the function object. REQUIRES: the Function is not empty.
  R operator()(Arguments... arguments) const {
    return target_->Call(std::forward<Arguments>(arguments)...);
  }

 private:
  struct AnyTarget {
    virtual ~AnyTarget() = default;
    virtual R Call(Arguments... arguments) = 0;
  };
  template <typename F>
  struct Target final : AnyTarget {
    explicit Target(F f) : function(std::move(f)) {}
    R Call(Arguments... arguments) override {
      return static_cast<R>(function(std::forward<Arguments>(arguments)...));
    }
    F function;
  };

  Shared<AnyTarget> target_;
};

}  // namespace dolmen::internal
