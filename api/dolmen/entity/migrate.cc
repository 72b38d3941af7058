#include "dolmen/entity/migrate.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "dolmen/entity/cursor.h"
#include "dolmen/entity/entity_matcher.h"
#include "dolmen/entity/item.h"
#include "dolmen/entity/scan.h"
#include "dolmen/entity/upgrade.h"
#include "dolmen/internal/item_rewriter.h"
#include "dolmen/internal/status_macros.h"
#include "engine/value/codec.h"

namespace dolmen::entity {
namespace {

constexpr std::uint32_t kPageItems = 100;
constexpr std::size_t kFailuresMax = 100;
constexpr double kShareMin = 0.01;

using ChangeStruct = std::function<void(void*)>;

Item KeyOf(const EntitySpec& entity, const Item& item) {
  Item key;
  for (const std::string_view name :
       {entity.primary().partition_name, entity.primary().sort_name}) {
    if (const auto found = item.find(name); found != item.end()) key.insert(*found);
  }
  return key;
}

// Returns the stored item with the attributes of `written` in place of those that the entity
// declares. Keeps all other attributes.
Item Merge(const EntitySpec& entity, Item stored, Item written) {
  for (const AttributeSpec& attribute : entity.attributes) stored.erase(attribute.name);
  for (const KeySpec& index : entity.keys.subspan(1)) {
    stored.erase(index.PartitionName());
    if (index.has_sort) stored.erase(index.SortName());
  }
  for (auto& [name, value] : written) stored.insert_or_assign(name, std::move(value));
  return stored;
}

// Writes the stored form of the item as the migration changes it to `*bytes`. Returns false if the
// item stays the same.
// - kCorruption: the item cannot be read.
// - kValidation: the changed entity cannot be stored, or has a different key.
Result<bool> Rewrite(const EntitySpec& entity, const ChangeStruct& change, ItemView stored,
                     std::string* bytes) {
  std::string upgraded;
  DOLMEN_ASSIGN_OR_RETURN(const bool is_upgraded, UpgradeItem(entity, stored, &upgraded));
  DOLMEN_ASSIGN_OR_RETURN(const ItemView current,
                          is_upgraded ? ItemView::Parse(upgraded) : Result<ItemView>(stored));
  const std::shared_ptr<void> value = entity.create();
  DOLMEN_RETURN_IF_ERROR(DecodeItem(entity, current, value.get()));
  if (change) change(value.get());
  DOLMEN_ASSIGN_OR_RETURN(const Item original, current.Copy());
  const auto merged = [&]() -> Result<Item> {
    DOLMEN_ASSIGN_OR_RETURN(Item written, ToItem(entity, value.get()));
    if (KeyOf(entity, written) == KeyOf(entity, original)) {
      return Merge(entity, original, std::move(written));
    }
    return Status::Validation(DescribeKeyParts(entity, original) +
                              ": the migration would change its primary key");
  };
  DOLMEN_ASSIGN_OR_RETURN(Item rewritten, merged());
  if (rewritten == original && !is_upgraded) return false;
  const AttributeSpec* version = entity.version();
  if (change && version != nullptr) {
    // A program that has read the item before must not put its copy over the changed item.
    rewritten.insert_or_assign(std::string(version->name),
                               current[version->name].AsInt64().value_or(0) + 1);
  }
  bytes->clear();
  DOLMEN_RETURN_IF_ERROR(engine::EncodeItem(rewritten, bytes));
  return true;
}

// Rewrites the item inside an update without changes of its own.
class MigrateRewriter : public internal::ItemRewriter {
 public:
  MigrateRewriter(const EntitySpec& entity, ChangeStruct change)
      : entity_(entity), change_(std::move(change)) {}

  Result<bool> Upgrade(const ItemView& old, std::string* /*item*/) override {
    // Another entity may have taken the key since the page was read.
    if (MatchType(entity_, old) == TypeMatch::kOther) return Status::ConditionalCheckFailed();
    return false;
  }
  Result<bool> Finish(const ItemView* old, std::string* item) override {
    if (old == nullptr) return Status::ConditionalCheckFailed();
    return Rewrite(entity_, change_, *old, item);
  }

 private:
  const EntitySpec& entity_;
  ChangeStruct change_;
};

class Migration {
 public:
  Migration(const RequestSender& sender, const EntitySpec& entity, const ChangeStruct& change)
      : sender_(sender), entity_(entity), change_(change), matcher_({&entity}) {}

  Status VisitPage(const ScanOutput& page) {
    for (const ItemView item : page) {
      DOLMEN_ASSIGN_OR_RETURN(const auto found, matcher_.Find(item));
      if (found) DOLMEN_RETURN_IF_ERROR(VisitItem(item));
    }
    progress_.cursor = EncodeCursor(page.last_evaluated_key());
    return {};
  }
  const MigrationProgress& progress() const { return progress_; }

 private:
  Status VisitItem(ItemView item) {
    ++progress_.items_read;
    std::string bytes;
    const Result<bool> changes = Rewrite(entity_, change_, item, &bytes);
    if (!changes.ok()) return AddFailure(changes.status());
    if (!*changes) return {};
    DOLMEN_ASSIGN_OR_RETURN(const Item whole, item.Copy());
    const Status written =
        sender_.table()
            .UpdateItem({.key = KeyOf(entity_, whole),
                         .rewriter = internal::Shared<MigrateRewriter>::Make(entity_, change_)})
            .status();
    if (written.ok()) ++progress_.items_written;
    // The item was removed after the page was read.
    if (written.code() == StatusCode::kConditionalCheckFailed) return {};
    return written.ok() ? written : AddFailure(written);
  }

  // Counts an error that belongs to one item. Returns any other error.
  Status AddFailure(const Status& error) {
    if (error.code() != StatusCode::kCorruption && error.code() != StatusCode::kValidation) {
      return error;
    }
    ++progress_.items_failed;
    if (progress_.failures.size() < kFailuresMax) progress_.failures.push_back(error);
    return {};
  }

  const RequestSender& sender_;
  const EntitySpec& entity_;
  const ChangeStruct& change_;
  EntityMatcher matcher_;
  MigrationProgress progress_;
};

}  // namespace

Result<MigrationProgress> MigrateItems(const RequestSender& sender, const EntitySpec& entity,
                                       const std::function<void(void*)>& change,
                                       const MigrateOptions& options) {
  using Clock = std::chrono::steady_clock;
  ScanInput input = {.limit = kPageItems};
  DOLMEN_RETURN_IF_ERROR(SetScanStart(entity, options.from, &input));
  Migration migration(sender, entity, change);
  const double rest = 1 / std::clamp(options.share, kShareMin, 1.0) - 1;
  Clock::time_point start = Clock::now();
  const auto visit = [&](const ScanOutput& page) -> Result<bool> {
    DOLMEN_RETURN_IF_ERROR(migration.VisitPage(page));
    if (options.on_progress) DOLMEN_RETURN_IF_ERROR(options.on_progress(migration.progress()));
    const bool is_last = page.last_evaluated_key().empty();
    if (rest > 0 && !is_last) std::this_thread::sleep_for((Clock::now() - start) * rest);
    start = Clock::now();
    return true;
  };
  DOLMEN_RETURN_IF_ERROR(sender.ScanPages(std::move(input), visit));
  return migration.progress();
}

}  // namespace dolmen::entity
