#include "engine/value/patch.h"

#include <boost/container/small_vector.hpp>
#include <cstdint>

#include "dolmen/internal/status_macros.h"
#include "engine/value/attribute_walk.h"
#include "engine/value/bytes.h"
#include "engine/value/codec.h"
#include "engine/value/item_form.h"

namespace dolmen::engine {
namespace {

// The place of a change in the bytes of the old item.
struct Place {
  const char* start;            // the position at which the attribute begins, or is inserted
  AttributeView replaced = {};  // the old value; absent if the old item lacks the attribute

  const char* end() const {
    return replaced ? replaced.payload().data() + replaced.payload().size() : start;
  }
};
using Places = boost::container::small_vector<Place, 8>;

// The counts and sizes of the new item, from which its header is written.
struct Measures {
  std::size_t count;         // of attributes
  std::uint32_t size_bytes;  // as DynamoDB defines it
  std::size_t bytes_max;     // an upper limit of the bytes of the stored form
};

const char* EndOf(const ItemView& item) { return item.bytes().data() + item.bytes().size(); }

// Appends the place of each change to `places`.
Status FindPlaces(const ItemView& item, std::span<const AttributeChange> changes, Places* places) {
  AttributeWalk attribute(item);
  bool damaged = false;
  while (attribute.Next()) {
    damaged = damaged || !attribute.value();
    while (places->size() < changes.size()) {
      const int order = changes[places->size()].name.compare(attribute.name());
      if (order > 0) break;
      places->push_back(
          {attribute.bytes().data(), order == 0 ? attribute.value() : AttributeView()});
    }
  }
  if (damaged || attribute.damaged()) return Status::Corruption("a stored item is damaged");
  places->resize(changes.size(), Place{EndOf(item)});
  return {};
}

std::uint32_t SizeOfAttribute(std::string_view name, const AttributeView& value) {
  return static_cast<std::uint32_t>(name.size()) + SizeOf(value);
}

Measures Measure(const ItemView& item, std::span<const AttributeChange> changes,
                 const Places& places) {
  Measures measured{item.attributes().size(), item.size_bytes(),
                    item.bytes().size() + kItemHeaderBytes + kVarintBytesMax};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const auto& [name, value] = changes[i];
    if (places[i].replaced) {
      --measured.count;
      measured.size_bytes -= SizeOfAttribute(name, places[i].replaced);
    }
    if (value) {
      ++measured.count;
      measured.size_bytes += SizeOfAttribute(name, value);
      measured.bytes_max += name.size() + 1 + value.payload().size() + 2 * kVarintBytesMax;
    }
  }
  return measured;
}

// Returns the position of the item's first attribute.
const char* FirstAttribute(const ItemView& item) {
  if (item.bytes().empty()) return EndOf(item);
  const auto count = static_cast<std::uint32_t>(item.attributes().size());
  return item.bytes().data() + kItemHeaderBytes + VarintBytes(count);
}

}  // namespace

Status PatchItem(const ItemView& item, std::span<const AttributeChange> changes, std::string* out) {
  Places places;
  DOLMEN_RETURN_IF_ERROR(FindPlaces(item, changes, &places));
  const Measures measured = Measure(item, changes, places);
  const std::size_t start = out->size();
  out->resize(start + measured.bytes_max);
  char* end = out->data() + start;
  const auto write = [&end](std::string_view bytes) { end += bytes.copy(end, bytes.size()); };
  *end = kItemFormat;
  WriteLittleEndian32(measured.size_bytes, end + kItemSizeOffset);
  end = WriteVarint(static_cast<std::uint32_t>(measured.count), end + kItemHeaderBytes);
  const char* copied_until = FirstAttribute(item);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    write({copied_until, places[i].start});
    copied_until = places[i].end();
    const auto& [name, value] = changes[i];
    if (!value) continue;
    end = WriteBlock(name, end);
    *end++ = static_cast<char>(value.type());
    end = WriteBlock(value.payload(), end);
  }
  write({copied_until, EndOf(item)});
  out->resize(static_cast<std::size_t>(end - out->data()));
  return {};
}

}  // namespace dolmen::engine
