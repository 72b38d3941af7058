// The contenders of the points of the scale curves.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/contender.h"
#include "bench/scale/point.h"

namespace dolmen::bench {

// A point with its contenders.
struct MeasuredPoint {
  Point point;
  std::vector<std::unique_ptr<Contender>> contenders;  // "table_forward/dolmen/10000"
};

// Returns all points, in each series from the smallest to the largest.
std::vector<MeasuredPoint> AllPoints();

}  // namespace dolmen::bench
