// Places, found by location at any level: country, state, city, district.
//
//   item   PK          SK     GSI1PK             GSI1SK
//   place  PLACE#<id>  PLACE  COUNTRY#<country>  <country>#<state>#<city>#<district>#<street>
//
//   access pattern                  method       request
//   a place                         GetPlace     GetItem
//   the places of a country         ListPlaces   Query GSI1 COUNTRY#BR, begins_with BR#
//   ... of a state                               Query GSI1 COUNTRY#BR, begins_with BR#SP#
//   ... of a city                                Query GSI1 COUNTRY#BR, begins_with BR#SP#SaoPaulo#
//   ... of a district                            Query GSI1 COUNTRY#BR, begins_with
//                                                  BR#SP#SaoPaulo#Pinheiros#
//
// A prefix ends with the separator after its last level. Without the separator, the prefix Guara
// would match the places in Guaracai, too. begins_with cannot skip a level, so a city needs its
// state.
//
// The location is part of an index key and not of the table's key. So one UpdateItem moves a place,
// and the place keeps its primary key.

#pragma once

#include <dolmen/entity/table.h>

#include <string>
#include <utility>
#include <vector>

namespace dolmen::places {

// A location. The street may contain a '#', because it is the last level. The other levels may not.
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

  friend bool operator==(const Place&, const Place&) = default;
};

constexpr auto DescribeEntity(const Place*) {
  return DefineEntity<Place>(
      "place",
      {Attribute<&Place::id>("placeId").InKeyOnly(), Attribute<&Place::name>("name"),
       Attribute<&Place::location, &Location::country>("country"),
       Attribute<&Place::location, &Location::state>("state"),
       Attribute<&Place::location, &Location::city>("city"),
       Attribute<&Place::location, &Location::district>("district"),
       Attribute<&Place::location, &Location::street>("street")},
      {PrimaryKey("PLACE#{placeId}", "PLACE"),
       IndexKey("GSI1", "COUNTRY#{country}", "{country}#{state}#{city}#{district}#{street:any}")});
}

// A country or a part of a country. A level can be set only if all higher levels are set. The lower
// levels can be "".
struct Region {
  std::string country = {};
  std::string state = {};
  std::string city = {};
  std::string district = {};
};

struct PlaceQuery {
  Region region = {};
  std::string cursor = {};  // EntityPage::next_cursor of the previous page
  std::uint32_t limit = 50;
};

// The table of places. Thread-safe. Errors besides the database's own:
// - kResourceNotFound: the place does not exist.
// - kResourceInUse: the place to add exists already.
// - kValidation: an id or a level is wrong, as each method says.
// A call that returns an error has written nothing.
class Places {
 public:
  // Opens the table `places`, and creates it if it does not exist.
  static Result<Places> Open(const Database& database, RequestObserver observer = {});

  // Adds a place. PutItem with attribute_not_exists(PK).
  // - kValidation: a level is empty or holds a '#'.
  Status Add(const Place& place) const { return table_.Create(place).status(); }

  // Moves a place. UpdateItem: SET all levels, which changes the key in GSI1.
  Status Move(const std::string& id, const Location& to) const;

  // Returns a place. GetItem.
  Result<Place> GetPlace(const std::string& id) const { return table_.Get(Place{.id = id}); }

  // Returns a page of the places of a region, in order of the levels. Query GSI1 with GSI1PK =
  // COUNTRY#<country>, begins_with(GSI1SK, the region), Limit.
  // - kValidation: the country is "", or a level is "" although a lower level is set.
  Result<EntityPage<Place>> ListPlaces(const PlaceQuery& query) const;

 private:
  explicit Places(EntityTable table) : table_(std::move(table)) {}

  EntityTable table_;
};

}  // namespace dolmen::places
