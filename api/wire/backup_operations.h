// The operation DescribeContinuousBackups. Tools that manage tables call it after every change.

#pragma once

namespace dolmen::wire {

struct Operation;

extern const Operation kDescribeContinuousBackups;

}  // namespace dolmen::wire
