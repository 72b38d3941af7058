#include "wire/json_writer.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "database/base64.h"
#include "engine/value/stored_form.h"

namespace dolmen::wire {
namespace {

// Returns true if the character needs an escape in a JSON string.
bool NeedsEscape(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

// Characters that the processor compares at the same time.
typedef unsigned char Characters __attribute__((vector_size(16)));

// Returns two parts of a text, which may overlap, as characters. Combines them in registers: the
// processor would have to wait for parts that are stored in memory and then read as a whole.
template <typename Part>
Characters Load(const char* first, const char* second) {
  Part parts[2];
  std::memcpy(&parts[0], first, sizeof(Part));
  std::memcpy(&parts[1], second, sizeof(Part));
  typedef std::uint64_t Words __attribute__((vector_size(16)));
  if constexpr (sizeof(Part) == 8) return reinterpret_cast<Characters>(Words{parts[0], parts[1]});
  const std::uint64_t word = std::uint64_t{parts[1]} << 32 | parts[0];
  return reinterpret_cast<Characters>(Words{word, word});
}

bool SomeNeedEscape(Characters characters) {
  typedef std::uint64_t Words __attribute__((vector_size(16)));
  const auto found =
      reinterpret_cast<Words>((characters < 0x20) | (characters == '"') | (characters == '\\'));
  return (found[0] | found[1]) != 0;
}

// Returns true if no character needs an escape in a JSON string. Compares some characters twice
// instead of the rest one after the other.
bool IsPlain(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  if (text.size() < 4) return std::none_of(at, end, NeedsEscape);
  if (text.size() < 8) return !SomeNeedEscape(Load<std::uint32_t>(at, end - 4));
  for (; end - at > 16; at += 16) {
    if (SomeNeedEscape(Load<std::uint64_t>(at, at + 8))) return false;
  }
  return !SomeNeedEscape(Load<std::uint64_t>(end - at >= 8 ? at : end - 8, end - 8));
}

// Appends a member whose value is a string: [,]"name":{"S":"text"}.
// REQUIRES: no character needs an escape.
void AppendPlain(bool first, std::string_view name, std::string_view text, std::string* out) {
  constexpr std::string_view kBetween = R"(":{"S":")";
  const std::size_t start = out->size();
  out->resize(start + (first ? 1 : 2) + name.size() + kBetween.size() + text.size() + 2);
  char* at = out->data() + start;
  if (!first) *at++ = ',';
  *at++ = '"';
  at = std::copy(name.begin(), name.end(), at);
  at = std::copy(kBetween.begin(), kBetween.end(), at);
  at = std::copy(text.begin(), text.end(), at);
  *at++ = '"';
  *at = '}';
}

void AppendEscape(char c, std::string* out) {
  constexpr std::string_view kHex = "0123456789abcdef";
  switch (c) {
    case '"':
      out->append("\\\"");
      return;
    case '\\':
      out->append("\\\\");
      return;
    case '\b':
      out->append("\\b");
      return;
    case '\f':
      out->append("\\f");
      return;
    case '\n':
      out->append("\\n");
      return;
    case '\r':
      out->append("\\r");
      return;
    case '\t':
      out->append("\\t");
      return;
    default:
      break;
  }
  out->append("\\u00");
  out->push_back(kHex[static_cast<unsigned char>(c) >> 4]);
  out->push_back(kHex[static_cast<unsigned char>(c) & 15]);
}

void AppendEscaped(std::string_view text, std::string* out) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    const char* const escape = std::find_if(at, end, [](char c) { return NeedsEscape(c); });
    out->append(at, escape);
    if (escape == end) return;
    AppendEscape(*escape, out);
    at = escape + 1;
  }
}

template <typename Number>
void AppendNumber(Number number, std::string* out) {
  char digits[24];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
  out->append(digits, error == std::errc() ? end : digits);
}

// The opening of a typed value in JSON, indexed by AttributeType.
constexpr std::string_view kOpen[] = {
    "",         R"({"S":)", R"({"N":)",  R"({"B":)",  R"({"BOOL":)", R"({"NULL":)",
    R"({"M":)", R"({"L":)", R"({"SS":)", R"({"NS":)", R"({"BS":)"};

}  // namespace

void JsonWriter::Separate() {
  if (out_->size() == start_) return;
  const char last = out_->back();
  if (last != '{' && last != '[' && last != ':') out_->push_back(',');
}

void JsonWriter::Quoted(std::string_view text) {
  out_->push_back('"');
  if (IsPlain(text)) {
    out_->append(text);
  } else {
    AppendEscaped(text, out_);
  }
  out_->push_back('"');
}

void JsonWriter::QuotedBase64(std::string_view bytes) {
  out_->push_back('"');
  internal::AppendBase64(bytes, out_);
  out_->push_back('"');
}

void JsonWriter::Key(std::string_view name) {
  Separate();
  Quoted(name);
  out_->push_back(':');
}

void JsonWriter::String(std::string_view text) {
  Separate();
  Quoted(text);
}

void JsonWriter::Integer(std::int64_t number) {
  Separate();
  AppendNumber(number, out_);
}

void JsonWriter::Unsigned(std::uint64_t number) {
  Separate();
  AppendNumber(number, out_);
}

void JsonWriter::Double(double number) {
  Separate();
  char digits[400];  // a double can have 309 digits before the point
  const auto [end, error] =
      std::to_chars(digits, digits + sizeof digits, number, std::chars_format::fixed);
  const std::string_view text(digits, error == std::errc() ? end : digits);
  out_->append(text);
  if (text.find('.') == text.npos) out_->append(".0");
}

void JsonWriter::Boolean(bool value) { Raw(value ? "true" : "false"); }

void JsonWriter::Time(Timestamp time) {
  Separate();
  const std::int64_t millis = time.time_since_epoch().count();
  const std::int64_t rest = std::abs(millis % 1000);
  if (millis < 0 && millis > -1000) out_->push_back('-');
  AppendNumber(millis / 1000, out_);
  if (rest == 0) return;
  const char decimals[] = {'.', static_cast<char>('0' + rest / 100),
                           static_cast<char>('0' + rest / 10 % 10),
                           static_cast<char>('0' + rest % 10)};
  out_->append(decimals, sizeof decimals);
}

void JsonWriter::Raw(std::string_view json) {
  Separate();
  out_->append(json);
}

void JsonWriter::MapMembers(const MapView& map) {
  BeginObject();
  bool first = true;
  // A cursor, because a range-for copies the name and the value of each attribute.
  for (ElementCursor cursor = map.cursor(); cursor.Next();) {
    const std::string_view name = cursor.name();
    const AttributeView value = cursor.value();
    if (value.type() == AttributeType::kS && IsPlain(name) && IsPlain(value.payload())) {
      AppendPlain(first, name, value.payload(), out_);
    } else {
      Key(name);
      Value(value);
    }
    first = false;
  }
  EndObject();
}

void JsonWriter::Value(const AttributeView& value) {
  if (!value.exists()) return Raw(R"({"NULL":true})");
  Raw(kOpen[static_cast<std::size_t>(value.type())]);
  switch (value.type()) {
    case AttributeType::kS:
      Quoted(value.payload());
      break;
    case AttributeType::kN:
      out_->push_back('"');
      out_->append(value.AsNumber().value_or(Number()).ToString());
      out_->push_back('"');
      break;
    case AttributeType::kB:
      QuotedBase64(value.payload());
      break;
    case AttributeType::kBool:
      Boolean(value.AsBool().value_or(false));
      break;
    case AttributeType::kNull:
      Boolean(true);
      break;
    case AttributeType::kM:
      MapMembers(value.AsMap());
      break;
    case AttributeType::kL:
      BeginArray();
      for (const AttributeView element : value.AsList()) Value(element);
      EndArray();
      break;
    case AttributeType::kSS:
      BeginArray();
      for (const AttributeView member : value.AsSet()) String(member.payload());
      EndArray();
      break;
    case AttributeType::kNS:
      BeginArray();
      for (const AttributeView member : value.AsSet()) {
        String(member.AsNumber().value_or(Number()).ToString());
      }
      EndArray();
      break;
    case AttributeType::kBS:
      BeginArray();
      for (const AttributeView member : value.AsSet()) {
        Separate();
        QuotedBase64(member.payload());
      }
      EndArray();
      break;
  }
  out_->push_back('}');
}

void JsonWriter::Attributes(const ItemView& item) { MapMembers(item.attributes()); }

void JsonWriter::Value(const AttributeValue& value) {
  // Most values are those of keys, whose stored form needs no buffer.
  if (const auto* text = value.get_if<std::string>()) {
    return Value(AttributeView(AttributeType::kS, *text));
  }
  if (const auto* number = value.get_if<Number>()) {
    return Value(AttributeView(AttributeType::kN, number->encoded()));
  }
  if (const auto* binary = value.get_if<Binary>()) {
    return Value(AttributeView(AttributeType::kB, binary->bytes));
  }
  std::string payload;
  const Status stored = internal::AppendStored(value, &payload);
  Value(stored.ok() ? AttributeView(value.type(), payload) : AttributeView());
}

void JsonWriter::ItemAttributes(const Item& item) {
  BeginObject();
  for (const auto& [name, value] : item) {
    Key(name);
    Value(value);
  }
  EndObject();
}

}  // namespace dolmen::wire
