#include "command/import_reader.h"

#include <cstdio>
#include <tuple>
#include <utility>

#include "command/text.h"
#include "engine/base/status_macros.h"

namespace dolmen::command {
namespace {

constexpr std::uint64_t kSkippedShown = 10;
constexpr std::uint64_t kLinesBetweenInterruptChecks = 1000;
constexpr std::uint64_t kLinesWithoutItem = 1000;

bool IsBlank(std::string_view line) { return line.find_first_not_of(" \t\r") == line.npos; }

bool IsBefore(const ImportPlace& a, const ImportPlace& b) {
  return std::tie(a.file, a.position.lines) < std::tie(b.file, b.position.lines);
}

}  // namespace

Status ImportReader::GoTo(const ImportPlace& place) {
  const bool is_end = place.file == inputs_.size();
  const std::string where = is_end ? "the end" : NameOf(place);
  if (!is_end && (place.file > 0 || place.position.lines > 0)) {
    std::fprintf(stderr, "The import resumes at %s\n", where.c_str());
  }
  while (place_.file < inputs_.size() && place_.file <= place.file) {
    DOLMEN_RETURN_IF_ERROR(Open());
    const bool is_last = place_.file == place.file;
    DOLMEN_RETURN_IF_ERROR(Reread(is_last ? place.position.lines : UINT64_MAX));
    if (interrupted_) return {};
    place_.position = reader_->position();
    if (is_last) break;
    place_ = {.file = place_.file + 1, .position = {.hash = place_.position.hash}};
    reader_.reset();
  }
  if (place_.position == place.position) return {};
  return Status::Validation(
      "the input has changed before " + where +
      ", where the import would resume: restore the input, or use --restart to "
      "begin at the first line");
}

Status ImportReader::Open() {
  DOLMEN_ASSIGN_OR_RETURN(reader_, inputs_.Open(place_.file));
  reader_->StartHash(place_.position.hash);
  return {};
}

Status ImportReader::Reread(std::uint64_t lines) {
  const auto stop = [this] { return Interrupted(); };
  while (reader_->position().lines < lines) {
    if (reader_->position().lines % kLinesBetweenInterruptChecks == 0 && Interrupted()) return {};
    const auto line = reader_->Next();
    if (line.ok() && !*line) return {};
    if (line.ok()) continue;
    Status status = line.status();
    if (status.code() == StatusCode::kValidation) status = reader_->SkipLine(stop).status();
    if (!status.ok() || interrupted_) return Interrupted() ? Status() : status;
  }
  return {};
}

Result<bool> ImportReader::Next(Item* item) {
  for (const std::uint64_t end = lines_ + kLinesWithoutItem; place_.file < inputs_.size();) {
    if (lines_++ == end) return true;
    if (!reader_) DOLMEN_RETURN_IF_ERROR(Open());
    if (!progress_) progress_.emplace("importing", StateAt(0));
    before_ = place_;
    DOLMEN_ASSIGN_OR_RETURN(const bool has_item, ReadLine(item));
    if (interrupted_) return false;
    if (has_item) return true;
  }
  return false;
}

Result<bool> ImportReader::ReadLine(Item* item) {
  const auto line = reader_->Next();
  // Checks for an interrupt first, because a signal may be the cause of a read error.
  if (Interrupted()) return false;
  if (line.status().code() == StatusCode::kValidation) return SkipLongLine(line.status());
  if (!line.ok()) return line.status();
  if (!*line) {
    place_ = {.file = place_.file + 1, .position = {.hash = reader_->position().hash}};
    reader_.reset();
    return false;
  }
  const bool is_blank = IsBlank(**line);
  if (!is_blank) {
    Result<Item> parsed = parser_.Parse(**line);
    if (parsed.ok() && parsed->empty()) parsed = Status::Validation("the item has no attributes");
    if (parsed.ok()) {
      *item = *std::move(parsed);
    } else {
      DOLMEN_RETURN_IF_ERROR(Reject(before_, parsed.status()));
      place_.position = reader_->position();
      return false;
    }
  }
  place_.position = reader_->position();
  return !is_blank;
}

Result<bool> ImportReader::SkipLongLine(const Status& why) {
  DOLMEN_RETURN_IF_ERROR(Reject(before_, why));
  const Result<bool> skipped = reader_->SkipLine([this] { return Interrupted(); });
  if (Interrupted()) return false;
  if (!skipped.ok()) return skipped.status();
  place_.position = reader_->position();
  return false;
}

std::string ImportReader::NameOf(const ImportPlace& place) const {
  return "line " + std::to_string(place.position.lines + 1) + " of " +
         LineReader::NameOf(inputs_.path(place.file));
}

Status ImportReader::Reject(const ImportPlace& place, const Status& why) {
  const std::string message = LineReader::NameOf(inputs_.path(place.file)) + ":" +
                              std::to_string(place.position.lines + 1) + ": " +
                              Printable(why.message());
  if (!options_.skip_errors) return Status::Validation(message);
  skipped_.push_back(place);
  if (skipped_shown_++ < kSkippedShown) progress_->Print("skipped " + message);
  return {};
}

std::uint64_t ImportReader::TakeSkippedBefore(const ImportPlace& place) {
  return std::erase_if(skipped_,
                       [&](const ImportPlace& skipped) { return IsBefore(skipped, place); });
}

bool ImportReader::Interrupted() {
  interrupted_ = interrupted_ || options_.interrupted();
  return interrupted_;
}

void ImportReader::ShowProgress(std::uint64_t items) {
  if (progress_) {
    progress_->Update(StateAt(items));
  } else {
    progress_.emplace("importing", StateAt(items));
  }
}

ProgressState ImportReader::StateAt(std::uint64_t items) const {
  ProgressState state{.items = items};
  const auto before = inputs_.BytesBefore(place_.file);
  if (!before) return state;
  state.bytes = *before + (reader_ ? reader_->file_bytes_read() : 0);
  const auto all = inputs_.BytesBefore(inputs_.size());
  if (all && *all > 0) {
    state.fraction = static_cast<double>(*state.bytes) / static_cast<double>(*all);
  }
  return state;
}

}  // namespace dolmen::command
