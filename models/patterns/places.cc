#include "models/patterns/places.h"

namespace dolmen::places {
namespace {

constexpr const char* kIndex = "GSI1";

}  // namespace

Result<Places> Places::Open(const Database& database, RequestObserver observer) {
  Result<EntityTable> table = EntityTable::Open(
      database, {.name = "places", .indexes = {kIndex}, .observer = std::move(observer)});
  if (!table.ok()) return table.status();
  return Places(*std::move(table));
}

Status Places::Move(const std::string& id, const Location& to) const {
  return table_.Update(Place{.id = id}).Set<&Place::location>(to).Commit().status();
}

Result<EntityPage<Place>> Places::ListPlaces(const PlaceQuery& query) const {
  const Region& region = query.region;
  auto places =
      table_.Query<Place>(kIndex).With<&Place::location, &Location::country>(region.country);
  if (!region.state.empty()) places.With<&Place::location, &Location::state>(region.state);
  if (!region.city.empty()) places.With<&Place::location, &Location::city>(region.city);
  if (!region.district.empty()) {
    places.With<&Place::location, &Location::district>(region.district);
  }
  return places.From(query.cursor).Limit(query.limit).Page();
}

}  // namespace dolmen::places
