// The HTML page that the demo writes beside the text in the terminal. It loads nothing from outside,
// has no script, and follows the reader's choice of a light or a dark theme.

#pragma once

#include <dolmen/result.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace dolmen::demo {

// A page that grows at its end. A value type.
class Page {
 public:
  // Appends a heading. Level 1 is the page's title, and level 2 begins a model.
  void AddHeading(int level, std::string_view text);

  void AddParagraph(std::string_view text);

  // Appends text that keeps its lines and blanks.
  void AddText(std::string_view text);

  // Appends an SVG document, which the reader can scroll.
  void AddPicture(std::string_view svg) { body_.append("<div>").append(svg).append("</div>\n"); }

  // Writes the page to a file, and replaces an existing file.
  // - kStorage: the file cannot be written.
  Status Write(const std::filesystem::path& file) const;

 private:
  std::string body_ = {};
};

}  // namespace dolmen::demo
