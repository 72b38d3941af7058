// Child processes for tests that kill a process or compete with one. A child runs the test's own
// binary again, in one of the roles that the test defines. A fork without exec would be unsafe,
// because the test may have threads.
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

// A role in which a test binary can run. Define it at namespace scope, so that main() finds it.
class ChildRole {
 public:
  ChildRole(std::string name, ChildFunction function);

  const std::string& name() const { return name_; }

  // Runs the role that the command line names and returns its exit code. Returns nothing if the
  // command line names no role.
  static std::optional<int> RunIfChild(int argc, char** argv);

 private:
  std::string name_;
};

// Sends one line to the parent. Only a child calls TellParent. The line acknowledges everything
// that the child did before. Returns false if the parent has ended.
bool TellParent(std::string_view line);
// Waits until the parent calls ChildProcess::Finish() or ends. Only a child calls WaitForParent.
void WaitForParent();

// Runs the program words[0] in place of the child. The lines of its standard output are those of
// ReadLine(). Is a role itself. Returns only if the program cannot be run.
int BecomeProgram(const ChildArguments& words);

// A child process, as the parent sees it. The destructor kills the child if it still runs.
class ChildProcess {
 public:
  ChildProcess(const ChildRole& role, const ChildArguments& arguments);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Returns the next line from the child, or nothing if the child ended without another line.
  std::optional<std::string> ReadLine();

  // Kills the child with SIGKILL, so that the child cannot finish its work. ReadLine() still
  // returns the lines that the child sent before.
  void Kill();

  // Sends the child a signal that it handles.
  void Signal(int signal);

  // Makes the child's WaitForParent() return, waits until the child ends, and returns the child's
  // exit code. Returns -1 if a signal killed the child.
  int Finish();

 private:
  int WaitForEnd();

  pid_t pid_ = -1;  // -1: the child has ended
  int from_child_ = -1;
  int to_child_ = -1;
  std::string read_;  // bytes read from the child behind the last returned line
};

}  // namespace dolmen::test
