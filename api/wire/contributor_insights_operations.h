// The operations on contributor insights.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/contributorinsights.html

#pragma once

#include "wire/operation.h"

namespace dolmen::wire {

extern const Operation kUpdateContributorInsights;
extern const Operation kDescribeContributorInsights;
extern const Operation kListContributorInsights;

}  // namespace dolmen::wire
