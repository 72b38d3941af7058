#include "engine/value/patch.h"

#include <boost/container/small_vector.hpp>
#include <cstdint>

#include "engine/base/status_macros.h"
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

// The results of a walk over the old item.
struct Walked {
  const char* first;      // the position of the item's first attribute, or the item's end
  std::size_t count = 0;  // of the item's attributes
  boost::container::small_vector<Place, 8> places = {};  // of the changes
};

// The counts and sizes of the new item, from which its header is written.
struct Measures {
  std::size_t count;         // of attributes
  std::uint32_t size_bytes;  // as DynamoDB defines it
  std::size_t bytes_max;     // an upper limit of the bytes of the stored form
};

const char* EndOf(const ItemView& item) { return item.bytes().data() + item.bytes().size(); }

// Walks over the item and finds the place of each change.
Status Walk(const ItemView& item, std::span<const AttributeChange> changes, Walked* walked) {
  AttributeWalk attribute(item);
  bool damaged = false;
  while (attribute.Next()) {
    if (walked->count++ == 0) walked->first = attribute.bytes().data();
    damaged = damaged || !attribute.value();
    while (walked->places.size() < changes.size()) {
      const int order = CompareNames(changes[walked->places.size()].name, attribute.name());
      if (order > 0) break;
      walked->places.push_back(
          {attribute.bytes().data(), order == 0 ? attribute.value() : AttributeView()});
    }
  }
  if (damaged || attribute.damaged()) return Status::Corruption("a stored item is damaged");
  walked->places.resize(changes.size(), Place{EndOf(item)});
  return {};
}

Measures Measure(const ItemView& item, std::span<const AttributeChange> changes,
                 const Walked& walked) {
  Measures measured{walked.count, item.size_bytes(),
                    item.bytes().size() + kItemHeaderBytes + kVarintBytesMax};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const auto& [name, value] = changes[i];
    const AttributeView& replaced = walked.places[i].replaced;
    if (replaced) {
      --measured.count;
      measured.size_bytes -= SizeOf(name, replaced);
    }
    if (value) {
      ++measured.count;
      measured.size_bytes += SizeOf(name, value);
      measured.bytes_max += name.size() + 1 + value.payload().size() + 2 * kVarintBytesMax;
    }
  }
  return measured;
}

}  // namespace

Status PatchItem(const ItemView& item, std::span<const AttributeChange> changes, std::string* out) {
  Walked walked{EndOf(item)};
  DOLMEN_RETURN_IF_ERROR(Walk(item, changes, &walked));
  const Measures measured = Measure(item, changes, walked);
  const std::size_t start = out->size();
  out->resize(start + measured.bytes_max);
  char* end = out->data() + start;
  const auto write = [&end](std::string_view bytes) { end += bytes.copy(end, bytes.size()); };
  *end = kItemFormat;
  WriteLittleEndian32(measured.size_bytes, end + kItemSizeOffset);
  end = WriteVarint(static_cast<std::uint32_t>(measured.count), end + kItemHeaderBytes);
  const char* copied_until = walked.first;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    write({copied_until, walked.places[i].start});
    copied_until = walked.places[i].end();
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
