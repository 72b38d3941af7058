// The errors of a question that a system cannot answer.

#pragma once

#include <cerrno>

namespace dolmen::engine {

// Returns true if `error`, an errno, says that the system does not have or does not permit the call, and
// not that the call has failed. A call that only helps the real work is then skipped: "unknown" does
// not mean "no".
inline bool CannotAnswer(int error) {
  return error == EINVAL || error == ENOTSUP || error == EOPNOTSUPP || error == ENOSYS ||
         error == ENOTTY || error == EPERM || error == EACCES;
}

}  // namespace dolmen::engine
