#include "tests/upgrade/contents.h"

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/items.h"
#include "tests/support/value.h"
#include "wire/json_writer.h"

namespace dolmen::upgrade {
namespace {

using test::Value;

constexpr std::array kProjections = {"ALL", "KEYS_ONLY", "INCLUDE"};
constexpr std::array kViewTypes = {"KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"};

template <std::size_t size, typename Enum>
const char* NameIn(const std::array<const char*, size>& names, Enum value) {
  return names.at(static_cast<std::size_t>(value));
}

AttributeValue ToKey(const KeyAttribute& key) {
  return Map{{"name", key.name}, {"type", AttributeTypeName(key.type)}};
}

List ToKeys(const std::vector<KeyAttribute>& keys) {
  List list;
  for (const KeyAttribute& key : keys) list.push_back(ToKey(key));
  return list;
}

// Returns the ARN in the region that 0.2.0 wrote. The database does not store a region.
std::string ToStoredArn(std::string arn) {
  constexpr std::string_view kRegion = ":us-east-1:";
  const std::size_t found = arn.find(kRegion);
  return found == arn.npos ? arn : arn.replace(found, kRegion.size(), ":ddblocal:");
}

// A reader of the whole database. It collects the lines of text that it has read so far.
class ContentsReader {
 public:
  explicit ContentsReader(const Database& db) : db_(db) {}

  std::string Read() {
    for (const std::string& name : Value(db_.ListTables()).table_names) ReadTable(name);
    return std::move(out_);
  }

 private:
  void AddLine(const Map& line) {
    const StoredItem stored = test::StoreItem(line);
    wire::JsonWriter(&out_).Attributes(stored.view());
    out_ += '\n';
  }

  void ReadTable(const std::string& name) {
    const Table table = Value(db_.OpenTable(name));
    if (const Status built = table.WaitForIndexes(); !built.ok()) Value(Result<int>(built));
    const TableDescription description = Value(db_.DescribeTable(name));
    AddTable(description);
    AddTimeToLive(name);
    AddItems(table, "");
    for (const auto& [index, status, backfill, content] : description.global_secondary_indexes) {
      AddIndex(name, index.name, "GLOBAL", index.projection, index.non_key_attributes,
               ToKeys(index.partition_key), ToKeys(index.sort_key));
      AddItems(table, index.name);
    }
    for (const auto& [index, content] : description.local_secondary_indexes) {
      AddIndex(name, index.name, "LOCAL", index.projection, index.non_key_attributes,
               ToKeys({description.partition_key}), ToKeys({index.sort_key}));
      AddItems(table, index.name);
    }
    AddStreams(name);
    if (name == kTable) AddPosition(table);
  }

  void AddTable(const TableDescription& table) {
    Map line{{"line", "table"},
             {"name", table.name},
             {"partition_key", ToKey(table.partition_key)},
             {"deletion_protection", table.deletion_protection},
             {"created_at", ToIso8601(table.created_at)},
             {"annotations", table.annotations}};
    if (table.sort_key) line.emplace("sort_key", ToKey(*table.sort_key));
    if (table.stream_specification) {
      line.emplace("retention", table.stream_specification->retention.count());
      line.emplace("stream", ToStoredArn(table.latest_stream_arn));
    }
    AddLine(line);
  }

  void AddIndex(const std::string& table, const std::string& name, const char* kind,
                ProjectionType projection, const std::vector<std::string>& non_key_attributes,
                List partition_key, List sort_key) {
    AddLine({{"line", "index"},
             {"table", table},
             {"name", name},
             {"kind", kind},
             {"partition_key", std::move(partition_key)},
             {"sort_key", std::move(sort_key)},
             {"projection", NameIn(kProjections, projection)},
             {"non_key_attributes", List(non_key_attributes.begin(), non_key_attributes.end())}});
  }

  void AddTimeToLive(const std::string& table) {
    const TimeToLiveDescription description = Value(db_.DescribeTimeToLive(table));
    if (description.status == TimeToLiveStatus::kDisabled) return;
    AddLine({{"line", "time_to_live"},
             {"table", table},
             {"attribute", description.attribute_name},
             {"hide_expired", description.hide_expired}});
  }

  void AddItems(const Table& table, const std::string& index) {
    ScanInput input{.index = index, .options = {.hide_expired = false}};
    do {
      const ScanOutput page = Value(table.Scan(input));
      for (const ItemView item : page) {
        AddLine({{"line", index.empty() ? "item" : "entry"},
                 {"of", index.empty() ? std::string(table.name()) : index},
                 {"attributes", Value(item.Copy())}});
      }
      input.exclusive_start_key = page.last_evaluated_key();
    } while (!input.exclusive_start_key.empty());
  }

  void AddStreams(const std::string& table) {
    for (const StreamSummary& summary : Value(db_.ListStreams({.table_name = table})).streams) {
      const StreamDescription stream =
          Value(db_.DescribeStream({.stream_arn = summary.stream_arn}));
      AddLine({{"line", "stream"},
               {"arn", ToStoredArn(stream.stream_arn)},
               {"label", stream.stream_label},
               {"view_type", NameIn(kViewTypes, stream.stream_view_type)},
               {"enabled", stream.stream_status == StreamStatus::kEnabled},
               {"created_at", ToIso8601(stream.creation_request_date_time)}});
      std::string next = Value(db_.GetShardIterator(
          {.stream_arn = stream.stream_arn, .shard_id = stream.shards.at(0).shard_id}));
      while (!next.empty()) {
        GetRecordsOutput page = Value(db_.GetRecords({.shard_iterator = next}));
        for (const StreamRecord& record : page.records) AddRecord(record);
        next = page.records.empty() ? "" : page.next_shard_iterator;
      }
    }
  }

  void AddRecord(const StreamRecord& record) {
    Map line{{"line", "record"},
             {"number", record.sequence_number},
             {"id", record.event_id},
             {"event", EventNameText(record.event_name)},
             {"time", ToIso8601(record.approximate_creation_date_time)},
             {"by_service", record.by_service},
             {"keys", Value(record.keys.view().Copy())}};
    if (record.new_image) line.emplace("new", Value(record.new_image->view().Copy()));
    if (record.old_image) line.emplace("old", Value(record.old_image->view().Copy()));
    AddLine(line);
  }

  void AddPosition(const Table& table) {
    const Subscription subscription =
        Value(table.Subscribe({.name = kSubscription, .in_background = false},
                              [](const StreamRecord&) { return Status(); }));
    AddLine({{"line", "position"},
             {"table", std::string(table.name())},
             {"subscription", kSubscription},
             {"number", subscription.sequence_number()}});
  }

  const Database& db_;
  std::string out_;
};

}  // namespace

std::shared_ptr<ManualClock> ClockAtFirstWrite() {
  return std::make_shared<ManualClock>(Value(ParseIso8601("2026-11-23T12:00:00Z")));
}

OpenOptions OptionsWith(std::shared_ptr<Clock> clock) {
  OpenOptions options;
  options.clock = std::move(clock);
  options.expiry_lag = std::nullopt;
  return options;
}

std::string ReadContents(const Database& db) { return ContentsReader(db).Read(); }

}  // namespace dolmen::upgrade
