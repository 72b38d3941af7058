#include "tests/support/system_call_filter.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace dolmen::test {

bool FilterSystemCalls(const std::vector<FilteredCall>& calls) {
  constexpr std::uint32_t kNumber = offsetof(seccomp_data, nr);
  std::vector<sock_filter> filter;
  for (const FilteredCall& call : calls) {
    const auto error = static_cast<std::uint32_t>(call.error == kDoesNothing ? 0 : call.error);
    const std::uint32_t refusal =
        call.error == 0 ? SECCOMP_RET_KILL_PROCESS : SECCOMP_RET_ERRNO | error;
    filter.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kNumber));
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call.number), 0,
                              static_cast<std::uint8_t>(call.value ? 3 : 1)));
    if (call.value) {
      const auto argument = static_cast<std::uint32_t>(offsetof(seccomp_data, args) +
                                                       static_cast<std::size_t>(call.argument) *
                                                           sizeof(std::uint64_t));
      filter.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument));
      const bool is_other = call.compared == Compared::kOther;
      const auto comparison = static_cast<std::uint16_t>(
          BPF_JMP | BPF_K | (call.compared == Compared::kAtLeast ? BPF_JGE : BPF_JEQ));
      filter.push_back(BPF_JUMP(comparison, *call.value, static_cast<std::uint8_t>(is_other),
                                static_cast<std::uint8_t>(!is_other)));
    }
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, refusal));
  }
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program = {static_cast<unsigned short>(filter.size()), filter.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

std::vector<FilteredCall> Syncs() {
  return {{.number = SYS_fsync, .error = kDoesNothing},
          {.number = SYS_fdatasync, .error = kDoesNothing}};
}

bool FailLargeWrites() {
  return FilterSystemCalls({{.number = SYS_write,
                             .error = EFBIG,
                             .argument = 2,
                             .value = 150'000,
                             .compared = Compared::kAtLeast}});
}

}  // namespace dolmen::test
