// The head of the report: on what the figures were measured.  What is made of them, medians,
// ratios, targets and charts, is bench/report/.

#pragma once

#include "bench/contender.h"

namespace dolmen::bench {

// Adds processor and versions to the head of the report, in whatever format it has.
void AddMachineHead();

// The same, and the sizes of the data.
void AddReportHead(const Stores& stores);

// Warns on stderr if the figures are not those of an optimised build.
void WarnUnlessRelease();

}  // namespace dolmen::bench
