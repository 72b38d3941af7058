// Writing JSON, and attribute values as DynamoDB's JSON, at the end of a string.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dolmen/attribute_value.h"
#include "dolmen/clock.h"
#include "dolmen/item_view.h"

namespace dolmen::wire {

// Puts the commas.  Borrows the string, to which nobody else writes meanwhile.
class JsonWriter {
 public:
  // Appends to `out`, in which what is before is not looked at.
  explicit JsonWriter(std::string* out) : out_(out), start_(out->size()) {}

  void BeginObject() { Begin('{'); }
  void EndObject() { out_->push_back('}'); }
  void BeginArray() { Begin('['); }
  void EndArray() { out_->push_back(']'); }

  // The name of the value that is written next.
  void Key(std::string_view name);

  void String(std::string_view text);
  void Integer(std::int64_t number);
  void Unsigned(std::uint64_t number);
  // With a decimal point, as DynamoDB writes its doubles: 1.0.
  void Double(double number);
  void Boolean(bool value);
  // Seconds since 1970, with milliseconds if there are any.
  void Time(Timestamp time);

  // What stands for a value already.
  void Raw(std::string_view json);

  // {"S": "text"}
  void Value(const AttributeView& value);
  // {"PK": {"S": "text"}}
  void Attributes(const ItemView& item);
  // The same for a key, whose attributes are strings, numbers and binaries.
  void KeyAttributes(const Item& key);

  // A member with its name.
  void StringField(std::string_view name, std::string_view text) { Key(name), String(text); }
  void IntegerField(std::string_view name, std::int64_t number) { Key(name), Integer(number); }
  void UnsignedField(std::string_view name, std::uint64_t number) { Key(name), Unsigned(number); }
  void DoubleField(std::string_view name, double number) { Key(name), Double(number); }
  void BooleanField(std::string_view name, bool value) { Key(name), Boolean(value); }
  void TimeField(std::string_view name, Timestamp time) { Key(name), Time(time); }

 private:
  void Begin(char bracket) {
    Separate();
    out_->push_back(bracket);
  }
  // A comma, unless this is the first in its object or array, or a member's value.
  void Separate();
  void Quoted(std::string_view text);
  void QuotedBase64(std::string_view bytes);
  void MapMembers(const MapView& map);

  std::string* out_;
  std::size_t start_;
};

}  // namespace dolmen::wire
