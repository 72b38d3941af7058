// A writer of SVG documents.

#pragma once

#include <string>
#include <string_view>

namespace dolmen::picture {

// The place of a rectangle, in pixels from the left and from the top.
struct Box {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

// An SVG document that grows with each call. `css` names classes of the style sheet. A value type;
// not thread-safe.
class Canvas {
 public:
  // Draws a rectangle with rounded corners.
  void Rectangle(std::string_view css, const Box& box, int radius = 0);

  // Draw a line from (x, y) to the right or down.
  void HorizontalLine(int x, int y, int length);
  void VerticalLine(int x, int y, int length);

  // Writes a text whose base line begins at (x, y).
  void Text(std::string_view css, int x, int y, std::string_view text);

  // Begins an area that cuts off all that is drawn outside the box, until EndClip. The coordinates of
  // calls within the area begin at its upper left corner. `tip` is a text that a browser shows over
  // the area; "" means none.
  void BeginClip(const Box& box, std::string_view tip = {});
  void EndClip();

  // Draws all of `other` on top.
  void Append(const Canvas& other) { body_.append(other.body_); }

  // Returns the document, with its size, title and style sheet.
  std::string Document(int width, int height, std::string_view title) const;

 private:
  std::string body_;
};

}  // namespace dolmen::picture
