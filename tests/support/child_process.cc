#include "tests/support/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>

namespace dolmen::test {
namespace {

constexpr std::string_view kRoleFlag = "--child-role=";
// The descriptors of the child's ends of the pipes. The descriptors 0 to 2 stay the test's standard
// input, output and error.
constexpr int kToParent = 3;
constexpr int kFromParent = 4;

std::map<std::string, ChildFunction, std::less<>>& Roles() {
  static std::map<std::string, ChildFunction, std::less<>> roles;
  return roles;
}

[[noreturn]] void Die(const char* doing) {
  std::perror(doing);
  std::abort();  // the test cannot continue without its child
}

// Runs between fork and exec. Calls only functions that are async-signal-safe, because a test's
// process may have threads.
[[noreturn]] void BecomeChild(int to_parent, int from_parent, char* const* argv) {
  // Moves both descriptors to 10 or above first, so that dup2 does not overwrite one with the
  // other.
  const int to = ::fcntl(to_parent, F_DUPFD, 10);
  const int from = ::fcntl(from_parent, F_DUPFD, 10);
  ::dup2(to, kToParent);
  ::dup2(from, kFromParent);
  ::close(to);
  ::close(from);
  ::execv("/proc/self/exe", argv);
  ::_exit(127);
}

}  // namespace

ChildRole::ChildRole(std::string name, ChildFunction function) : name_(std::move(name)) {
  Roles().emplace(name_, function);
}

std::optional<int> ChildRole::RunIfChild(int argc, char** argv) {
  if (argc < 2 || !std::string_view(argv[1]).starts_with(kRoleFlag)) return std::nullopt;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // the kernel kills this child if the test ends
  ::signal(SIGPIPE, SIG_IGN);
  const auto role = Roles().find(std::string_view(argv[1]).substr(kRoleFlag.size()));
  if (role == Roles().end()) return 126;
  return role->second(ChildArguments(argv + 2, argv + argc));
}

bool TellParent(std::string_view line) {
  const std::string text = std::string(line) + "\n";
  // The line is shorter than PIPE_BUF, so it is written to the pipe as a whole or not at all.
  return ::write(kToParent, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

void WaitForParent() {
  char ignored = 0;
  while (::read(kFromParent, &ignored, 1) > 0) {
  }
}

int BecomeProgram(const ChildArguments& words) {
  std::vector<std::string> copies = words;
  std::vector<char*> argv;
  for (std::string& word : copies) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::dup2(kToParent, STDOUT_FILENO);
  ::execvp(argv[0], argv.data());
  return 127;
}

ChildProcess::ChildProcess(const ChildRole& role, const ChildArguments& arguments) {
  std::array<int, 2> up{};
  std::array<int, 2> down{};
  if (::pipe2(up.data(), O_CLOEXEC) != 0 || ::pipe2(down.data(), O_CLOEXEC) != 0) Die("pipe2");
  std::vector<std::string> words{"child", std::string(kRoleFlag) + role.name()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ < 0) Die("fork");
  if (pid_ == 0) BecomeChild(up[1], down[0], argv.data());
  ::close(up[1]);
  ::close(down[0]);
  from_child_ = up[0];
  to_child_ = down[1];
}

ChildProcess::~ChildProcess() {
  Kill();
  ::close(from_child_);
  if (to_child_ >= 0) ::close(to_child_);
}

std::optional<std::string> ChildProcess::ReadLine() {
  for (;;) {
    if (const std::size_t end = read_.find('\n'); end != read_.npos) {
      std::string line = read_.substr(0, end);
      read_.erase(0, end + 1);
      return line;
    }
    std::array<char, 4096> buffer{};
    const ssize_t count = ::read(from_child_, buffer.data(), buffer.size());
    if (count <= 0) return std::nullopt;
    read_.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

void ChildProcess::Kill() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  WaitForEnd();
}

void ChildProcess::Signal(int signal) {
  if (pid_ >= 0) ::kill(pid_, signal);
}

int ChildProcess::Finish() {
  if (to_child_ >= 0) ::close(to_child_);
  to_child_ = -1;
  return pid_ < 0 ? -1 : WaitForEnd();
}

int ChildProcess::WaitForEnd() {
  int status = 0;
  if (::waitpid(pid_, &status, 0) != pid_) Die("waitpid");
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace dolmen::test
