#include "engine/stream/streams.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/stream/stream_arn.h"
#include "engine/value/violation.h"

namespace dolmen {

std::string_view EventNameText(EventName name) {
  switch (name) {
    case EventName::kInsert:
      return "INSERT";
    case EventName::kModify:
      return "MODIFY";
    case EventName::kRemove:
      return "REMOVE";
  }
  return {};
}

}  // namespace dolmen

namespace dolmen::engine {
namespace {

constexpr std::uint32_t kListMax = 100;
constexpr std::uint32_t kRecordsMax = 1000;
constexpr auto kIteratorLife = std::chrono::minutes(15);
// The latest valid creation time of an iterator in milliseconds. It is later than any real time,
// and the addition of kIteratorLife does not overflow.
constexpr std::uint64_t kIteratorTimeMax = std::uint64_t{1} << 53;
constexpr std::string_view kIteratorPart = "|1|";

Status InvalidArn(std::string_view arn) {
  return Status::Validation(std::string("Invalid StreamArn: ").append(arn));
}

Status NoSuchStream(std::string_view arn) {
  return Status::ResourceNotFound(
      std::string("Requested resource not found: Stream: ").append(arn).append(" not found"));
}

// A stream of a table or of a deleted table, and the schema that it belongs to.
struct FoundStream {
  LiveTableRef table;  // owns the schema
  const TableSchema* schema;
  const StreamSchema* stream;
};

Result<FoundStream> FindStream(const StreamContext& context, std::string_view arn) {
  const std::optional<StreamName> name = ParseStreamArn(arn);
  if (!name) return InvalidArn(arn);
  const Timestamp now = context.clock.Now();
  for (LiveTableRef& table : context.catalog.TablesWithStreams(name->table)) {
    const TableSchema* const schema = table->stream_schema();
    for (const StreamSchema& stream : schema->streams) {
      if (!stream.IsReadable(now) || StreamLabel(stream) != name->label) continue;
      return FoundStream{std::move(table), schema, &stream};
    }
  }
  return NoSuchStream(arn);
}

// A shard iterator: the position of a reader, and the time at which the iterator was created. Its
// text is the stream's ARN and kIteratorPart, followed by the position and the time with 16
// hexadecimal digits each.
struct Iterator {
  std::string_view arn;
  SequenceNumber after = 0;
  Timestamp created_at = {};
};

std::string FormatIterator(const Iterator& iterator) {
  char numbers[40];
  std::snprintf(numbers, sizeof numbers, "%016" PRIx64 "%016" PRIx64, iterator.after,
                static_cast<std::uint64_t>(iterator.created_at.time_since_epoch().count()));
  return std::string(iterator.arn).append(kIteratorPart).append(numbers);
}

std::optional<std::uint64_t> ParseHex(std::string_view digits) {
  std::uint64_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number, 16);
  if (stop != end || error != std::errc()) return std::nullopt;
  return number;
}

std::optional<Iterator> ParseIterator(std::string_view text) {
  const std::size_t end = text.rfind(kIteratorPart);
  if (end == text.npos) return std::nullopt;
  const std::string_view numbers = text.substr(end + kIteratorPart.size());
  if (numbers.size() != 32 || !ParseStreamArn(text.substr(0, end))) return std::nullopt;
  const auto after = ParseHex(numbers.substr(0, 16));
  const auto created_at = ParseHex(numbers.substr(16));
  if (!after || !created_at || *created_at > kIteratorTimeMax) return std::nullopt;
  return Iterator{text.substr(0, end), *after,
                  Timestamp(std::chrono::milliseconds(static_cast<std::int64_t>(*created_at)))};
}

Status InvalidSequenceNumber(std::string_view what) {
  return Status::Validation(std::string("Invalid SequenceNumber: ").append(what));
}

bool IsByNumber(ShardIteratorType type) {
  return type == ShardIteratorType::kAtSequenceNumber ||
         type == ShardIteratorType::kAfterSequenceNumber;
}

// Checks that the position has a number exactly if its type asks for one.
Status CheckPosition(const StreamPosition& position) {
  const bool has_number = !position.sequence_number.empty();
  if (IsByNumber(position.type) == has_number) return {};
  return InvalidSequenceNumber(
      has_number ? "TRIM_HORIZON and LATEST take no SequenceNumber. Leave it empty."
                 : "AT_SEQUENCE_NUMBER and AFTER_SEQUENCE_NUMBER require a SequenceNumber.");
}

// Returns the number at which the stream's shard starts. No record has this number. A reader may
// therefore begin after it before the stream has a record.
SequenceNumber StartOf(SequenceNumber first) { return first - 1; }

// Returns true if the stream is disabled and no record follows the page.
Result<bool> IsLastPage(const StreamContext& context, const StreamSchema& stream,
                        const RecordPage& page) {
  if (!stream.disabled_at || !page.complete) return false;
  DOLMEN_ASSIGN_OR_RETURN(const SequenceNumber last, context.changes.LastNumber(stream));
  return last <= page.last;
}

Result<GetRecordsOutput> ReadPage(const StreamContext& context, const FoundStream& found,
                                  const Iterator& iterator, std::uint32_t limit, Timestamp now) {
  const StreamSchema& stream = *found.stream;
  // Waits for writes that began before the stream was disabled. Otherwise the stream could be
  // reported as ended before these writes add their records.
  if (stream.disabled_at) context.locks.WaitForAll();
  Result<RecordPage> page = context.changes.Read(stream, found.schema->keys, iterator.after, limit);
  if (!page.ok()) return page.status();
  DOLMEN_ASSIGN_OR_RETURN(const bool ended, IsLastPage(context, stream, *page));
  // Calls Trim after the read of the page, to learn of every record that was deleted before the
  // read. Trim returns the greatest deleted number. If this number is greater than the reader's
  // position, the page may lack deleted records.
  DOLMEN_ASSIGN_OR_RETURN(const SequenceNumber trimmed, context.changes.Trim(stream));
  if (iterator.after < trimmed) return TrimmedDataError(trimmed);
  // The page may lack records of a stream that was dropped during the read.
  DOLMEN_RETURN_IF_ERROR(FindStream(context, iterator.arn).status());
  GetRecordsOutput output{.records = std::move(page->records)};
  if (!ended) output.next_shard_iterator = FormatIterator(Iterator{iterator.arn, page->last, now});
  return output;
}

}  // namespace

Status TrimmedDataError(SequenceNumber trimmed) {
  return Status::TrimmedDataAccess(
      "The next records to read were trimmed: continue with a record whose sequence number is "
      "greater than " +
      ToText(trimmed));
}

Result<SequenceNumber> ResolvePosition(const ChangeLog& changes, const StreamPosition& position,
                                       SequenceNumber first, SequenceNumber trimmed) {
  DOLMEN_RETURN_IF_ERROR(CheckPosition(position));
  if (!IsByNumber(position.type)) {
    if (position.type == ShardIteratorType::kLatest) return changes.visible_end() - 1;
    return std::max(trimmed, StartOf(first));
  }
  const std::optional<SequenceNumber> number = ParseSequenceNumber(position.sequence_number);
  if (!number) return InvalidSequenceNumber("\"" + position.sequence_number + "\" is not a number");
  const bool before = position.type == ShardIteratorType::kAtSequenceNumber && *number > 0;
  const SequenceNumber after = std::max(before ? *number - 1 : *number, StartOf(first));
  if (*number < StartOf(first) || after >= changes.next_number()) {
    return InvalidSequenceNumber(position.sequence_number + " is not a number of the stream");
  }
  if (after < trimmed) return TrimmedDataError(trimmed);
  return after;
}

Result<ListStreamsOutput> ListStreams(const StreamContext& context, const ListStreamsInput& input) {
  DOLMEN_RETURN_IF_ERROR(CheckRange(input.limit, "limit", 1, kListMax));
  std::optional<StreamName> start;
  if (!input.exclusive_start_stream_arn.empty()) {
    start = ParseStreamArn(input.exclusive_start_stream_arn);
    if (!start) return InvalidArn(input.exclusive_start_stream_arn);
  }
  ListStreamsOutput output;
  const Timestamp now = context.clock.Now();
  const std::vector<LiveTableRef> tables = context.catalog.TablesWithStreams(input.table_name);
  if (tables.empty() && !input.table_name.empty()) {
    DOLMEN_RETURN_IF_ERROR(context.catalog.FindToManage(input.table_name).status());
  }
  for (const LiveTableRef& table : tables) {
    const TableSchema* const schema = table->stream_schema();
    for (const StreamSchema& stream : schema->streams) {
      const std::string label = StreamLabel(stream);
      if (!stream.IsReadable(now)) continue;
      if (start && std::tuple(std::string_view(schema->name), std::string_view(label)) <=
                       std::tuple(start->table, start->label)) {
        continue;
      }
      if (output.streams.size() == input.limit) {
        output.last_evaluated_stream_arn = output.streams.back().stream_arn;
        return output;
      }
      output.streams.push_back({StreamArn(schema->name, label), schema->name, label});
    }
  }
  return output;
}

Result<StreamDescription> DescribeStream(const StreamContext& context,
                                         const DescribeStreamInput& input) {
  DOLMEN_RETURN_IF_ERROR(CheckRange(input.limit, "limit", 1, kListMax));
  DOLMEN_ASSIGN_OR_RETURN(const FoundStream& found, FindStream(context, input.stream_arn));
  const StreamSchema& stream = *found.stream;
  const auto keys = found.schema->keys.attributes();
  StreamDescription description;
  description.stream_arn = input.stream_arn;
  description.stream_label = StreamLabel(stream);
  description.stream_status = stream.disabled_at ? StreamStatus::kDisabled : StreamStatus::kEnabled;
  description.stream_view_type = stream.view_type;
  description.creation_request_date_time = stream.created_at;
  description.table_name = found.schema->name;
  description.partition_key = keys[0];
  if (keys.size() > 1) description.sort_key = keys[1];
  // No shard follows the only shard or is its child. The same is true of a shard that does not exist.
  if (!input.exclusive_start_shard_id.empty() || !input.parent_shard_id.empty()) return description;
  Shard shard{.shard_id = ShardId(stream),
              .starting_sequence_number = ToText(StartOf(stream.first))};
  if (stream.disabled_at) {
    DOLMEN_ASSIGN_OR_RETURN(const SequenceNumber last, context.changes.LastNumber(stream));
    shard.ending_sequence_number = ToText(last);
  }
  description.shards.push_back(std::move(shard));
  return description;
}

Result<std::string> GetShardIterator(const StreamContext& context,
                                     const GetShardIteratorInput& input) {
  DOLMEN_RETURN_IF_ERROR(CheckPosition({input.shard_iterator_type, input.sequence_number}));
  DOLMEN_ASSIGN_OR_RETURN(const FoundStream& found, FindStream(context, input.stream_arn));
  if (input.shard_id != ShardId(*found.stream)) {
    return Status::ResourceNotFound("Requested resource not found: Shard: " + input.shard_id +
                                    " not found");
  }
  DOLMEN_ASSIGN_OR_RETURN(const SequenceNumber trimmed, context.changes.Trim(*found.stream));
  const Result<SequenceNumber> after =
      ResolvePosition(context.changes, {input.shard_iterator_type, input.sequence_number},
                      found.stream->first, trimmed);
  if (!after.ok()) return after.status();
  return FormatIterator(Iterator{input.stream_arn, *after, context.clock.Now()});
}

Result<GetRecordsOutput> GetRecords(const StreamContext& context, const GetRecordsInput& input) {
  DOLMEN_RETURN_IF_ERROR(CheckRange(input.limit, "limit", 1, kRecordsMax));
  const std::optional<Iterator> iterator = ParseIterator(input.shard_iterator);
  if (!iterator) return Status::Validation("Invalid ShardIterator");
  DOLMEN_ASSIGN_OR_RETURN(const FoundStream& found, FindStream(context, iterator->arn));
  if (iterator->after >= context.changes.next_number())
    return Status::Validation("Invalid ShardIterator");
  const Timestamp now = context.clock.Now();
  if (now > iterator->created_at + kIteratorLife) {
    return Status::ExpiredIterator(
        "The shard iterator has expired. Shard iterators are only valid for 15 minutes");
  }
  return ReadPage(context, found, *iterator, input.limit, now);
}

}  // namespace dolmen::engine
