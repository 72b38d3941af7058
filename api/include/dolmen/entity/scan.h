// Scans: all entities of some types in a table or an index.
//
//   table.Scan<Room>().All()
//   table.Scan<Hotel, Room>().Segment(2, 8).Limit(500).From(cursor).Page()
//
// A scan reads every item of the table, whatever its type, and consumes capacity for it. The items
// of one partition follow each other in the order of their sort keys; the order of the partitions
// has no meaning.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/entity/page.h"
#include "dolmen/entity/request_sender.h"

namespace dolmen {

namespace entity {

// Sets the start of a scan that resumes at `cursor`. `entity` is the first scanned entity.
// - kValidation: the entity declares no key in the index of the scan.
// - kValidation: the text is not a cursor of a scan of this table or index.
Status SetScanStart(const EntitySpec& entity, const std::string& cursor, ScanInput* input);

// Do the work of EntityScan::Page and EntityScan::All. The scan resumes at `cursor`.
Status ScanPage(const RequestSender& sender, const EntityMatcher& matcher, ScanInput input,
                const std::string& cursor, AnyPage* page);
Status ScanAll(const RequestSender& sender, const EntityMatcher& matcher, ScanInput input,
               const std::string& cursor, AnyPage* page);

}  // namespace entity

// A scan under construction; EntityTable::Scan creates it. The methods of the first group add to
// the scan and return it. Page and All send it, and can be called repeatedly.
//
// Errors of the methods that send:
// - kValidation: an entity declares no key in the index, or the cursor is from a different scan.
// - kValidation: Limit is 0, or the segment does not exist.
// - kCorruption: Strict is set, and an item belongs to none of the entities.
// - kCorruption (from All): an item cannot be read (EntityPage::damaged).
// - Any error of Table::Scan.
//
// A value type; copies are independent. Const methods are thread-safe. Results own their data.
template <typename... Ts>
class EntityScan {
 public:
  // The struct of the entity, or a std::variant of the structs of several entities.
  using Found = typename entity::StructOrVariant<Ts...>::type;

  EntityScan(entity::RequestSender sender, std::string index)
      : sender_(std::move(sender)), matcher_({&entity::kSpec<Ts>...}) {
    input_.index = std::move(index);
  }

  // Reads one of `total` segments, so that several readers can share a scan (ScanInput).
  EntityScan& Segment(std::uint32_t segment, std::uint32_t total) {
    input_.segment = segment;
    input_.total_segments = total;
    return *this;
  }

  // Limits the number of items that Page reads, and the number of entities that All returns; at
  // least 1. A page can be shorter, and even empty, although more pages follow.
  EntityScan& Limit(std::uint32_t limit) {
    input_.limit = limit;
    return *this;
  }

  // Starts after the page whose EntityPage::next_cursor is `cursor`. "" means the start.
  EntityScan& From(std::string cursor) {
    cursor_ = std::move(cursor);
    return *this;
  }

  // Returns only items that satisfy `filter` (AttrOf). A second filter replaces the first filter.
  EntityScan& Where(FilterExpression filter) {
    input_.filter = std::move(filter);
    return *this;
  }

  // Makes an item that belongs to none of the entities an error, instead of skipping it. Claims of
  // their unique values (EntityDefinition::Unique) are still skipped.
  EntityScan& Strict() {
    matcher_.set_strict();
    return *this;
  }

  // Reads one page with a single request. Returns the entities that can be read, and the errors of
  // the others.
  Result<EntityPage<Found>> Page() const {
    EntityPage<Found> page;
    entity::PageOf<Ts...> any(&page);
    Status status = entity::ScanPage(sender_, matcher_, input_, cursor_, &any);
    if (!status.ok()) return status;
    return page;
  }

  // Returns the pages as a range for a for loop (EntityPages). Sends nothing yet.
  EntityPages<EntityScan> Pages() const { return EntityPages<EntityScan>(*this); }

  // Calls `f` with each entity, page after page, as EntityQuery::ForEach does.
  template <typename F>
  Status ForEach(F f) const {
    return entity::ForEachFound(Pages(), f);
  }

  // Reads all entities, or the first `Limit` entities that pass the filter, page by page. The whole
  // result is held in memory.
  Result<std::vector<Found>> All() const {
    EntityPage<Found> page;
    entity::PageOf<Ts...> any(&page);
    Status status = entity::ScanAll(sender_, matcher_, input_, cursor_, &any);
    if (!status.ok()) return status;
    return std::move(page.items);
  }

 private:
  entity::RequestSender sender_;
  entity::EntityMatcher matcher_;
  ScanInput input_;
  std::string cursor_;
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
