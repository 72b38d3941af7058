// Places, found by where they are at any level: country, state, city, district.
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
// The separator behind the last level that is asked for belongs to the prefix: without it Guara
// would also find what is in Guaracai.  A prefix begins at the beginning: a city is looked for in a
// state, as begins_with skips no level.
//
// The location is an index's key, not the table's: a place that moves is the same item with other
// attributes, one UpdateItem.

#pragma once

#include <dolmen/entity/table.h>

#include <string>
#include <utility>
#include <vector>

namespace dolmen::places {

// Each level but the last one without a '#'.
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

// A country, or a part of it: the levels from the first one, "" from there on.
struct Region {
  std::string country = {};
  std::string state = {};
  std::string city = {};
  std::string district = {};
};

struct PlaceQuery {
  Region region = {};
  std::string cursor = {};  // EntityPage::next_cursor of the page before
  std::uint32_t limit = 50;
};

// Callable from any number of threads.  Errors besides the database's own: kResourceNotFound,
// kResourceInUse and kValidation; then nothing has been written.
class Places {
 public:
  // Opens the table `places`, making it if there is none.
  static Result<Places> Open(const Database& database, RequestObserver observer = {});

  // PutItem with attribute_not_exists(PK).  kValidation: a level is empty or holds a '#'.
  Status Add(const Place& place) const { return table_.Create(place).status(); }

  // UpdateItem: SET all levels, and with them the key in GSI1.
  Status Move(const std::string& id, const Location& to) const;

  // GetItem.
  Result<Place> GetPlace(const std::string& id) const { return table_.Get(Place{.id = id}); }

  // Query GSI1 with GSI1PK = COUNTRY#<country>, begins_with(GSI1SK, the region), Limit.  In order
  // of the levels.  kValidation: the country is missing, or a level above another one.
  Result<EntityPage<Place>> ListPlaces(const PlaceQuery& query) const;

 private:
  explicit Places(EntityTable table) : table_(std::move(table)) {}

  EntityTable table_;
};

}  // namespace dolmen::places
