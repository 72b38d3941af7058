// How a server is asked to end, once, twice, or by a terminal that is closed.

#include "server/end_signals.h"

#include <gmock/gmock.h>

#include <chrono>
#include <string>

#include "tests/support/child_process.h"

namespace dolmen::test {
namespace {

using server::EndSignals;

// Says when it is ready and when it stops.  Its argument is the patience, in milliseconds.
int Stop(const ChildArguments& arguments) {
  ::signal(SIGHUP, SIG_DFL);
  EndSignals signals;
  TellParent("ready");
  signals.Wait();
  signals.KillAfter(std::chrono::milliseconds(std::stoi(arguments.front())));
  TellParent("stopping");
  WaitForParent();
  return 0;
}
const ChildRole kStop("stop", Stop);

int IgnoreHangUp(const ChildArguments&) {
  ::signal(SIGHUP, SIG_IGN);
  const EndSignals signals;
  ::raise(SIGHUP);
  sigset_t pending = {};
  sigpending(&pending);
  return sigismember(&pending, SIGHUP);
}
const ChildRole kIgnoreHangUp("ignore_hang_up", IgnoreHangUp);

constexpr const char* kAnHour = "3600000";

TEST(EndSignalsTest, EachOfThemStops) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    ChildProcess child(kStop, {kAnHour});
    EXPECT_EQ(child.ReadLine(), "ready");
    child.Signal(signal);
    EXPECT_EQ(child.ReadLine(), "stopping");
    EXPECT_EQ(child.Finish(), 0);
  }
}

// As timeout, npm and a terminal's Ctrl-C under a supervisor do it.
TEST(EndSignalsTest, TwoAtOnceAreOne) {
  ChildProcess child(kStop, {kAnHour});
  EXPECT_EQ(child.ReadLine(), "ready");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) child.Signal(signal);
  EXPECT_EQ(child.ReadLine(), "stopping");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) child.Signal(signal);
  EXPECT_EQ(child.Finish(), 0);
}

TEST(EndSignalsTest, WhoAsksAgainDoesNotWantToWait) {
  ChildProcess child(kStop, {"0"});
  EXPECT_EQ(child.ReadLine(), "ready");
  child.Signal(SIGTERM);
  EXPECT_EQ(child.ReadLine(), "stopping");
  child.Signal(SIGTERM);
  EXPECT_EQ(child.Finish(), -1);
}

TEST(EndSignalsTest, AHangUpThatIsIgnoredStaysSo) {
  ChildProcess child(kIgnoreHangUp, {});
  EXPECT_EQ(child.Finish(), 0);
}

}  // namespace
}  // namespace dolmen::test
