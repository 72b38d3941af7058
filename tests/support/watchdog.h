// A limit for the time of a test's case, for tests of faults that may make the database hang.

#pragma once

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

namespace dolmen::test {

// Ends the process and prints the name of the case if the case takes longer than its limit. Prints
// the name also if the process aborts meanwhile. One Watchdog may exist at a time.
class Watchdog {
 public:
  explicit Watchdog(std::string_view name, unsigned seconds = 60) {
    text_ = {};
    std::memcpy(text_.data(), name.data(), std::min(name.size(), text_.size() - 2));
    text_.at(std::strlen(text_.data())) = '\n';
    ::signal(SIGALRM, Print);
    ::signal(SIGABRT, Print);
    ::alarm(seconds);
  }
  ~Watchdog() {
    ::alarm(0);
    ::signal(SIGABRT, SIG_DFL);
  }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  static void Print(int signal) {
    if (::write(STDERR_FILENO, text_.data(), std::strlen(text_.data())) >= 0) {
      ::signal(signal, SIG_DFL);
    }
    ::raise(signal);
  }

  static inline std::array<char, 256> text_ = {};  // a line
};

}  // namespace dolmen::test
