#include "engine/stream/change_record.h"

#include <xxhash.h>

#include <algorithm>
#include <boost/algorithm/hex.hpp>
#include <boost/container/static_vector.hpp>
#include <boost/endian/conversion.hpp>
#include <charconv>
#include <cstring>
#include <iterator>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/value/bytes.h"
#include "engine/value/codec.h"

namespace dolmen::engine {
namespace {

constexpr char kForm = 1;
constexpr char kByService = 1;  // a flag: the database deleted an expired item
// Each record begins with a head: the version of the record's form, the event's name, the flags and
// the time.
constexpr std::size_t kTimeAt = 3;
constexpr std::size_t kHeadBytes = kTimeAt + 8;

// The greatest valid time of a record in milliseconds. With this limit the difference of two valid
// times cannot overflow.
constexpr std::int64_t kTimeMax = std::int64_t{1} << 53;

// Flags in the head of a record. Each flag says that the record contains one more block: the keys,
// the new image or the old image. The blocks follow the head in this order.
constexpr char kHasKeys = 1;
constexpr char kHasNewImage = 2;
constexpr char kHasOldImage = 4;

constexpr std::size_t kNumberDigits = 20;

Status DamagedRecord() { return Status::Corruption("a record of a stream is damaged"); }

EventName EventNameFor(const Change& change) {
  if (!change.before) return EventName::kInsert;
  return change.after ? EventName::kModify : EventName::kRemove;
}

// Appends to `*out` an item that consists of the key attributes of `item`.
Status AppendKeys(const KeySchema& keys, const ItemView& item, std::string* out) {
  boost::container::static_vector<std::string_view, 2 * kKeyAttributesMax> names;
  for (const KeyAttribute& attribute : keys.attributes()) names.push_back(attribute.name);
  std::sort(names.begin(), names.end());
  ItemWriter writer(out);
  for (const std::string_view name : names) {
    const AttributeView value = item[name];
    if (!value) return Status::Corruption("a stored item lacks its key");
    writer.Add(name, value);
  }
  writer.Finish();
  return {};
}

bool RecordsNewImage(StreamViewType type) {
  return type == StreamViewType::kNewImage || type == StreamViewType::kNewAndOldImages;
}
bool RecordsOldImage(StreamViewType type) {
  return type == StreamViewType::kOldImage || type == StreamViewType::kNewAndOldImages;
}

// Reads the block at `*position` as an item, and moves `*position` past the block.
Status ReadItem(const char** position, const char* end, StoredItem* item) {
  std::string_view block;
  if (!ReadBlock(position, end, &block)) return DamagedRecord();
  DOLMEN_ASSIGN_OR_RETURN(*item, StoredItem::FromBytes(std::string(block)));
  return {};
}

Status ReadItems(char which, const char* position, const char* end, StreamRecord* record) {
  // Rejects a record without the row's key. The key, the new image and the old image each contain
  // the row's key, so a valid record has at least one of these three flags.
  if (which < kHasKeys || which > (kHasKeys | kHasNewImage | kHasOldImage)) return DamagedRecord();
  if ((which & kHasKeys) != 0) {
    DOLMEN_RETURN_IF_ERROR(ReadItem(&position, end, &record->keys));
  }
  if ((which & kHasNewImage) != 0) {
    DOLMEN_RETURN_IF_ERROR(ReadItem(&position, end, &record->new_image.emplace()));
  }
  if ((which & kHasOldImage) != 0) {
    DOLMEN_RETURN_IF_ERROR(ReadItem(&position, end, &record->old_image.emplace()));
  }
  return position == end ? Status() : DamagedRecord();
}

// If the record has an image, sets the record's keys from the image. A record with an image does
// not store the keys separately.
Status FillKeys(const KeySchema& keys, StreamRecord* record) {
  const std::optional<StoredItem>& image =
      record->new_image ? record->new_image : record->old_image;
  if (!image) return {};
  std::string bytes;
  DOLMEN_RETURN_IF_ERROR(AppendKeys(keys, image->view(), &bytes));
  DOLMEN_ASSIGN_OR_RETURN(record->keys, StoredItem::FromBytes(std::move(bytes)));
  return {};
}

std::string EventId(const StreamSchema& stream, SequenceNumber number) {
  const std::uint64_t parts[] = {static_cast<std::uint64_t>(stream.keyspace), number};
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(parts, sizeof parts));
  std::string id;
  boost::algorithm::hex_lower(std::begin(canonical.digest), std::end(canonical.digest),
                              std::back_inserter(id));
  return id;
}

std::uint32_t ItemBytes(const std::optional<StoredItem>& item) {
  return item ? item->view().size_bytes() : 0;
}

}  // namespace

Status EncodeChange(const Change& change, const KeySchema& keys, StreamViewType view_type,
                    Timestamp time, std::string* out) {
  const ItemView* const new_image =
      RecordsNewImage(view_type) && change.after ? &*change.after : nullptr;
  const ItemView* const old_image =
      RecordsOldImage(view_type) && change.before ? &*change.before : nullptr;
  const bool has_keys = new_image == nullptr && old_image == nullptr;
  out->push_back(kForm);
  out->push_back(static_cast<char>(EventNameFor(change)));
  out->push_back(change.by_service ? kByService : 0);
  char milliseconds[8];
  boost::endian::store_big_s64(reinterpret_cast<unsigned char*>(milliseconds),
                               time.time_since_epoch().count());
  out->append(milliseconds, sizeof milliseconds);
  out->push_back(static_cast<char>((has_keys ? kHasKeys : 0) |
                                   (new_image != nullptr ? kHasNewImage : 0) |
                                   (old_image != nullptr ? kHasOldImage : 0)));
  if (has_keys) {
    std::string item;
    DOLMEN_RETURN_IF_ERROR(AppendKeys(keys, change.after ? *change.after : *change.before, &item));
    AppendBlock(item, out);
  }
  if (new_image != nullptr) AppendBlock(new_image->bytes(), out);
  if (old_image != nullptr) AppendBlock(old_image->bytes(), out);
  return {};
}

Result<Timestamp> DecodeRecordTime(std::string_view bytes) {
  if (bytes.size() <= kHeadBytes) return DamagedRecord();
  if (bytes[0] != kForm) {
    return Status::UnsupportedFormat("a newer release of Dolmen wrote a record of a stream");
  }
  const std::int64_t time =
      boost::endian::load_big_s64(reinterpret_cast<const unsigned char*>(bytes.data()) + kTimeAt);
  if (time < -kTimeMax || time > kTimeMax) return DamagedRecord();
  return Timestamp(std::chrono::milliseconds(time));
}

Result<StreamRecord> DecodeRecord(const StreamSchema& stream, const KeySchema& keys,
                                  SequenceNumber number, std::string_view bytes) {
  DOLMEN_ASSIGN_OR_RETURN(const Timestamp time, DecodeRecordTime(bytes));
  if (static_cast<unsigned char>(bytes[1]) > static_cast<unsigned char>(EventName::kRemove)) {
    return DamagedRecord();
  }
  StreamRecord record;
  record.event_id = EventId(stream, number);
  record.event_name = static_cast<EventName>(bytes[1]);
  record.by_service = (bytes[2] & kByService) != 0;
  record.approximate_creation_date_time = time;
  record.sequence_number = ToText(number);
  record.stream_view_type = stream.view_type;
  DOLMEN_RETURN_IF_ERROR(ReadItems(bytes[kHeadBytes], bytes.data() + kHeadBytes + 1,
                                   bytes.data() + bytes.size(), &record));
  DOLMEN_RETURN_IF_ERROR(FillKeys(keys, &record));
  record.size_bytes =
      record.keys.view().size_bytes() + ItemBytes(record.new_image) + ItemBytes(record.old_image);
  return record;
}

std::string ToText(SequenceNumber number) {
  const std::string digits = std::to_string(number);
  return "1" + std::string(kNumberDigits - digits.size(), '0') + digits;
}

std::optional<SequenceNumber> ParseSequenceNumber(std::string_view text) {
  if (text.size() != kNumberDigits + 1 || text[0] != '1') return std::nullopt;
  SequenceNumber number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + 1, end, number);
  if (stop != end || error != std::errc()) return std::nullopt;
  return number;
}

}  // namespace dolmen::engine
