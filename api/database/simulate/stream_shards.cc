#include "database/simulate/stream_shards.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <chrono>
#include <cinttypes>
#include <compare>
#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "database/simulate/draws.h"
#include "engine/base/status_macros.h"

namespace dolmen::database {
namespace {

constexpr std::uint32_t kShardsMax = 64;
constexpr auto kLifetimeMin = std::chrono::minutes(1);
// DynamoDB forgets records and shards after this time.
constexpr auto kRetention = std::chrono::hours(24);
constexpr std::string_view kIdPrefix = "shardId-";
constexpr std::size_t kTimeDigits = 20;
constexpr std::uint64_t kTimeMax = std::uint64_t{1} << 62;  // no sum of two times overflows
constexpr std::size_t kNumberDigits = 8;
// Separates the engine's iterator from the ID of the shard.
constexpr char kIteratorSeparator = '#';
constexpr char kInvalidIterator[] = "Invalid ShardIterator";

// Returns true if the options divide streams into several shards.
bool HaveSeveralShards(const SimulateOptions& options) {
  return options.stream_shards > 1 || options.shard_lifetime.count() > 0;
}

// A shard: its generation, and its number among the shards of the generation.
struct ShardName {
  std::uint64_t generation = 0;
  std::uint64_t number = 0;

  friend auto operator<=>(const ShardName&, const ShardName&) = default;
};

std::optional<std::uint64_t> ParseDigits(std::string_view digits) {
  std::uint64_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  if (stop != end || error != std::errc()) return std::nullopt;
  return number;
}

Status NoSuchShard(std::string_view id) {
  return Status::ResourceNotFound(
      std::string("Requested resource not found: Shard: ").append(id).append(" not found"));
}

// The division of one stream into shards.
class Layout {
 public:
  Layout(const SimulateOptions& options, const StreamDescription& stream)
      : shards_(options.stream_shards),
        lifetime_(options.shard_lifetime),
        seed_(options.seed),
        begin_(stream.creation_request_date_time),
        partition_key_(stream.partition_key.name) {}

  std::uint64_t GenerationAt(Timestamp time) const {
    if (lifetime_.count() == 0 || time < begin_) return 0;
    return static_cast<std::uint64_t>((time - begin_) / lifetime_);
  }
  // Returns the number of shards of a generation. The first generation has one shard, and each shard
  // splits in two until the stream has all shards. If shards do not end, there is one generation.
  std::uint64_t ShardsOf(std::uint64_t generation) const {
    if (lifetime_.count() == 0) return shards_;
    return std::min<std::uint64_t>(shards_,
                                   std::uint64_t{1} << std::min<std::uint64_t>(generation, 32));
  }
  // Returns the ID of a shard. As in DynamoDB, it has the time at which the shard begins, in
  // milliseconds. The Kinesis adapter keeps the leases of shards that are younger than six hours.
  std::string IdOf(const ShardName& shard) const {
    const Timestamp begin = begin_ + static_cast<std::int64_t>(shard.generation) * lifetime_;
    char id[64];
    std::snprintf(id, sizeof id, "%.8s%020" PRId64 "-%08" PRIu64, kIdPrefix.data(),
                  std::max<std::int64_t>(begin.time_since_epoch().count(), 0), shard.number);
    return id;
  }
  std::optional<ShardName> ParseId(std::string_view id) const {
    if (id.size() != kIdPrefix.size() + kTimeDigits + 1 + kNumberDigits) return {};
    const auto time = ParseDigits(id.substr(kIdPrefix.size(), kTimeDigits));
    const auto number = ParseDigits(id.substr(id.size() - kNumberDigits));
    if (!time || *time > kTimeMax || !number) return {};
    const Timestamp begin{std::chrono::milliseconds(static_cast<std::int64_t>(*time))};
    const ShardName shard{GenerationAt(begin), *number};
    if (IdOf(shard) != id) return {};
    return shard;
  }
  std::optional<ShardName> ParentOf(const ShardName& shard) const {
    if (shard.generation == 0) return {};
    const std::uint64_t before = shard.generation - 1;
    return ShardName{before, shard.number * ShardsOf(before) / ShardsOf(shard.generation)};
  }
  // Returns the shard of a record. A shard owns a range of hashes, so its children divide the range.
  ShardName ShardOf(const StreamRecord& record) const {
    const std::uint64_t generation = GenerationAt(record.approximate_creation_date_time);
    const std::string key = record.keys.view()[partition_key_].ToString();
    const std::uint64_t hash = Draws(seed_).Mix(key).Next() >> 32;
    return {generation, hash * ShardsOf(generation) >> 32};
  }

 private:
  const std::uint64_t shards_;
  const std::chrono::milliseconds lifetime_;
  const std::uint64_t seed_;
  const Timestamp begin_;
  const std::string partition_key_;
};

// The sequence number of the last record of each generation that has retained records.
using LastNumbers = std::map<std::uint64_t, std::string>;

Result<LastNumbers> FindLastNumbers(internal::Backend& engine, const Layout& layout,
                                    const StreamDescription& stream) {
  LastNumbers numbers;
  DOLMEN_ASSIGN_OR_RETURN(std::string iterator,
                          engine.GetShardIterator({.stream_arn = stream.stream_arn,
                                                   .shard_id = stream.shards.front().shard_id}));
  while (!iterator.empty()) {
    DOLMEN_ASSIGN_OR_RETURN(const GetRecordsOutput page,
                            engine.GetRecords({.shard_iterator = iterator}));
    if (page.records.empty()) break;
    for (const StreamRecord& record : page.records) {
      numbers[layout.GenerationAt(record.approximate_creation_date_time)] = record.sequence_number;
    }
    iterator = page.next_shard_iterator;
  }
  return numbers;
}

// The generations whose shards exist.
struct Generations {
  std::uint64_t first = 0;
  std::uint64_t last = 0;  // its shards have not ended, unless the stream is disabled
};

// Returns all generations from the one of the oldest record to the one of the newest record. The
// generation of the time kRetention ago belongs to them, even without any record: a shard without
// later records ends at that time, because records that its children could miss are trimmed.
Generations ExistingGenerations(const Layout& layout, const LastNumbers& numbers, Timestamp now) {
  const std::uint64_t retained = layout.GenerationAt(now - kRetention);
  if (numbers.empty()) return {retained, retained};
  return {std::min(retained, numbers.begin()->first), std::max(retained, numbers.rbegin()->first)};
}

// Returns the last number of the generations before `generation`.
const std::string& LastNumberBefore(const LastNumbers& numbers, std::uint64_t generation,
                                    const std::string& start) {
  const auto next = numbers.lower_bound(generation);
  return next == numbers.begin() ? start : std::prev(next)->second;
}

// The text of an iterator: the iterator of the engine's shard, and the ID of a shard.
std::string FormatIterator(std::string_view iterator, std::string_view shard_id) {
  return std::string(iterator).append(1, kIteratorSeparator).append(shard_id);
}

struct ShardIterator {
  std::string_view engine;  // the iterator of the engine's shard
  std::string_view shard_id;
  std::string_view stream_arn;
};

std::optional<ShardIterator> ParseIterator(std::string_view text) {
  const std::size_t end = text.rfind(kIteratorSeparator);
  if (end == text.npos) return {};
  const std::string_view iterator = text.substr(0, end);
  return ShardIterator{iterator, text.substr(end + 1), iterator.substr(0, iterator.find('|'))};
}

// Adds the shards of the generations to the description, as the input asks for. Adds the
// children of a known parent even if shards of that age do not exist any more. A late reader thus
// finds its way from any shard to the newest one.
void AddShards(const DescribeStreamInput& input, const Layout& layout, const LastNumbers& numbers,
               const Generations& existing, StreamDescription* stream) {
  const Shard whole = std::move(stream->shards.front());
  const std::string& begin = whole.starting_sequence_number;
  stream->shards.clear();
  const auto start = layout.ParseId(input.exclusive_start_shard_id);
  if (!start && !input.exclusive_start_shard_id.empty()) return;  // as after any unknown shard
  Generations listed = existing;
  if (const auto parent = layout.ParseId(input.parent_shard_id)) {
    listed = {parent->generation + 1, std::min(parent->generation + 1, existing.last)};
  }
  for (ShardName name{listed.first, 0}; name.generation <= listed.last; ++name.generation) {
    for (name.number = 0; name.number < layout.ShardsOf(name.generation); ++name.number) {
      const auto parent = layout.ParentOf(name);
      const std::string parent_id = parent ? layout.IdOf(*parent) : std::string();
      if (start && name <= *start) continue;
      if (!input.parent_shard_id.empty() && parent_id != input.parent_shard_id) continue;
      if (stream->shards.size() == input.limit) {
        stream->last_evaluated_shard_id = stream->shards.back().shard_id;
        return;
      }
      stream->shards.push_back(
          {.shard_id = layout.IdOf(name),
           .parent_shard_id = parent_id,
           .starting_sequence_number = LastNumberBefore(numbers, name.generation, begin),
           .ending_sequence_number = name.generation == existing.last
                                         ? whole.ending_sequence_number
                                         : LastNumberBefore(numbers, name.generation + 1, begin)});
    }
  }
}

}  // namespace

Status CheckShards(const SimulateOptions& options) {
  if (!std::has_single_bit(options.stream_shards) || options.stream_shards > kShardsMax) {
    return Status::Validation("a simulation has a number of shards that is not 1, 2, 4, ... or 64");
  }
  if (options.shard_lifetime.count() != 0 && options.shard_lifetime < kLifetimeMin) {
    return Status::Validation("a simulation has a lifetime of shards of less than a minute");
  }
  return {};
}

Result<StreamDescription> DescribeShards(internal::Backend& engine, const SimulateOptions& options,
                                         const DescribeStreamInput& input) {
  if (!HaveSeveralShards(options)) return engine.DescribeStream(input);
  DOLMEN_ASSIGN_OR_RETURN(
      StreamDescription stream,
      engine.DescribeStream({.stream_arn = input.stream_arn, .limit = input.limit}));
  const Layout layout(options, stream);
  DOLMEN_ASSIGN_OR_RETURN(const LastNumbers numbers, FindLastNumbers(engine, layout, stream));
  const Timestamp now = engine.clock()->Now();
  AddShards(input, layout, numbers, ExistingGenerations(layout, numbers, now), &stream);
  return stream;
}

Result<std::string> GetIteratorOfShard(internal::Backend& engine, const SimulateOptions& options,
                                       const GetShardIteratorInput& input) {
  if (!HaveSeveralShards(options)) return engine.GetShardIterator(input);
  DOLMEN_ASSIGN_OR_RETURN(const StreamDescription stream,
                          engine.DescribeStream({.stream_arn = input.stream_arn}));
  const Layout layout(options, stream);
  const auto shard = layout.ParseId(input.shard_id);
  DOLMEN_ASSIGN_OR_RETURN(const LastNumbers numbers, FindLastNumbers(engine, layout, stream));
  const Timestamp now = engine.clock()->Now();
  if (!shard || shard->generation > ExistingGenerations(layout, numbers, now).last ||
      shard->number >= layout.ShardsOf(shard->generation)) {
    return NoSuchShard(input.shard_id);
  }
  GetShardIteratorInput whole = input;
  whole.shard_id = stream.shards.front().shard_id;
  return engine.GetShardIterator(whole).transform(
      [&](const std::string& iterator) { return FormatIterator(iterator, input.shard_id); });
}

Result<GetRecordsOutput> GetRecordsOfShard(internal::Backend& engine,
                                           const SimulateOptions& options,
                                           const GetRecordsInput& input) {
  if (!HaveSeveralShards(options)) return engine.GetRecords(input);
  const auto iterator = ParseIterator(input.shard_iterator);
  if (!iterator) return Status::Validation(kInvalidIterator);
  DOLMEN_ASSIGN_OR_RETURN(const StreamDescription stream,
                          engine.DescribeStream({.stream_arn = std::string(iterator->stream_arn)}));
  const Layout layout(options, stream);
  const auto wanted = layout.ParseId(iterator->shard_id);
  if (!wanted) return Status::Validation(kInvalidIterator);
  // Reads the time before the records: an empty page is then newer than the end of the shard.
  const std::uint64_t retained = layout.GenerationAt(engine.clock()->Now() - kRetention);
  GetRecordsOutput output;
  std::string next(iterator->engine);
  while (output.records.empty() && !next.empty()) {
    DOLMEN_ASSIGN_OR_RETURN(GetRecordsOutput page,
                            engine.GetRecords({.shard_iterator = next, .limit = input.limit}));
    next = page.next_shard_iterator;
    for (StreamRecord& record : page.records) {
      const ShardName shard = layout.ShardOf(record);
      // A record of a later generation ends the shard.
      if (shard.generation > wanted->generation) return output;
      if (shard == *wanted) output.records.push_back(std::move(record));
    }
    if (page.records.empty()) {
      if (wanted->generation < retained) return output;
      break;
    }
  }
  if (!next.empty()) output.next_shard_iterator = FormatIterator(next, iterator->shard_id);
  return output;
}

}  // namespace dolmen::database
