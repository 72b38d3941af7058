// Places, found by the levels of their address and by their distance from a point.
//
// GSI1 serves the address: a query stops at any level. GSI2 serves the distance: its partition is a
// cell of the globe, and a query reads the nine cells around a point.

#pragma once

#include <dolmen/entity.h>

#include <string>

#include "models/patterns/places/geohash.h"

namespace dolmen::places {

// An address. The street may contain a '#', because it is the last level. The other levels may not.
struct Location {
  std::string country = {};
  std::string state = {};
  std::string city = {};
  std::string district = {};
  std::string street = {};

  friend bool operator==(const Location&, const Location&) = default;
};

struct Place {
  std::string id = {};
  std::string name = {};
  Location location = {};
  Point point = {};
  std::string cell = {};     // CellOf() this place
  std::string geohash = {};  // GeohashOf() this place

  friend bool operator==(const Place&, const Place&) = default;
};

// Returns the geohash of the place, and the cell of about 4.9 by 4.9 km that contains the place.
inline std::string GeohashOf(const Place& place) { return Geohash(place.point, kGeohashLength); }
inline std::string CellOf(const Place& place) { return Geohash(place.point, kCellLength); }

constexpr auto DescribeEntity(const Place*) {
  return DefineEntity<Place>(
      "place",
      {Attribute<&Place::id>("placeId").InKeyOnly(), Attribute<&Place::name>("name"),
       Attribute<&Place::location, &Location::country>("country"),
       Attribute<&Place::location, &Location::state>("state"),
       Attribute<&Place::location, &Location::city>("city"),
       Attribute<&Place::location, &Location::district>("district"),
       Attribute<&Place::location, &Location::street>("street"),
       Attribute<&Place::point, &Point::latitude>("latitude"),
       Attribute<&Place::point, &Point::longitude>("longitude"),
       Attribute<&Place::cell>("cell").Derived<CellOf>(),
       Attribute<&Place::geohash>("geohash").Derived<GeohashOf>()},
      {PrimaryKey("PLACE#{placeId}", "PLACE"),
       IndexKey("GSI1", "COUNTRY#{country}", "{country}#{state}#{city}#{district}#{street:any}"),
       IndexKey("GSI2", "CELL#{cell}", "{geohash}")});
}

static_assert(CheckTable<Place>());

}  // namespace dolmen::places
