// Another process for tests that kill one or compete with one: this test's own binary, run again as
// one of its roles.  Forking alone would copy a process that may have threads.
//
//   int HoldOpen(const ChildArguments& arguments) { ... }  // a role; returns the exit code
//   const ChildRole kHoldOpen("hold_open", HoldOpen);
//   ...
//   ChildProcess child(kHoldOpen, {directory});

#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dolmen::test {

using ChildArguments = std::vector<std::string>;
using ChildFunction = int (*)(const ChildArguments&);

// What a test binary can be run as.  Define it at namespace scope, so that main() finds it.
class ChildRole {
 public:
  ChildRole(std::string name, ChildFunction function);

  const std::string& name() const { return name_; }

  // Runs the role that the command line names, if it names one, and returns its exit code.
  static std::optional<int> RunIfChild(int argc, char** argv);

 private:
  std::string name_;
};

// In the child: says one line to the parent.  Only then may the parent rely on what was done
// before. False once the parent is gone.
bool TellParent(std::string_view line);
// In the child: waits until the parent is done with it.
void WaitForParent();

// In the parent: killed, at the latest, when it is destroyed.
class ChildProcess {
 public:
  ChildProcess(const ChildRole& role, const ChildArguments& arguments);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // The next line that the child says; nothing if it ended without another one.
  std::optional<std::string> ReadLine();

  // SIGKILL: the child gets no chance to finish anything.  Lines that it said before can still be
  // read.
  void Kill();

  // Sends a signal about which the child knows what to do.
  void Signal(int signal);

  // Lets WaitForParent return, waits for the end and returns the exit code; -1 if it was killed.
  int Finish();

 private:
  int WaitForEnd();

  pid_t pid_ = -1;  // -1: has ended
  int from_child_ = -1;
  int to_child_ = -1;
  std::string read_;  // more than a line has been read
};

}  // namespace dolmen::test
