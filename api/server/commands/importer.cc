#include "server/commands/importer.h"

#include <utility>

#include "server/commands/text.h"

namespace dolmen::server {
namespace {

constexpr std::size_t kBatchItems = 25;  // what BatchWriteItem takes
constexpr std::uint64_t kSkippedShown = 10;

bool IsBlank(std::string_view line) { return line.find_first_not_of(" \t\r") == line.npos; }

}  // namespace

Importer::Importer(const Database& database, const Table& table,
                   const TableDescription& description, ImportInputs* inputs,
                   ImporterOptions options)
    : database_(database),
      table_(table),
      inputs_(*inputs),
      options_(std::move(options)),
      checkpoints_(database, description) {}

Status Importer::Run() {
  Result<std::string> identity = inputs_.Identity();
  interrupted_ = options_.interrupted();
  if (interrupted_) return {};
  if (!identity.ok()) return identity.status();
  const std::optional<ImportCheckpoint> before = checkpoints_.Read();
  if (before && before->inputs == *identity && before->file <= inputs_.size()) {
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
  while (checkpoint_.file < inputs_.size() && !interrupted_) {
    Result<LineReader> reader = inputs_.Open(checkpoint_.file);
    if (!reader.ok()) return reader.status();
    if (Status at = reader->GoTo(checkpoint_.position); !at.ok()) return at;
    if (!progress_) progress_.emplace("importing", StateOf(*reader));
    Status imported = ImportLines(&*reader);
    if (!imported.ok()) return imported;
    if (interrupted_) break;
    ++checkpoint_.file;
    checkpoint_.position = {};
  }
  return {};
}

Status Importer::ImportLines(LineReader* reader) {
  for (;;) {
    const Position before = reader->position();
    const auto line = reader->Next();
    Status status = line.status();
    // What is wrong with the file may be no more than that a signal has ended the reading.
    interrupted_ = options_.interrupted();
    if (status.ok() && *line && !interrupted_) {
      status = ImportLine(*reader, **line, before);
      if (status.ok()) continue;
    }
    if (status.code() == StatusCode::kValidation && !line.ok()) {
      status = Status::Validation(reader->name() + ":" + std::to_string(before.lines + 1) + ": " +
                                  status.message());
    }
    const Status flushed = Flush(*reader, before);
    if (interrupted_ || status.ok()) return flushed;
    return status;
  }
}

Status Importer::ImportLine(const LineReader& reader, std::string_view line,
                            const Position& before) {
  if (!IsBlank(line)) {
    Result<Item> item = parser_.Parse(line);
    if (!item.ok()) {
      Status refused = Refuse(reader, before, item.status());
      if (!refused.ok()) return refused;
    } else {
      pending_.emplace_back(PutRequest{*std::move(item)});
      pending_before_.push_back(before);
    }
  }
  ++lines_since_saved_;
  if (pending_.size() < kBatchItems && lines_since_saved_ < options_.lines_between_checkpoints)
    return {};
  if (Status flushed = Flush(reader, reader.position()); !flushed.ok()) return flushed;
  progress_->Update(StateOf(reader));
  return lines_since_saved_ < options_.lines_between_checkpoints ? Status() : SaveCheckpoint();
}

Status Importer::Flush(const LineReader& reader, const Position& until) {
  if (!pending_.empty()) {
    BatchWriteItemInput batch;
    batch.requests.push_back({.table = table_, .requests = std::move(pending_)});
    const auto written = database_.BatchWriteItem(batch);
    pending_ = std::move(batch.requests.front().requests);
    Status status = written.status();
    if (status.ok()) {
      checkpoint_.items += pending_.size();
    } else if (status.code() == StatusCode::kValidation) {
      // One is wrong, or two have the same key.
      status = PutOneByOne(reader);
    }
    pending_.clear();
    pending_before_.clear();
    if (!status.ok()) return status;
  }
  checkpoint_.position = until;
  return {};
}

Status Importer::PutOneByOne(const LineReader& reader) {
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    checkpoint_.position = pending_before_[i];
    Item& item = std::get<PutRequest>(pending_[i]).item;
    Status status = table_.PutItem({.item = std::move(item)}).status();
    if (status.ok()) ++checkpoint_.items;
    if (status.code() == StatusCode::kValidation)
      status = Refuse(reader, pending_before_[i], status);
    if (!status.ok()) return status;
  }
  return {};
}

Status Importer::Refuse(const LineReader& reader, const Position& before, const Status& why) {
  const std::string message =
      reader.name() + ":" + std::to_string(before.lines + 1) + ": " + Printable(why.message());
  if (!options_.skip_errors) return Status::Validation(message);
  if (checkpoint_.skipped++ < kSkippedShown) progress_->Print("skipped " + message);
  return {};
}

Status Importer::SaveCheckpoint() {
  lines_since_saved_ = 0;
  return checkpoints_.Write(checkpoint_);
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

}  // namespace dolmen::server
