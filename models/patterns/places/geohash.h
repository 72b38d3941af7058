// Geohashes: texts that name cells of the globe. A longer text names a smaller cell within the cell of
// its beginning.

#pragma once

#include <cmath>
#include <numbers>
#include <set>
#include <string>
#include <vector>

namespace dolmen::places {

// A point on the globe, in degrees.
struct Point {
  double latitude = 0;   // -90 to 90
  double longitude = 0;  // -180 to 180

  friend bool operator==(const Point&, const Point&) = default;
};

inline constexpr std::size_t kGeohashLength = 9;  // cells of about 5 m
inline constexpr std::size_t kCellLength = 5;     // cells of about 4.9 km, 45/1024 of a degree
inline constexpr double kCellDegrees = 45.0 / 1024;

// Returns the geohash of a point. Each character adds five bits; they halve the range of the
// longitude and that of the latitude in turn.
inline std::string Geohash(const Point& point, std::size_t length) {
  // The point's position in the range of each axis, from 0 to 1.
  double position[] = {(point.longitude + 180) / 360, (point.latitude + 90) / 180};
  std::string hash;
  for (std::size_t bit = 0, digit = 0; hash.size() < length; ++bit) {
    double& along = position[bit % 2];
    const bool is_upper = along >= 0.5;
    along = 2 * along - (is_upper ? 1 : 0);
    digit = (2 * digit + (is_upper ? 1 : 0)) % 32;  // the last five bits
    if (bit % 5 == 4) hash += "0123456789bcdefghjkmnpqrstuvwxyz"[digit];
  }
  return hash;
}

// Returns the cell of a point and the eight cells around it. At a pole and at longitude 180 some cells
// occur once only.
inline std::vector<std::string> CellsAround(const Point& point) {
  std::set<std::string> cells;
  for (const double north : {-kCellDegrees, 0.0, kCellDegrees}) {
    for (const double east : {-kCellDegrees, 0.0, kCellDegrees}) {
      const double longitude = std::remainder(point.longitude + east, 360.0);
      cells.insert(Geohash({point.latitude + north, longitude}, kCellLength));
    }
  }
  return {cells.begin(), cells.end()};
}

// Returns the distance between two points in metres, on a sphere.
inline double Metres(const Point& a, const Point& b) {
  constexpr double kRadian = std::numbers::pi / 180;
  const double north = std::sin((b.latitude - a.latitude) * kRadian / 2);
  const double east = std::sin((b.longitude - a.longitude) * kRadian / 2);
  const double cosines = std::cos(a.latitude * kRadian) * std::cos(b.latitude * kRadian);
  return 2 * 6'371'000 * std::asin(std::sqrt(north * north + cosines * east * east));
}

}  // namespace dolmen::places
