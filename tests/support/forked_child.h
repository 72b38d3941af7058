// A child of fork(2) that runs a function of the test. Only tests of fork(2) itself use it. Other tests start their own
// binary again (child_process.h).

#pragma once

#include <functional>
#include <string>

namespace dolmen::test {

// Forks. Runs `work` in the child, which then ends by _exit(2). Returns the text that `work` has returned, and how the
// child ended if it did not end by itself within a minute.
std::string RunInForkedChild(const std::function<std::string()>& work);

}  // namespace dolmen::test
