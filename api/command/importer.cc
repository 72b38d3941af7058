#include "command/importer.h"

#include <utility>

#include "command/write_batch.h"
#include "engine/base/status_macros.h"

namespace dolmen::command {

Result<ImportedTable> ImportNewTable(const Database& database, const CreateTableInput& table,
                                     ImportInputs* inputs, ImporterOptions options) {
  const Result<std::string> identity = inputs->Identity();
  ImportReader reader(
      inputs, {.skip_errors = options.skip_errors, .interrupted = std::move(options.interrupted)});
  if (reader.Interrupted()) return ImportedTable{.interrupted = true};
  if (!identity.ok()) return identity.status();
  std::uint64_t read = 0;
  std::uint64_t skipped = 0;
  const auto next = [&](Item* item) -> Result<bool> {
    for (;;) {
      reader.ShowProgress(read);
      const Result<bool> found = reader.Next(item);
      if (reader.was_interrupted()) return Status::Storage("interrupted");
      skipped += reader.TakeSkippedBefore(reader.before());
      if (!found.ok() || !*found) return found;
      if (item->empty()) continue;
      ++read;
      return true;
    }
  };
  std::optional<ProgressLine> writing;
  const auto show_writing = [&](const CopyProgress& now) {
    if (!writing) writing.emplace("writing");
    writing->Update({.items = read, .bytes = now.bytes_copied, .fraction = now.fraction});
    return !reader.Interrupted();
  };
  const Result<ImportTableOutput> imported = database.ImportTable(
      {.table = table,
       .next_item = next,
       .on_rejected = [&](const Status& why) { return reader.Reject(reader.before(), why); },
       .progress = show_writing});
  if (reader.was_interrupted()) return ImportedTable{.interrupted = true};
  if (!imported.ok()) return imported.status();
  return ImportedTable{.items = imported->items,
                       .skipped = skipped + reader.TakeSkippedBefore(reader.after())};
}

Importer::Importer(const Database& database, const Table& table, CheckpointStore* checkpoints,
                   ImportInputs* inputs, ImporterOptions options)
    : database_(database),
      table_(table),
      inputs_(*inputs),
      options_(std::move(options)),
      checkpoints_(*checkpoints),
      reader_(inputs, {.skip_errors = options_.skip_errors, .interrupted = options_.interrupted}) {}

Status Importer::Run() {
  Result<std::string> identity = inputs_.Identity();
  if (reader_.Interrupted()) return {};
  if (!identity.ok()) return identity.status();
  const auto stored = options_.restart ? std::nullopt : checkpoints_.Read(*identity);
  const auto before = stored ? ImportCheckpointIn(*identity, *stored) : std::nullopt;
  if (before && before->place.file <= inputs_.size()) {
    checkpoint_ = *before;
    items_before_ = before->items;
  } else {
    checkpoint_.inputs = *std::move(identity);
  }
  Status imported = ImportItems();
  const Status saved = SaveCheckpoint();
  return imported.ok() ? saved : imported;
}

Status Importer::ImportItems() {
  DOLMEN_RETURN_IF_ERROR(reader_.GoTo(checkpoint_.place));
  if (reader_.was_interrupted()) return {};
  for (;;) {
    Item item;
    const Result<bool> found = reader_.Next(&item);
    if (!found.ok() || !*found) {
      // Writes the pending items before the error of the current line is returned. If one of these
      // items is invalid, its error is returned instead, because its line comes first.
      Status flushed = Flush(reader_.after());
      return flushed.ok() ? found.status() : flushed;
    }
    if (!item.empty()) {
      pending_.emplace_back(PutRequest{std::move(item)});
      pending_before_.push_back(reader_.before());
    }
    DOLMEN_RETURN_IF_ERROR(FlushIfFull());
  }
}

Status Importer::FlushIfFull() {
  const bool save = reader_.lines() - lines_saved_ >= options_.lines_between_checkpoints;
  if (pending_.size() < kWritesMax && !save) return {};
  DOLMEN_RETURN_IF_ERROR(Flush(reader_.after()));
  reader_.ShowProgress(checkpoint_.items);
  return save ? SaveCheckpoint() : Status();
}

Status Importer::Flush(const ImportPlace& until) {
  const Status put = WriteAsBatch(database_, table_, &pending_,
                                  [&](std::size_t item, const Status& status) -> Status {
                                    AdvanceCheckpoint(pending_before_[item]);
                                    if (status.ok()) ++checkpoint_.items;
                                    if (status.code() != StatusCode::kValidation) return status;
                                    return reader_.Reject(pending_before_[item], status);
                                  });
  pending_before_.clear();
  if (put.ok()) AdvanceCheckpoint(until);
  return put;
}

void Importer::AdvanceCheckpoint(const ImportPlace& until) {
  checkpoint_.place = until;
  checkpoint_.skipped += reader_.TakeSkippedBefore(until);
}

Status Importer::SaveCheckpoint() {
  lines_saved_ = reader_.lines();
  return checkpoints_.Write(checkpoint_.inputs, ToMap(checkpoint_));
}

}  // namespace dolmen::command
