#include "engine/value/codec.h"

#include <algorithm>
#include <utility>

#include "engine/value/bytes.h"
#include "engine/value/invalid_parameter.h"
#include "engine/value/item_form.h"
#include "engine/value/utf8.h"

namespace dolmen::engine {
namespace {

// The size limit of an encoded payload in bytes. It is far above the item limit of 400 KB. The
// encoder checks this limit before any arithmetic with a length, so no length overflows 32 bits.
constexpr std::size_t kPayloadBytesMax = std::size_t{16} << 20;

// The capacity in bytes that is reserved for an item. Most items fit into this capacity, so their
// encoding allocates only once.
constexpr std::size_t kUsualItemBytes = 512;

// The sizes that DynamoDB defines, in bytes.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
constexpr std::uint32_t kContainerBytes = 3;  // a list or a map itself
constexpr std::uint32_t kElementBytes = 1;    // each element of a list or a map, plus its own size
constexpr std::uint32_t kFlagBytes = 1;       // a BOOL or a NULL
constexpr std::uint32_t kNumberBytesMax = 21;

bool IsAttributeName(std::string_view name) {
  return !name.empty() && name.size() <= kAttributeNameBytesMax && IsUtf8(name);
}

std::uint32_t SizeOfScalar(AttributeType type, std::string_view payload) {
  const auto size = static_cast<std::uint32_t>(payload.size());
  switch (type) {
    case AttributeType::kN:
      return std::min(size, kNumberBytesMax);
    case AttributeType::kBool:
    case AttributeType::kNull:
      return kFlagBytes;
    default:
      return size;
  }
}

std::uint32_t SizeOfNested(const AttributeView& value, int depth) {
  if (depth > kReadDepthMax) return 0;  // only damaged bytes nest so deep
  std::uint32_t size = 0;
  switch (value.type()) {
    case AttributeType::kM:
      for (const auto [name, element] : value.AsMap()) {
        size += kElementBytes + static_cast<std::uint32_t>(name.size()) +
                SizeOfNested(element, depth + 1);
      }
      return size + kContainerBytes;
    case AttributeType::kL:
      for (const AttributeView element : value.AsList()) {
        size += kElementBytes + SizeOfNested(element, depth + 1);
      }
      return size + kContainerBytes;
    case AttributeType::kSS:
    case AttributeType::kNS:
    case AttributeType::kBS:
      for (const AttributeView member : value.AsSet()) {
        size += SizeOfScalar(member.type(), member.payload());
      }
      return size;
    default:
      return SizeOfScalar(value.type(), value.payload());
  }
}

// Writes the varint of `number` in place of the single byte at `position`.
void ReplaceByVarint(std::size_t position, std::uint32_t number, std::string* out) {
  if (number < 0x80) {
    (*out)[position] = static_cast<char>(number);
    return;
  }
  std::string varint;
  AppendVarint(number, &varint);
  out->replace(position, 1, varint);
}

// Encoder that appends the binary form of values to `*out`, which must outlive the encoder. The
// functions return false at the first error. Then status() returns the error, and `*out` ends with
// an incomplete value.
class Encoder {
 public:
  explicit Encoder(std::string* out, int levels_max = kNestingLevelsMax)
      : out_(out), levels_max_(levels_max) {}

  // Appends the payload of `value`. `level` is the nesting level of `value`. The top-level
  // attributes of an item have level 1.
  bool AppendPayload(const AttributeValue& value, int level) {
    if (level > levels_max_) {
      return Fail(NestedTooDeep().message());
    }
    return std::visit([&](const auto& v) { return Append(v, level); }, value.variant());
  }

  // Appends the payload of a map. `level` is the nesting level of the elements.
  bool AppendAttributes(const Map& map, int level) {
    const std::size_t start = out_->size();
    AppendVarint(static_cast<std::uint32_t>(map.size()), out_);
    for (const auto& [name, value] : map) {
      if ((level == 1 || !name.empty()) && !IsAttributeName(name)) {
        return Fail(AttributeNameFault(name));
      }
      if (level == 1) size_bytes_ += static_cast<std::uint32_t>(name.size());
      const auto* const text = value.get_if<std::string>();  // the type of most values
      if (text != nullptr && level <= kNestingLevelsMax) {
        if (!CheckText(*text)) return false;
        AppendNamedText(name, *text, level);
      } else {
        AppendBlock(name, out_);
        if (!AppendTypeAndPayload(value, level)) return false;
      }
      if (out_->size() - start > kPayloadBytesMax) return FailTooLarge();
    }
    return true;
  }

  Status status() const { return status_; }

  // Returns DynamoDB's size of the top-level attributes that were appended.
  std::uint32_t size_bytes() const { return size_bytes_; }

 private:
  bool Fail(std::string message) {
    status_ = Status::Validation(std::move(message));
    return false;
  }
  bool FailTooLarge() { return Fail("Item size has exceeded the maximum allowed size"); }
  bool FailInvalid(std::string_view what) {
    status_ = InvalidParameter(what);
    return false;
  }

  bool AppendTypeAndPayload(const AttributeValue& value, int level) {
    out_->push_back(static_cast<char>(value.type()));
    const auto* text = value.get_if<std::string>();  // the type of most values
    if (text != nullptr && level <= kNestingLevelsMax) {
      if (!CheckText(*text)) return false;
      AppendBlock(*text, out_);
      if (level == 1) size_bytes_ += static_cast<std::uint32_t>(text->size());
      return true;
    }
    const std::size_t start = out_->size();
    out_->push_back(0);  // the length: one byte is enough for most values
    if (!AppendPayload(value, level)) return false;
    const std::size_t size = out_->size() - start - 1;
    if (size > kPayloadBytesMax) return FailTooLarge();
    if (level == 1) {
      const std::string_view payload = std::string_view(*out_).substr(start + 1);
      size_bytes_ += SizeOf(AttributeView(value.type(), payload));
    }
    ReplaceByVarint(start, static_cast<std::uint32_t>(size), out_);
    return true;
  }

  // Appends an attribute whose text is valid. Changes the size of `*out_` once, which is faster than
  // to append each part.
  void AppendNamedText(std::string_view name, std::string_view text, int level) {
    const std::size_t start = out_->size();
    out_->resize(start + BlockBytes(name) + 1 + BlockBytes(text));
    char* end = WriteBlock(name, out_->data() + start);
    *end++ = static_cast<char>(AttributeType::kS);
    WriteBlock(text, end);
    if (level == 1) size_bytes_ += static_cast<std::uint32_t>(text.size());
  }

  bool CheckText(const std::string& text) {
    if (text.size() > kPayloadBytesMax) return FailTooLarge();
    return IsUtf8(text) || FailInvalid("A string value is not valid UTF-8");
  }

  bool Append(const std::string& text, int) {
    if (!CheckText(text)) return false;
    out_->append(text);
    return true;
  }
  bool Append(const Number& number, int) {
    if (number.encoded().empty()) return FailInvalid(kInvalidDouble);
    out_->append(number.encoded());
    return true;
  }
  bool Append(const Binary& binary, int) {
    if (binary.bytes.size() > kPayloadBytesMax) {
      return FailTooLarge();
    }
    out_->append(binary.bytes);
    return true;
  }
  bool Append(bool value, int) {
    out_->push_back(value ? 1 : 0);
    return true;
  }
  bool Append(Null, int) { return true; }
  bool Append(const Map& map, int level) { return AppendAttributes(map, level + 1); }
  bool Append(const List& list, int level) {
    AppendVarint(static_cast<std::uint32_t>(list.size()), out_);
    return std::all_of(list.begin(), list.end(),
                       [&](const AttributeValue& v) { return AppendTypeAndPayload(v, level + 1); });
  }
  // Appends the members in the order of the set. The stored form requires byte order, which a set
  // in memory already has.
  bool Append(const StringSet& set, int) {
    if (set.empty()) return FailInvalid(kEmptyStringSet);
    return AppendMembers(set, [](const std::string& s) { return std::string_view(s); }) &&
           (std::all_of(set.begin(), set.end(), IsUtf8) ||
            FailInvalid("A string value is not valid UTF-8"));
  }
  bool Append(const NumberSet& set, int) {
    if (set.empty()) return FailInvalid(kEmptyNumberSet);
    if (set.begin()->encoded().empty()) return FailInvalid(kInvalidDouble);  // it sorts first
    return AppendMembers(set, [](const Number& n) { return n.encoded(); });
  }
  bool Append(const BinarySet& set, int) {
    if (set.empty()) return FailInvalid(kEmptyBinarySet);
    return AppendMembers(set, [](const Binary& b) { return std::string_view(b.bytes); });
  }
  template <typename Set, typename Bytes>
  bool AppendMembers(const Set& set, Bytes bytes) {
    AppendVarint(static_cast<std::uint32_t>(set.size()), out_);
    for (const auto& member : set) AppendBlock(bytes(member), out_);
    return true;
  }

  std::string* out_;
  int levels_max_;
  std::uint32_t size_bytes_ = 0;
  Status status_;
};

}  // namespace

Status NestedTooDeep() {
  return Status::Validation(
      "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
      "beyond supported limit");
}

std::string AttributeNameFault(std::string_view name) {
  if (IsAttributeName(name)) return "";
  if (name.empty()) return "Empty attribute name";
  if (name.size() > kAttributeNameBytesMax) {  // text unverified
    return "Attribute name is too large, must be at most " +
           std::to_string(kAttributeNameBytesMax) + " bytes";
  }
  return "An attribute name is not valid UTF-8";  // JSON cannot carry it
}

Status EncodeItem(const Item& item, std::string* out, int levels_max) {
  const std::size_t start = out->size();
  out->reserve(start + kUsualItemBytes);
  out->push_back(kItemFormat);
  out->append(sizeof(std::uint32_t), 0);
  Encoder encoder(out, levels_max);
  if (!encoder.AppendAttributes(item, 1)) {
    out->resize(start);
    return encoder.status();
  }
  WriteLittleEndian32(encoder.size_bytes(), out->data() + start + kItemSizeOffset);
  return {};
}

Status CheckItem(const Item& item) {
  // Checks top-level strings, numbers and binaries without encoding them. Most items checked here
  // are keys, which have only these types.
  const auto is_plain = [](const Item::value_type& attribute) {
    const auto& [name, value] = attribute;
    if (!IsAttributeName(name)) return false;
    if (const auto* const text = value.get_if<std::string>()) return IsUtf8(*text);
    if (const auto* const number = value.get_if<Number>()) return !number->encoded().empty();
    return value.get_if<Binary>() != nullptr;
  };
  if (std::all_of(item.begin(), item.end(), is_plain)) return {};
  std::string bytes;
  return EncodeItem(item, &bytes);
}

Status EncodeValue(const AttributeValue& value, std::string* out, int levels_max) {
  const std::size_t start = out->size();
  Encoder encoder(out, levels_max);
  if (encoder.AppendPayload(value, 1)) return {};
  out->resize(start);
  return encoder.status();
}

std::uint32_t SizeOf(const AttributeView& value) { return SizeOfNested(value, 0); }

std::uint32_t SizeOf(const MapView& attributes) {
  std::uint32_t size = 0;
  for (const auto [name, value] : attributes) {
    size += static_cast<std::uint32_t>(name.size()) + SizeOf(value);
  }
  return size;
}

ItemWriter::ItemWriter(std::string* out) : out_(out), start_(out->size()) {
  // The size and the number of attributes are written last. Most items have fewer than 128
  // attributes, so one byte holds their number.
  static constexpr char kHead[kItemHeaderBytes + 1] = {kItemFormat};
  out_->append(kHead, sizeof(kHead));
}

void ItemWriter::Add(std::string_view name, const AttributeView& value) {
  const std::string_view payload = value.payload();
  const std::size_t start = out_->size();
  out_->resize(start + BlockBytes(name) + 1 + BlockBytes(payload));
  char* end = WriteBlock(name, out_->data() + start);
  *end++ = static_cast<char>(value.type());
  WriteBlock(payload, end);
  ++count_;
  size_bytes_ += SizeOf(name, value);
}

void ItemWriter::Finish() {
  ReplaceByVarint(start_ + kItemHeaderBytes, count_, out_);
  WriteLittleEndian32(size_bytes_, out_->data() + start_ + kItemSizeOffset);
}

}  // namespace dolmen::engine
