// The requests of places. A single place needs no function of its own:
//
//   table.Create(Place{.id = "p1", .name = "Bakery", .location = {...}, .point = {-23.56, -46.69}});
//   table.Get(Place{.id = "p1"});

#pragma once

#include <dolmen/entity/describe.h>

#include <algorithm>

#include "models/patterns/places/entities.h"

namespace dolmen::places {

// Opens the table, and creates it if it does not exist.
inline Result<EntityTable> Open(const Database& database, RequestObserver observer = {}) {
  return EntityTable::Open(
      database, {.name = "places", .indexes = {"GSI1", "GSI2"}, .observer = std::move(observer)});
}

// Moves a place. UpdateItem: SET the address, the point, and the keys of both indexes. The place keeps
// its primary key.
inline Result<Place> Move(const EntityTable& table, const Place& to) {
  return table.Update(Place{.id = to.id})
      .Set<&Place::location>(to.location)
      .Set<&Place::point>(to.point)
      .Commit();
}

// Returns the query of the places of a country or of a part of it, sorted by the levels. A level can be
// set only if all higher levels are set; the street is ignored. Query GSI1 with GSI1PK =
// COUNTRY#<country>, begins_with(GSI1SK, <country>#<state>#...). The prefix ends with the separator, so
// the city Guara does not match Guaracai.
inline EntityQuery<Place> PlacesIn(const EntityTable& table, const Location& region) {
  auto places = table.Query<Place>("GSI1");
  places.With<&Place::location, &Location::country>(region.country);
  if (!region.state.empty()) places.With<&Place::location, &Location::state>(region.state);
  if (!region.city.empty()) places.With<&Place::location, &Location::city>(region.city);
  if (!region.district.empty()) places.With<&Place::location, &Location::district>(region.district);
  return places;
}

// Returns the places within `metres` of the point, the nearest first. One Query of the nine cells
// around the point in GSI2; DynamoDB needs nine. A cell is a square, so the query also reads places
// that are too far away, and pays for them.
// - kValidation: `metres` is greater than the width of a cell: 4,880 m at the equator, and less
//   towards the poles.
inline Result<std::vector<Place>> FindNear(const EntityTable& table, Point point, double metres) {
  if (metres > Metres({point.latitude, 0}, {point.latitude, kCellDegrees}))
    return Status::Validation("the distance is greater than a cell");
  const auto distance = [&](const Place& place) { return Metres(point, place.point); };
  auto near = table.Query<Place>("GSI2").WithEach<&Place::cell>(CellsAround(point)).All();
  return std::move(near).transform([&](std::vector<Place> places) {
    std::erase_if(places, [&](const Place& place) { return distance(place) > metres; });
    std::ranges::sort(places, {}, distance);
    return places;
  });
}

// Returns the design of the table. README.md shows it, and a test compares them
// (tests/models/readme_test.cc).
inline TableDesign Design() {
  return Describe<Place>("places",
                         {AccessPattern("A place", "Get").With<&Place::id>(),
                          AccessPattern("The places of a country", "PlacesIn")
                              .With<&Place::location, &Location::country>(),
                          AccessPattern("The places of a city", "PlacesIn")
                              .With<&Place::location, &Location::country>()
                              .With<&Place::location, &Location::state>()
                              .With<&Place::location, &Location::city>(),
                          AccessPattern("The places of a cell", "FindNear").With<&Place::cell>()});
}

// Stores sample data: the document's address in Pinheiros, and places at other levels of the hierarchy.
// A second call stores the same items again, so it undoes changes of them.
inline Status LoadSampleData(const EntityTable& table) {
  EntityTransaction load = table.Transact();
  const auto put = [&](const std::string& id, const Location& location, const Point& point) {
    load.Put(Place{.id = id, .name = "Place " + id, .location = location, .point = point});
  };
  put("p1", {"BR", "SP", "SaoPaulo", "Pinheiros", "AvenidaFaria Lima"}, {-23.567, -46.692});
  put("p2", {"BR", "SP", "SaoPaulo", "Pinheiros", "Rua Augusta #5"}, {-23.557, -46.667});
  put("p3", {"BR", "SP", "SaoPaulo", "Moema", "Alameda Jauaperi"}, {-23.602, -46.667});
  put("p4", {"BR", "RJ", "Niteroi", "Icarai", "Rua Nove"}, {-22.903, -43.106});
  put("p5", {"PT", "11", "Lisboa", "Alfama", "Rua Dez"}, {38.712, -9.13});
  return load.Commit();
}

}  // namespace dolmen::places
