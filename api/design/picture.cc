#include "dolmen/design/picture.h"

#include <algorithm>

#include "design/arrangement.h"
#include "design/painter.h"
#include "design/text.h"
#include "dolmen/entity/describe.h"

namespace dolmen {
namespace {

void AddIfNew(std::string_view name, std::vector<std::string>* names) {
  if (std::ranges::find(*names, name) == names->end()) names->emplace_back(name);
}

}  // namespace

std::string DrawTable(const TableDescription& table, std::span<const Item> items,
                      const PictureOptions& options) {
  return picture::Paint(picture::Arrange(table, items, options),
                        options.title.empty() ? table.name : options.title, options);
}

// The entity layer declares this function, but stands below the drawing of tables.
std::string TableDesign::ToSvg(std::span<const Item> items, PictureOptions options) const {
  options.kinds.clear();
  options.type_attributes.clear();
  options.attribute_order.clear();
  for (const entity::EntitySpec* entity : entities_) {
    AddIfNew(entity->name, &options.kinds);
    AddIfNew(entity->type_attribute, &options.type_attributes);
    auto& order = options.attribute_order[std::string(entity->name)];
    for (const entity::AttributeSpec& attribute : entity->attributes) {
      order.emplace_back(attribute.name);
    }
  }
  return DrawTable(Table(), items, options);
}

std::string PicturePage(const std::string& svg, const std::string& title) {
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>";
  page.append(picture::Escaped(picture::OneLine(title)));
  page.append(
      "</title>\n<style>:root{color-scheme:light dark}body{margin:24px;background:#fff}"
      "body>svg{display:block;margin:auto;max-width:100%;height:auto}"
      "@media(prefers-color-scheme:dark){body{background:#000}}</style>\n</head>\n<body>\n");
  return page.append(svg).append("</body>\n</html>\n");
}

}  // namespace dolmen
