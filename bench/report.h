// The head of the report: machine, versions and sizes.  The scripts in bench/report/ compute
// medians and ratios, check the targets and draw the charts.

#pragma once

#include "bench/contender.h"

namespace dolmen::bench {

// Adds processor and versions to the head of the report, in each of google-benchmark's formats.
void AddMachineHead();

// Adds processor, versions, and the sizes of the data to the head of the report.
void AddReportHead(const Stores& stores);

// Prints a warning to stderr if the build has assertions or sanitizers or is not optimised.
void WarnUnlessRelease();

}  // namespace dolmen::bench
