#include "engine/expression/projection.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/expression/binding.h"
#include "engine/expression/syntax/diagnostics.h"
#include "engine/value/attribute_walk.h"
#include "engine/value/bytes.h"
#include "engine/value/codec.h"
#include "engine/value/item_form.h"

namespace dolmen::engine {
namespace {

// The bytes of the head of an item with few attributes: the header and the number of attributes. The
// head of a stored item has at least this number of bytes.
constexpr std::size_t kHeadBytes = kItemHeaderBytes + 1;
constexpr std::size_t kFewAttributes = 0x7F;  // the greatest number that takes one byte

Status DamagedItem() { return Status::Corruption("a stored item is damaged"); }

}  // namespace

// Builder of the nodes of a projection from the paths of the projection.
class ProjectionTree {
 public:
  explicit ProjectionTree(Projection* projection) : projection_(projection) {
    for (const DocumentPath& path : projection->paths_) sorted_.push_back(&path);
    std::sort(sorted_.begin(), sorted_.end(),
              [](const DocumentPath* a, const DocumentPath* b) { return *a < *b; });
  }

  void Build() { projection_->root_count_ = AddLevel(0, sorted_.size(), 0); }

 private:
  // Adds a node for each distinct step that the paths sorted_[first, last) have at `depth`, then
  // the nodes below these nodes. Returns the number of nodes added at `depth`.
  // REQUIRES: each of these paths has more than `depth` steps.
  std::uint16_t AddLevel(std::size_t first, std::size_t last, std::size_t depth) {
    auto& nodes = projection_->nodes_;
    const std::size_t level = nodes.size();
    for (std::size_t i = first; i < last; ++i) {
      if (i == first || Step(i, depth) != Step(i - 1, depth)) nodes.push_back({Step(i, depth)});
    }
    const std::size_t count = nodes.size() - level;
    for (std::size_t node = level; node < level + count; ++node) {
      std::size_t end = first;
      while (end < last && Step(end, depth) == nodes[node].step) ++end;
      // Adds the nodes below this node. If a path ends at this node, none exist: no other path
      // leads through the node, because no two paths overlap.
      if (sorted_[first]->nested().size() > depth) {
        const auto first_child = static_cast<std::uint16_t>(nodes.size());
        const std::uint16_t child_count = AddLevel(first, end, depth + 1);
        nodes[node].first_child = first_child;
        nodes[node].child_count = child_count;
      }
      first = end;
    }
    return static_cast<std::uint16_t>(count);
  }

  PathStep Step(std::size_t i, std::size_t depth) const {
    const DocumentPath& path = *sorted_[i];
    return depth == 0 ? PathStep::Name(path.attribute()) : path.nested()[depth - 1];
  }

  Projection* projection_;
  boost::container::small_vector<const DocumentPath*, 8> sorted_;
};

Projection::Projection(std::vector<DocumentPath> paths) : paths_(std::move(paths)) {
  ProjectionTree(this).Build();
  is_flat_ = root_count_ == nodes_.size() && !nodes_.empty() && nodes_.size() <= kFewAttributes;
}

// Calls `take`, a Status(const Node&, const AttributeWalk&), for each attribute that a path begins
// with.
template <typename Take>
Status Projection::ForEachAttribute(const ItemView& item, Take take) const {
  std::span<const Node> wanted(nodes_.data(), root_count_);
  AttributeWalk attribute(item);
  while (!wanted.empty()) {  // both are sorted by name
    // Skips most attributes in front of the wanted one by the first bytes of their names.
    const unsigned char first = FirstByte(wanted.front().step.name());
    const auto is_near = [first](std::string_view name) { return FirstByte(name) >= first; };
    if (!attribute.NextAccepted(is_near)) break;
    int order = CompareNames(wanted.front().step.name(), attribute.name());
    while (order < 0 && wanted.size() > 1) {
      wanted = wanted.subspan(1);
      order = CompareNames(wanted.front().step.name(), attribute.name());
    }
    if (order > 0) continue;
    if (order < 0) return {};
    DOLMEN_RETURN_IF_ERROR(take(wanted.front(), attribute));
    wanted = wanted.subspan(1);
  }
  return attribute.damaged() ? DamagedItem() : Status();
}

// Does the work of Apply() if the item has all attributes of the projection. Otherwise, or if bytes
// are damaged, returns false and appends nothing. REQUIRES: is_flat_
[[gnu::always_inline]] inline bool Projection::CopyAttributes(const ItemView& item,
                                                              std::string* out) const {
  const std::size_t start = out->size();
  std::uint32_t size_bytes = 0;
  AttributeWalk attribute(item);
  for (const Node& node : nodes_) {  // both are sorted by name
    const std::string_view wanted = node.step.name();
    const auto is_wanted = [wanted](std::string_view name) { return AreSame(name, wanted); };
    if (!attribute.NextAccepted(is_wanted) || !attribute.value()) {
      out->resize(start);
      return false;
    }
    // Copies bytes in front of the first attribute, too. They become the place of the new head.
    const std::size_t head_bytes = out->size() == start ? kHeadBytes : 0;
    const std::string_view bytes = attribute.bytes();
    out->append(bytes.data() - head_bytes, head_bytes + bytes.size());
    size_bytes += SizeOf(attribute.name(), attribute.value());
  }
  if (attribute.damaged()) {
    out->resize(start);
    return false;
  }
  char* const head = out->data() + start;
  head[0] = kItemFormat;
  WriteLittleEndian32(size_bytes, head + kItemSizeOffset);
  head[kItemHeaderBytes] = static_cast<char>(nodes_.size());
  return true;
}

Status Projection::Apply(const ItemView& item, std::string* out) const {
  if (is_flat_ && CopyAttributes(item, out)) return {};
  return ApplyAny(item, out);
}

// Does the work of Apply() for any projection and item.
Status Projection::ApplyAny(const ItemView& item, std::string* out) const {
  ItemWriter writer(out);
  Status added = ForEachAttribute(item, [&](const Node& node, const AttributeWalk& attribute) {
    if (node.child_count > 0) return AddPruned(node, attribute, &writer);
    return writer.AddStored(attribute) ? Status() : DamagedItem();
  });
  added.ok() ? writer.Finish() : writer.Abandon();
  return added;
}

// Adds the parts of the attribute that the paths through the node select.
Status Projection::AddPruned(const Node& node, const AttributeWalk& attribute,
                             ItemWriter* writer) const {
  std::optional<AttributeValue> pruned;
  DOLMEN_RETURN_IF_ERROR(Prune(node, attribute.value(), &pruned));
  if (!pruned) return {};
  std::string payload;
  if (!EncodeValue(*pruned, &payload).ok()) return DamagedItem();
  writer->Add(attribute.name(), AttributeView(pruned->type(), payload));
  return {};
}

// Sets `*part` to the parts of `value` that the paths through the node select. If the paths select
// nothing, leaves `*part` empty.
Status Projection::Prune(const Node& node, const AttributeView& value,
                         std::optional<AttributeValue>* part) const {
  if (node.child_count == 0) {
    DOLMEN_ASSIGN_OR_RETURN(*part, value.Copy());
    return {};
  }
  Map map;
  List list;
  const bool is_list = nodes_[node.first_child].step.is_index();  // no two paths conflict
  for (const Node& child : Children(node)) {
    const PathStep& step = child.step;
    const AttributeView element = is_list ? value[std::size_t{step.index()}] : value[step.name()];
    if (!element.exists()) continue;
    std::optional<AttributeValue> element_part;
    DOLMEN_RETURN_IF_ERROR(Prune(child, element, &element_part));
    if (!element_part) continue;
    if (is_list) {
      list.push_back(*std::move(element_part));
    } else {
      map.emplace_hint(map.end(), step.name(), *std::move(element_part));
    }
  }
  if (!list.empty()) *part = std::move(list);
  if (!map.empty()) *part = std::move(map);
  return {};
}

Result<Projection> BindProjection(const ProjectionSyntax& syntax, Placeholders& placeholders) {
  Diagnostics diagnostics(ExpressionKind::kProjection, syntax.dialect);
  std::vector<DocumentPath> paths;
  paths.reserve(syntax.paths.size());
  for (const PathSyntax path : syntax.paths) {
    paths.push_back(BindPath(syntax, path, placeholders, &diagnostics));
  }
  CheckForClash(paths, &diagnostics);
  if (!diagnostics.ok()) return diagnostics.status();
  return Projection(std::move(paths));
}

}  // namespace dolmen::engine
