#include "tests/host/process_state.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <locale>
#include <new>
#include <sstream>

extern char** environ;

namespace dolmen::test {
namespace {

constexpr int kSignals = 64;
// The flags of a signal that programs set. glibc adds one of its own.
constexpr unsigned kFlags = static_cast<unsigned>(SA_NOCLDSTOP | SA_NOCLDWAIT | SA_SIGINFO |
                                                  SA_RESTART | SA_NODEFER | SA_ONSTACK) |
                            static_cast<unsigned>(SA_RESETHAND);

template <typename... Parts>
std::string Text(const Parts&... parts) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  ((text << parts << ' '), ...);
  return text.str();
}

template <typename Function>
std::uintptr_t Address(Function* function) {
  return reinterpret_cast<std::uintptr_t>(function);
}

std::string ReadDispositions() {
  std::string text;
  for (int signal = 1; signal <= kSignals; ++signal) {
    struct sigaction action = {};
    if (::sigaction(signal, nullptr, &action) != 0) continue;
    text +=
        Text(signal, Address(action.sa_handler), static_cast<unsigned>(action.sa_flags) & kFlags);
  }
  return text;
}

std::string ReadMask() {
  sigset_t mask;
  pthread_sigmask(SIG_BLOCK, nullptr, &mask);
  std::string text;
  for (int signal = 1; signal <= kSignals; ++signal) {
    text += sigismember(&mask, signal) == 1 ? '1' : '0';
  }
  return text;
}

std::string ReadScheduler() {
  sched_param parameters = {};
  sched_getparam(0, &parameters);
  return Text(sched_getscheduler(0), parameters.sched_priority);
}

// umask() would change it for a moment.
std::string ReadUmask() {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("Umask:")) return line;
  }
  return "unknown";
}

std::string ReadDescriptors() {
  std::string text;
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    struct stat file = {};
    const int open = ::fstat(descriptor, &file);
    text += Text(open, file.st_dev, file.st_ino, ::fcntl(descriptor, F_GETFL),
                 ::fcntl(descriptor, F_GETFD));
  }
  return text;
}

std::string ReadEnvironment() {
  std::string text;
  for (char** variable = environ; *variable != nullptr; ++variable) text += Text(*variable);
  return text;
}

std::string ReadLimits() {
  std::string text;
  for (int limit = 0; limit < RLIM_NLIMITS; ++limit) {
    rlimit value = {};
    if (::getrlimit(static_cast<decltype(RLIMIT_CORE)>(limit), &value) != 0) continue;
    text += Text(value.rlim_cur, value.rlim_max);
  }
  return text;
}

}  // namespace

const std::vector<NamedState>& ProcessStates() {
  static const std::vector<NamedState> states = {
      {"C locale", [] { return std::string(std::setlocale(LC_ALL, nullptr)); }},
      {"C++ locale", [] { return std::locale().name(); }},
      {"rounding of numbers", [] { return Text(std::fegetround()); }},
      {"signal dispositions", ReadDispositions},
      {"signal mask", ReadMask},
      {"nice value", [] { return Text(::getpriority(PRIO_PROCESS, 0)); }},
      {"scheduler", ReadScheduler},
      {"umask", ReadUmask},
      {"descriptors 0 to 2", ReadDescriptors},
      {"environment", ReadEnvironment},
      {"current directory", [] { return std::filesystem::current_path().string(); }},
      {"resource limits", ReadLimits},
      {"terminate handler", [] { return Text(Address(std::get_terminate())); }},
      {"new handler", [] { return Text(Address(std::get_new_handler())); }},
  };
  return states;
}

std::vector<std::string> ReadProcessStates() {
  std::vector<std::string> texts;
  for (const NamedState& state : ProcessStates()) {
    texts.push_back(std::string(state.name) + ": " + state.read());
  }
  return texts;
}

std::vector<std::string> ReadThreadPriorities() {
  // The numbers of these fields of the file `stat` (proc(5)), counted from the field after the name, 3.
  constexpr std::size_t kFirstField = 3;
  std::vector<std::string> texts;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(task.path() / "stat");
    const std::string stat{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const std::size_t name = stat.find('(');
    const std::size_t end = stat.rfind(')');
    if (name == stat.npos || end == stat.npos) continue;  // the thread has ended
    std::istringstream fields(stat.substr(end + 1));
    const std::vector<std::string> values{std::istream_iterator<std::string>(fields), {}};
    std::string text = stat.substr(name + 1, end - name - 1) + ":";
    for (const std::size_t field : {18, 19, 40, 41}) {  // priority, nice, rt_priority, policy
      text += " " + values.at(field - kFirstField);
    }
    texts.push_back(text);
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

}  // namespace dolmen::test
