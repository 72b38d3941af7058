// Who is timed at a point.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/contender.h"
#include "bench/scale/point.h"

namespace dolmen::bench {

struct MeasuredPoint {
  Point point;
  std::vector<std::unique_ptr<Contender>> contenders;  // "table_forward/dolmen/10000"
};

// All points, along each curve from the smallest.
std::vector<MeasuredPoint> AllPoints();

}  // namespace dolmen::bench
