// Tests of the signals that end a server: one signal, repeated signals, and SIGHUP from a closed
// terminal.

#include "server/shutdown_signals.h"

#include <gmock/gmock.h>

#include <chrono>
#include <string>

#include "tests/support/child_process.h"

namespace dolmen::test {
namespace {

using server::ShutdownSignals;

// Acts as a server that a signal stops. Reports "ready" and "stopping" to the parent. The argument
// is a time in milliseconds. A signal that arrives later than this time after the first one kills
// the process.
int Stop(const ChildArguments& arguments) {
  ::signal(SIGHUP, SIG_DFL);
  ShutdownSignals signals;
  TellParent("ready");
  signals.Wait();
  signals.EndOnRepeatAfter(std::chrono::milliseconds(std::stoi(arguments.front())));
  TellParent("stopping");
  WaitForParent();
  return 0;
}
const ChildRole kStop("stop", Stop);

int IgnoreHangUp(const ChildArguments&) {
  ::signal(SIGHUP, SIG_IGN);
  const ShutdownSignals signals;
  ::raise(SIGHUP);
  sigset_t pending = {};
  sigpending(&pending);
  return sigismember(&pending, SIGHUP);
}
const ChildRole kIgnoreHangUp("ignore_hang_up", IgnoreHangUp);

// Reports each SIGUSR1 to the parent until another signal ends the wait. The handler of the second
// SIGUSR1 waits for a signal that ends the wait.
int Count(const ChildArguments&) {
  ShutdownSignals signals;
  int count = 0;
  signals.OnUserSignal([&] {
    TellParent(std::to_string(++count));
    while (count == 2 && !signals.IsStopPending()) {
    }
  });
  TellParent("ready");
  signals.Wait();
  TellParent("stopping");
  return 0;
}
const ChildRole kCount("count", Count);

// Starts until the parent has sent a line.
int Start(const ChildArguments&) {
  ShutdownSignals signals;
  signals.WhileStarting([] {
    TellParent("starting");
    WaitForParent();
  });
  TellParent("ready");
  signals.Wait();
  return 0;
}
const ChildRole kStart("start", Start);

constexpr const char* kAnHour = "3600000";

TEST(EndSignalsTest, EachSignalEndsTheWait) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    ChildProcess child(kStop, {kAnHour});
    EXPECT_EQ(child.ReadLine(), "ready");
    child.Signal(signal);
    EXPECT_EQ(child.ReadLine(), "stopping");
    EXPECT_EQ(child.Finish(), 0);
  }
}

TEST(EndSignalsTest, ASignalDuringTheStartEndsTheProcess) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    ChildProcess child(kStart, {});
    EXPECT_EQ(child.ReadLine(), "starting");
    child.Signal(signal);
    EXPECT_EQ(child.ReadLine(), std::nullopt);
    EXPECT_EQ(child.Finish(), -1);
  }
}

// The programs timeout and npm, and Ctrl-C under a supervisor, send several signals at once. These
// signals must not kill the process before it has stopped in order.
TEST(EndSignalsTest, SignalsThatArriveTogetherCountAsOne) {
  ChildProcess child(kStop, {kAnHour});
  EXPECT_EQ(child.ReadLine(), "ready");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) child.Signal(signal);
  EXPECT_EQ(child.ReadLine(), "stopping");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) child.Signal(signal);
  EXPECT_EQ(child.Finish(), 0);
}

TEST(EndSignalsTest, ALaterSignalKillsTheProcess) {
  ChildProcess child(kStop, {"0"});
  EXPECT_EQ(child.ReadLine(), "ready");
  child.Signal(SIGTERM);
  EXPECT_EQ(child.ReadLine(), "stopping");
  child.Signal(SIGTERM);
  EXPECT_EQ(child.Finish(), -1);
}

TEST(EndSignalsTest, AUserSignalDoesNotEndTheWait) {
  ChildProcess child(kCount, {});
  EXPECT_EQ(child.ReadLine(), "ready");
  for (const char* count : {"1", "2"}) {
    child.Signal(SIGUSR1);
    EXPECT_EQ(child.ReadLine(), count);
  }
  child.Signal(SIGTERM);
  EXPECT_EQ(child.ReadLine(), "stopping");
  EXPECT_EQ(child.Finish(), 0);
}

TEST(EndSignalsTest, AnIgnoredSighupStaysIgnored) {
  ChildProcess child(kIgnoreHangUp, {});
  EXPECT_EQ(child.Finish(), 0);
}

}  // namespace
}  // namespace dolmen::test
