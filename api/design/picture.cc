#include "dolmen/design/picture.h"

#include "design/arrangement.h"
#include "design/painter.h"
#include "design/text.h"

namespace dolmen {

std::string DrawTable(const TableDescription& table, std::span<const Item> items,
                      const PictureOptions& options) {
  return picture::Paint(picture::Arrange(table, items, options),
                        options.title.empty() ? table.name : options.title, options);
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
