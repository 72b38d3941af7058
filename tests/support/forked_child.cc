#include "tests/support/forked_child.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>

namespace dolmen::test {

std::string RunInForkedChild(const std::function<std::string()>& work) {
  constexpr unsigned kSecondsMax = 60;
  std::array<int, 2> pipe = {};
  if (::pipe(pipe.data()) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child < 0) return "no child";
  if (child == 0) {
    ::alarm(kSecondsMax);
    const std::string text = work();
    const auto written = ::write(pipe[1], text.data(), text.size());
    ::_exit(written == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  ::close(pipe[1]);
  std::string text;
  std::array<char, 4096> part = {};
  for (ssize_t bytes = 0; (bytes = ::read(pipe[0], part.data(), part.size())) > 0;) {
    text.append(part.data(), static_cast<std::size_t>(bytes));
  }
  ::close(pipe[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) text += " ended by signal " + std::to_string(WTERMSIG(status));
  return text;
}

}  // namespace dolmen::test
