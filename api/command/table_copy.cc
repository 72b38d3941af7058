#include "command/table_copy.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "command/change_follower.h"
#include "command/checkpoint_store.h"
#include "command/copy_estimate.h"
#include "command/describe.h"
#include "command/import_table.h"
#include "command/interrupt.h"
#include "command/item_printer.h"
#include "command/on_threads.h"
#include "command/progress.h"
#include "command/table_copier.h"
#include "command/table_digest.h"
#include "command/table_json.h"
#include "command/text.h"
#include "command/unreadable_items.h"
#include "engine/base/status_macros.h"

namespace dolmen::command {
namespace {

constexpr std::chrono::milliseconds kBetweenChanges{200};
// A killed process has its subscription for 30 seconds.
constexpr std::chrono::seconds kLeaseWait{35};
// Alternator shows the records of its streams after 10 seconds.
constexpr std::chrono::seconds kQuietTime{15};
constexpr std::uint64_t kSampleFromBytes = std::uint64_t{32} << 20U;

std::string RoundedUnits(double units) {
  return CountText(static_cast<std::uint64_t>(std::ceil(units)), "unit");
}

// Returns the definition of the target table, with the JSON of the table that is described.
Result<NewTable> DefinitionOf(const Database& database, const std::string& table,
                              const TableCopyOptions& options) {
  NewTable target{.input = {.name = options.to_table},
                  .schema_file = options.from.name(),
                  .with_time_to_live = false};
  DOLMEN_ASSIGN_OR_RETURN(target.schema, TableJson(database, table));
  return target;
}

// Opens the target table. Creates it if it does not exist.
// - kValidation: the table exists with other keys.
Result<OpenedTable> OpenOrCreateTarget(const OpenedTable& from, const Database& database,
                                       const TableCopyOptions& options) {
  Result<OpenedTable> opened = TableOf(database, options.to_table, ContentSizes::kOmit);
  if (opened.status().code() == StatusCode::kResourceNotFound) {
    DOLMEN_ASSIGN_OR_RETURN(const NewTable& target,
                            DefinitionOf(from.database, options.table, options));
    DOLMEN_RETURN_IF_ERROR(CreateNewTable(database, target));
    return TableOf(database, options.to_table, ContentSizes::kOmit);
  }
  if (!opened.ok()) return opened;
  const std::string keys = KeysText(*KeysOf(opened->description, ""));
  const std::string wanted = KeysText(*KeysOf(from.description, ""));
  if (keys == wanted) return opened;
  return Status::Validation("the table " + Printable(options.to_table) + " in " +
                            options.to.name() + " already exists with the keys " + keys + ", not " +
                            wanted + ": choose another name with --to-table");
}

// Enables the time to live of the source in the target, unless the target has one.
Status CopyTimeToLive(const OpenedTable& from, const OpenedTable& to) {
  DOLMEN_ASSIGN_OR_RETURN(const TimeToLiveDescription& source,
                          TimeToLiveOf(from.database, from.description.name));
  DOLMEN_ASSIGN_OR_RETURN(const TimeToLiveDescription& target,
                          TimeToLiveOf(to.database, to.description.name));
  if (source.attribute_name.empty() || !target.attribute_name.empty()) return {};
  return to.database
      .UpdateTimeToLive({.table_name = to.description.name,
                         .specification = {.attribute_name = source.attribute_name,
                                           .hide_expired = source.hide_expired}})
      .status();
}

// One run of the command.
class CopyRun {
 public:
  CopyRun(const TableCopyOptions& options, OpenedTable from, OpenedTable to,
          const UnreadableItems& unreadable)
      : options_(options), from_(std::move(from)), to_(std::move(to)), unreadable_(unreadable) {
    // A copy that follows needs items that were read after the first change that it gets.
    name_ = (options.follow ? "follow\n" : "copy\n") + options.from.name() + "\n" +
            from_.description.name + "\n" + ToIso8601(from_.description.created_at);
  }

  CommandResult Run() {
    Result<std::unique_ptr<CheckpointStore>> checkpoints =
        CheckpointsOf(to_.database, options_.to, to_.description);
    if (!checkpoints.ok()) return FailureOf(checkpoints.status());
    if (const Status begun = BeginToFollow(checkpoints->get()); !begun.ok()) return EndOf(begun);
    CommandResult result = CopyItems(checkpoints->get());
    if (result.exit_code == 0 && options_.follow) result = Follow();
    if (result.exit_code == 0 && options_.verify) result = Verify();
    if (result.exit_code != 0) return result;
    if (const Status copied = CopyTimeToLive(from_, to_); !copied.ok()) return FailureOf(copied);
    if (options_.follow) return {};  // another run continues to follow
    const Status removed = (*checkpoints)->Remove(name_);
    return removed.ok() ? CommandResult() : FailureOf(removed);
  }

 private:
  Status BeginToFollow(CheckpointStore* checkpoints) {
    if (!options_.follow) return {};
    DOLMEN_ASSIGN_OR_RETURN(ChangeFollower follower,
                            ChangeFollower::Start({.from = from_,
                                                   .to = to_,
                                                   .checkpoints = checkpoints,
                                                   .name = name_,
                                                   .restart = options_.restart,
                                                   .parallel = options_.parallel},
                                                  Hooks()));
    follower_.emplace(std::move(follower));
    // A checkpoint of the items is valid only with the subscription that began before them.
    name_ += "\n" + follower_->id();
    return {};
  }

  // Returns the end of a run that has failed or was interrupted before it follows.
  CommandResult EndOf(const Status& status) const {
    if (!interrupt_.interrupted()) return FailureOf(status);
    return {kInterruptedExitCode, "interrupted: " + std::string(Resume())};
  }

  const char* Resume() const {
    return options_.restart ? "run the same command again without --restart to resume"
                            : "run the same command again to resume";
  }

  void Print(const std::string& line) {
    if (following_) return following_->Print(line);
    std::fprintf(stderr, "%s\n", line.c_str());
  }

  FollowHooks Hooks() {
    return {.interrupted = [this] { return interrupt_.interrupted(); },
            .ends_now = [this] { return interrupt_.interrupted_again(); },
            .pause = [] { std::this_thread::sleep_for(kBetweenChanges); },
            .on_state =
                [this](std::uint64_t changes, const Status& error) {
                  if (following_) following_->Update({.items = changes});
                  if (!error.ok() && shown_ != error.message()) Print(Printable(error.message()));
                  shown_ = error.message();
                },
            .pauses_max = static_cast<int>(kLeaseWait / kBetweenChanges),
            .quiet_pauses = static_cast<int>(kQuietTime / kBetweenChanges)};
  }

  CommandResult CopyItems(CheckpointStore* checkpoints) {
    bool restarts = options_.restart;
    std::optional<std::uint64_t> items_before;
    for (;;) {
      const auto end = std::chrono::steady_clock::now() + options_.catch_up_after;
      TableCopier copier(from_, to_, checkpoints, name_, CopierOptionsUntil(end, restarts));
      Status copied = copier.Run();
      if (!items_before) items_before = copier.counts_before().items;
      const bool pauses = copied.ok() && !copier.complete() && !interrupt_.interrupted();
      if (!pauses) return ResultOfCopy(copied, copier, *items_before);
      // No write of an older item is under way now, so the changes can be copied.
      if (const Status caught = follower_->CatchUp(Hooks()); !caught.ok()) return EndOf(caught);
      restarts = false;
    }
  }

  CopierOptions CopierOptionsUntil(std::chrono::steady_clock::time_point end, bool restarts) const {
    return {.parallel = options_.parallel,
            .units_per_second = options_.units_per_second,
            .bytes_per_second = options_.bytes_per_second,
            .restart = restarts,
            .interrupted = [this] { return interrupt_.interrupted(); },
            .pauses = [this,
                       end] { return options_.follow && std::chrono::steady_clock::now() >= end; }};
  }

  CommandResult ResultOfCopy(const Status& copied, const TableCopier& copier,
                             std::uint64_t items_before) const {
    const std::string summary = Summary(copier.counts(), items_before);
    if (!copied.ok()) {
      return CommandResult::Failure(copied.message() + " (copied " + summary + "; " + Resume() +
                                    ")");
    }
    if (!copier.complete()) {
      return {kInterruptedExitCode, "interrupted after " + summary + ": " + Resume()};
    }
    std::fprintf(stderr, "Copied %s.\n", summary.c_str());
    return {};
  }

  std::string Summary(const CopyCounts& counts, std::uint64_t items_before) const {
    std::string text = CountText(counts.items, "item") + " (" + BytesText(counts.bytes) + ") to " +
                       Printable(options_.to_table);
    if (items_before > 0) text += ", " + CountText(items_before) + " of them by earlier runs";
    return text + "; read " + RoundedUnits(counts.read_units) + ", wrote " +
           RoundedUnits(counts.write_units);
  }

  CommandResult Follow() {
    std::fprintf(stderr, "Following the changes; Ctrl-C copies what is left and ends it.\n");
    following_.emplace("following");
    const Status followed = follower_->Run(Hooks());
    following_.reset();
    const std::string changes = CountText(follower_->changes(), "change");
    if (followed.code() == StatusCode::kTrimmedDataAccess) return FailureOf(followed);
    if (!followed.ok()) {
      return CommandResult::Failure(followed.message() + " (copied " + changes + "; " + Resume() +
                                    ")");
    }
    std::fprintf(
        stderr,
        "Copied %s. The table %s has every write that was acknowledged before the signal%s.\n",
        changes.c_str(), Printable(options_.to_table).c_str(),
        unreadable_.empty() ? ": the switch is safe if all writers had stopped"
                            : ", except those of the skipped items");
    return {};
  }

  // Reads both tables side by side and compares their items.
  CommandResult Verify() const {
    // A copy that follows has had its Ctrl-C.
    const bool stops = !options_.follow;
    std::array<Result<TableDigest>, 2> digests = {TableDigest(), TableDigest()};
    const std::array<const OpenedTable*, 2> tables = {&from_, &to_};
    const Status read = OnThreads(2, [&](std::size_t i) -> Status {
      digests[i] = DigestOf(tables[i]->table, SegmentsOf(tables[i]->database, options_.parallel),
                            [&](const ScanOutput&) { return !stops || !interrupt_.interrupted(); });
      return digests[i].status();
    });
    if (!read.ok()) return FailureOf(read);
    if (stops && interrupt_.interrupted()) {
      return {kInterruptedExitCode, "interrupted: the copy is not verified"};
    }
    return Compare(*digests[0], *digests[1]);
  }

  CommandResult Compare(const TableDigest& source, const TableDigest& target) const {
    if (source == target) {
      std::fprintf(stderr, "Verified %s: both tables have the same items.\n",
                   CountText(source.items, "item").c_str());
      return {};
    }
    return CommandResult::Failure(
        "the tables differ: " + Printable(options_.table) + " has " +
        CountText(source.items, "item") + ", " + Printable(options_.to_table) + " has " +
        CountText(target.items, "item") +
        (source.items == target.items ? " with other attributes" : "") +
        "; copy again with --restart, into a table without other items, while no program writes");
  }

  const TableCopyOptions& options_;
  const OpenedTable from_;
  const OpenedTable to_;
  const UnreadableItems& unreadable_;
  const InterruptGuard interrupt_;
  std::string name_;
  std::optional<ChangeFollower> follower_;
  std::optional<ProgressLine> following_;
  std::string shown_;  // the newest error that is shown
};

bool IsAmazon(const DatabaseWords& words) {
  return words.endpoint.url.find(".amazonaws.com") != std::string::npos;
}

Result<CopyEstimate> Estimate(const TableCopyOptions& options) {
  DOLMEN_ASSIGN_OR_RETURN(const OpenedTable& from,
                          OpenTable(options.from, options.table, ContentSizes::kCount));
  DOLMEN_ASSIGN_OR_RETURN(NewTable target, DefinitionOf(from.database, options.table, options));
  // A target that exists can have other indexes.
  if (options.to.endpoint.given() || IsDatabase(options.to.path)) {
    DOLMEN_ASSIGN_OR_RETURN(const Database& database, OpenDatabase(options.to));
    const auto existing = database.DescribeTable(options.to_table, ContentSizes::kOmit);
    if (existing.ok()) {
      DOLMEN_ASSIGN_OR_RETURN(target, DefinitionOf(database, options.to_table, options));
    }
  }
  const InterruptGuard interrupt;
  ProgressLine progress("reading");
  const auto on_items = [&](std::uint64_t items) {
    progress.Update({.items = items});
    return !interrupt.interrupted();
  };
  // Only DynamoDB takes money for reads.
  const EstimateLimits limits{.whole_bytes =
                                  IsAmazon(options.from) ? kSampleFromBytes : UINT64_MAX};
  DOLMEN_ASSIGN_OR_RETURN(const CopyEstimate estimate,
                          EstimateCopy(from, target, on_items, limits));
  if (interrupt.interrupted()) return Status::Storage("interrupted");
  return estimate;
}

// Prints "Read from app.dolmen: 100 units." with the price, if the service takes one.
void PrintUnits(const char* doing, const DatabaseWords& words, double units,
                const std::string& price) {
  std::printf("%s %s: %s%s.\n", doing, words.name().c_str(), RoundedUnits(units).c_str(),
              IsAmazon(words) ? (", about " + price + " on demand in us-east-1").c_str() : "");
}

}  // namespace

CommandResult CopyTable(const TableCopyOptions& options) {
  Result<OpenedTable> from = OpenTable(options.from, options.table, ContentSizes::kCount);
  if (!from.ok()) return FailureOf(from.status());
  // The position of a copy that follows is durable in FROM, so its changes must be durable in TO.
  const Durability durability = options.follow ? Durability::kSync : Durability::kBuffered;
  const Result<Database> database =
      OpenToWrite(options.to, {.durability = durability, .expiry_lag = std::nullopt});
  if (!database.ok()) return FailureOf(database.status());
  Result<OpenedTable> to = OpenOrCreateTarget(*from, *database, options);
  if (!to.ok()) return FailureOf(to.status());
  const std::string& stream = from->description.latest_stream_arn;
  if (options.follow && !stream.empty() && stream == to->description.latest_stream_arn) {
    return CommandResult::Failure("FROM and TO are the same table");
  }
  const auto unreadable =
      UnreadableItems::SkippedOf(from->database, KeyColumns(from->description, ""));
  return unreadable->End(CopyRun(options, *std::move(from), *std::move(to), *unreadable).Run());
}

CommandResult PrintCopyEstimate(const TableCopyOptions& options) {
  const Result<CopyEstimate> estimate = Estimate(options);
  if (!estimate.ok()) return FailureOf(estimate.status());
  std::printf("%s (%s).\n", CountText(estimate->items, "item").c_str(),
              BytesText(estimate->bytes).c_str());
  PrintUnits("Read from", options.from, estimate->read_units, PriceText(estimate->read_units, 0));
  PrintUnits("Write to", options.to, estimate->write_units, PriceText(0, estimate->write_units));
  if (options.units_per_second > 0) {
    const double units = std::max(estimate->read_units, estimate->write_units);
    std::printf(
        "At %s a second: %s.\n", RoundedUnits(options.units_per_second).c_str(),
        DurationText(std::chrono::seconds(std::llround(units / options.units_per_second))).c_str());
  }
  if (options.bytes_per_second > 0) {
    const double seconds = static_cast<double>(estimate->bytes) / options.bytes_per_second;
    std::printf("At %s a second: %s.\n",
                BytesText(static_cast<std::uint64_t>(options.bytes_per_second)).c_str(),
                DurationText(std::chrono::seconds(std::llround(std::min(seconds, 1e9)))).c_str());
  }
  return FlushedOutput();
}

}  // namespace dolmen::command
