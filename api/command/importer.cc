#include "command/importer.h"

#include <cstdio>
#include <utility>

#include "command/text.h"
#include "command/write_batch.h"
#include "engine/base/status_macros.h"

namespace dolmen::command {
namespace {

constexpr std::uint64_t kRejectedShown = 10;
constexpr std::uint64_t kLinesBetweenInterruptChecks = 1000;

bool IsBlank(std::string_view line) { return line.find_first_not_of(" \t\r") == line.npos; }

}  // namespace

Importer::Importer(const Database& database, const Table& table, CheckpointStore* checkpoints,
                   ImportInputs* inputs, ImporterOptions options)
    : database_(database),
      table_(table),
      inputs_(*inputs),
      options_(std::move(options)),
      checkpoints_(*checkpoints) {}

Status Importer::Run() {
  Result<std::string> identity = inputs_.Identity();
  if (Interrupted()) return {};
  if (!identity.ok()) return identity.status();
  const auto stored = options_.restart ? std::nullopt : checkpoints_.Read(*identity);
  const auto before = stored ? ImportCheckpointIn(*identity, *stored) : std::nullopt;
  if (before && before->file <= inputs_.size()) {
    checkpoint_ = *before;
    items_before_ = before->items;
  } else {
    checkpoint_.inputs = *std::move(identity);
  }
  Status imported = ImportFiles();
  const Status saved = SaveCheckpoint();
  return imported.ok() ? saved : imported;
}

Status Importer::ImportFiles() {
  std::optional<LineReader> reader;
  DOLMEN_RETURN_IF_ERROR(Resume(&reader));
  while (reader) {
    if (!progress_) progress_.emplace("importing", StateOf(*reader));
    Status imported = ImportLines(&*reader);
    if (!imported.ok() || interrupted_) return imported;
    checkpoint_.position = {.hash = reader->position().hash};
    if (++checkpoint_.file == inputs_.size()) return {};
    DOLMEN_ASSIGN_OR_RETURN(reader, OpenFile(checkpoint_.file, checkpoint_.position.hash));
  }
  return {};
}

// Rereads the lines that earlier runs imported, to verify by hash that they have not changed.
Status Importer::Resume(std::optional<LineReader>* reader) {
  const auto& [inputs, at, position, items, skipped] = checkpoint_;
  std::string where = "the end";
  if (at < inputs_.size()) {
    where = "line " + std::to_string(position.lines + 1) + " of " +
            LineReader::NameOf(inputs_.path(at));
    if (at > 0 || position.lines > 0) {
      std::fprintf(stderr, "The import resumes at %s\n", where.c_str());
    }
  }
  Position end;
  for (std::size_t file = 0; file <= at && file < inputs_.size(); ++file) {
    DOLMEN_ASSIGN_OR_RETURN(LineReader opened, OpenFile(file, end.hash));
    Status read = RereadLines(&opened, file < at ? UINT64_MAX : position.lines);
    if (!read.ok() || interrupted_) return read;
    end = opened.position();
    if (file == at) {
      *reader = std::move(opened);
    } else {
      end = {.hash = end.hash};
    }
  }
  if (end == position) return {};
  return Status::Validation(
      "the input has changed before " + where +
      ", where the import would resume: restore the input, or use --restart to "
      "begin at the first line");
}

Status Importer::RereadLines(LineReader* reader, std::uint64_t lines) {
  const auto stop = [this] { return Interrupted(); };
  while (reader->position().lines < lines) {
    if (reader->position().lines % kLinesBetweenInterruptChecks == 0 && Interrupted()) return {};
    const auto line = reader->Next();
    if (line.ok() && !*line) return {};
    if (line.ok()) continue;
    Status status = line.status();
    if (status.code() == StatusCode::kValidation) status = reader->SkipLine(stop).status();
    if (!status.ok() || interrupted_) return Interrupted() ? Status() : status;
  }
  return {};
}

Result<LineReader> Importer::OpenFile(std::size_t file, std::uint64_t hash) {
  Result<LineReader> reader = inputs_.Open(file);
  if (reader.ok()) reader->StartHash(hash);
  return reader;
}

Status Importer::ImportLines(LineReader* reader) {
  for (;;) {
    const Position before = reader->position();
    const Result<bool> taken = ReadLine(reader, before);
    if (!taken.ok() || !*taken) {
      // Writes the pending items before the error of the current line is returned. If one of these
      // items is invalid, its error is returned instead, because its line comes first.
      Status flushed = Flush(*reader, before);
      return flushed.ok() ? taken.status() : flushed;
    }
    DOLMEN_RETURN_IF_ERROR(FlushIfFull(*reader));
  }
}

Result<bool> Importer::ReadLine(LineReader* reader, const Position& before) {
  const auto line = reader->Next();
  // Checks for an interrupt first, because a signal may be the cause of a read error.
  if (Interrupted() || (line.ok() && !*line)) return false;
  if (line.status().code() == StatusCode::kValidation) {
    return SkipLongLine(reader, before, line.status());
  }
  if (!line.ok()) return line.status();
  if (IsBlank(**line)) return true;
  Result<Item> item = parser_.Parse(**line);
  if (!item.ok()) {
    DOLMEN_RETURN_IF_ERROR(RejectLine(*reader, before, item.status()));
    return true;
  }
  pending_.emplace_back(PutRequest{*std::move(item)});
  pending_before_.push_back(before);
  return true;
}

Result<bool> Importer::SkipLongLine(LineReader* reader, const Position& before, const Status& why) {
  DOLMEN_RETURN_IF_ERROR(RejectLine(*reader, before, why));
  Result<bool> skipped = reader->SkipLine([this] { return Interrupted(); });
  if (Interrupted()) return false;
  return skipped;
}

Status Importer::FlushIfFull(const LineReader& reader) {
  ++lines_since_saved_;
  const bool save = lines_since_saved_ >= options_.lines_between_checkpoints;
  if (pending_.size() < kWritesMax && !save) return {};
  DOLMEN_RETURN_IF_ERROR(Flush(reader, reader.position()));
  progress_->Update(StateOf(reader));
  return save ? SaveCheckpoint() : Status();
}

Status Importer::Flush(const LineReader& reader, const Position& until) {
  const Status put = WriteAsBatch(database_, table_, &pending_,
                                  [&](std::size_t item, const Status& status) -> Status {
                                    AdvanceCheckpoint(pending_before_[item]);
                                    if (status.ok()) ++checkpoint_.items;
                                    if (status.code() != StatusCode::kValidation) return status;
                                    return RejectLine(reader, pending_before_[item], status);
                                  });
  pending_before_.clear();
  if (put.ok()) AdvanceCheckpoint(until);
  return put;
}

void Importer::AdvanceCheckpoint(const Position& until) {
  checkpoint_.position = until;
  checkpoint_.skipped +=
      std::erase_if(rejected_, [&](std::uint64_t line) { return line < until.lines; });
}

Status Importer::RejectLine(const LineReader& reader, const Position& before, const Status& why) {
  const std::string message =
      reader.name() + ":" + std::to_string(before.lines + 1) + ": " + Printable(why.message());
  if (!options_.skip_errors) return Status::Validation(message);
  rejected_.push_back(before.lines);
  if (rejected_shown_++ < kRejectedShown) progress_->Print("skipped " + message);
  return {};
}

bool Importer::Interrupted() {
  interrupted_ = interrupted_ || options_.interrupted();
  return interrupted_;
}

Status Importer::SaveCheckpoint() {
  lines_since_saved_ = 0;
  return checkpoints_.Write(checkpoint_.inputs, ToMap(checkpoint_));
}

ProgressState Importer::StateOf(const LineReader& reader) const {
  ProgressState state{.items = checkpoint_.items};
  const auto before = inputs_.BytesBefore(checkpoint_.file);
  if (!before) return state;
  state.bytes = *before + reader.file_bytes_read();
  const auto all = inputs_.BytesBefore(inputs_.size());
  if (all && *all > 0) {
    state.fraction = static_cast<double>(*state.bytes) / static_cast<double>(*all);
  }
  return state;
}

}  // namespace dolmen::command
