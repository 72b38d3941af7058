// The head of the report: machine, versions and sizes of the data. The scripts in bench/report/
// compute medians and ratios, check the targets and draw the charts.

#pragma once

#include "bench/contender.h"

namespace dolmen::bench {

// Adds the processor and versions to the head of the report. All output formats of
// google-benchmark show them.
void AddMachineHead();

// Adds the processor, versions and the sizes of the data to the head of the report.
void AddReportHead(const Stores& stores);

// Prints a warning to stderr if the build has assertions or sanitizers, or is not optimised.
void WarnUnlessRelease();

}  // namespace dolmen::bench
