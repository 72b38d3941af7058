#include "tests/support/denied_calls.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#include <cstddef>
#include <cstdint>

namespace dolmen::test {
namespace {

sock_filter Statement(int code, std::uint32_t value) {
  return {.code = static_cast<std::uint16_t>(code), .jt = 0, .jf = 0, .k = value};
}

// Skips `skipped` statements unless the loaded word is `value`.
sock_filter SkipUnless(std::uint32_t value, std::uint8_t skipped) {
  return {.code = BPF_JMP | BPF_JEQ | BPF_K, .jt = 0, .jf = skipped, .k = value};
}

constexpr int kLoad = BPF_LD | BPF_W | BPF_ABS;
constexpr std::uint32_t kNumber = offsetof(seccomp_data, nr);
constexpr std::uint32_t kSecond = offsetof(seccomp_data, args) + sizeof(std::uint64_t);
constexpr std::uint32_t kThird = kSecond + sizeof(std::uint64_t);

}  // namespace

bool DenyCalls(const std::vector<DeniedCall>& calls) {
  std::vector<sock_filter> filter;
  for (const DeniedCall& call : calls) {
    const auto error = static_cast<std::uint32_t>(call.error);
    filter.push_back(Statement(kLoad, kNumber));
    filter.push_back(SkipUnless(static_cast<std::uint32_t>(call.number), call.second < 0 ? 3 : 5));
    if (call.second >= 0) {
      filter.push_back(Statement(kLoad, kSecond));
      filter.push_back(SkipUnless(static_cast<std::uint32_t>(call.second), 3));
    }
    filter.push_back(Statement(kLoad, kThird));
    filter.push_back({.code = BPF_JMP | BPF_JGE | BPF_K, .jt = 0, .jf = 1, .k = call.third_min});
    filter.push_back(Statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error));
  }
  filter.push_back(Statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program = {.len = static_cast<unsigned short>(filter.size()),
                              .filter = filter.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

}  // namespace dolmen::test
