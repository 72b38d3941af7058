// The contenders for each point of the scale curves.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/contender.h"
#include "bench/scale/point.h"

namespace dolmen::bench {

// A size of the data and the databases that are measured with it.
struct MeasuredPoint {
  Point point;
  std::vector<std::unique_ptr<Contender>> contenders;  // "table_forward/dolmen/10000"
};

// Returns all points, series by series. In each series the points are sorted by size.
std::vector<MeasuredPoint> AllPoints();

}  // namespace dolmen::bench
