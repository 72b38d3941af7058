#include "entity/walk.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "dolmen/entity/entity_matcher.h"
#include "dolmen/entity/scan.h"
#include "engine/base/status_macros.h"
#include "entity/cursor.h"

namespace dolmen::entity {
namespace {

constexpr std::uint32_t kPageItems = 100;
constexpr std::size_t kFailuresMax = 100;
constexpr double kShareMin = 0.01;

class Walk {
 public:
  Walk(const std::vector<const EntitySpec*>& entities, const ItemVisitor& visitor)
      : visitor_(visitor), matcher_(entities) {}

  Status VisitPage(const ScanOutput& page) {
    for (const ItemView item : page) {
      DOLMEN_ASSIGN_OR_RETURN(const auto found, matcher_.Find(item));
      if (found) DOLMEN_RETURN_IF_ERROR(VisitItem(item, *found));
    }
    progress_.cursor = EncodeCursor(page.last_evaluated_key());
    return {};
  }
  const MigrationProgress& progress() const { return progress_; }

 private:
  Status VisitItem(ItemView item, std::size_t entity) {
    ++progress_.items_read;
    const Result<bool> written = visitor_(item, entity);
    if (!written.ok()) return AddFailure(written.status());
    if (*written) ++progress_.items_written;
    return {};
  }

  // Counts an error that belongs to one item. Returns any other error.
  Status AddFailure(const Status& error) {
    if (error.code() != StatusCode::kCorruption && error.code() != StatusCode::kValidation &&
        error.code() != StatusCode::kResourceInUse) {
      return error;
    }
    ++progress_.items_failed;
    if (progress_.failures.size() < kFailuresMax) progress_.failures.push_back(error);
    return {};
  }

  const ItemVisitor& visitor_;
  EntityMatcher matcher_;
  MigrationProgress progress_;
};

}  // namespace

Result<MigrationProgress> WalkItems(const RequestSender& sender,
                                    const std::vector<const EntitySpec*>& entities,
                                    const ItemVisitor& visitor, const MigrateOptions& options) {
  using Clock = std::chrono::steady_clock;
  ScanInput input = {.limit = kPageItems};
  DOLMEN_RETURN_IF_ERROR(SetScanStart(*entities.front(), options.from, &input));
  Walk walk(entities, visitor);
  const double rest = 1 / std::clamp(options.share, kShareMin, 1.0) - 1;
  Clock::time_point start = Clock::now();
  const auto visit = [&](const ScanOutput& page) -> Result<bool> {
    DOLMEN_RETURN_IF_ERROR(walk.VisitPage(page));
    if (options.on_progress) DOLMEN_RETURN_IF_ERROR(options.on_progress(walk.progress()));
    const bool is_last = page.last_evaluated_key().empty();
    if (rest > 0 && !is_last) std::this_thread::sleep_for((Clock::now() - start) * rest);
    start = Clock::now();
    return true;
  };
  DOLMEN_RETURN_IF_ERROR(sender.ScanPages(std::move(input), visit));
  return walk.progress();
}

}  // namespace dolmen::entity
