// The operations on contributor insights. Dolmen stores the settings of tables and indexes, and
// counts no accesses.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/contributorinsights.html

#pragma once

#include "wire/operation.h"

namespace dolmen::wire {

extern const Operation kUpdateContributorInsights;
extern const Operation kDescribeContributorInsights;
extern const Operation kListContributorInsights;

}  // namespace dolmen::wire
