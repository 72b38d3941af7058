#include "design/canvas.h"

#include "design/style.h"
#include "design/text.h"

namespace dolmen::picture {
namespace {

// Appends ` name="value"`.
void AppendNumber(std::string_view name, int value, std::string* out) {
  out->append(" ").append(name).append("=\"").append(std::to_string(value)).append("\"");
}

void AppendBox(const Box& box, std::string* out) {
  AppendNumber("x", box.x, out);
  AppendNumber("y", box.y, out);
  AppendNumber("width", box.width, out);
  AppendNumber("height", box.height, out);
}

}  // namespace

void Canvas::Rectangle(std::string_view css, const Box& box, int radius) {
  body_.append("<rect class=\"").append(css).append("\"");
  AppendBox(box, &body_);
  if (radius > 0) AppendNumber("rx", radius, &body_);
  body_.append("/>\n");
}

void Canvas::HorizontalLine(int x, int y, int length) {
  body_.append("<path class=\"rule\" d=\"M").append(std::to_string(x)).append(" ");
  body_.append(std::to_string(y)).append(".5h").append(std::to_string(length)).append("\"/>\n");
}

void Canvas::VerticalLine(int x, int y, int length) {
  body_.append("<path class=\"rule\" d=\"M").append(std::to_string(x)).append(".5 ");
  body_.append(std::to_string(y)).append("v").append(std::to_string(length)).append("\"/>\n");
}

void Canvas::Text(std::string_view css, int x, int y, std::string_view text) {
  body_.append("<text class=\"").append(css).append("\"");
  AppendNumber("x", x, &body_);
  AppendNumber("y", y, &body_);
  body_.append(">").append(Escaped(text)).append("</text>\n");
}

void Canvas::BeginClip(const Box& box, std::string_view tip) {
  body_.append("<svg");
  AppendBox(box, &body_);
  body_.append(">");
  if (!tip.empty()) body_.append("<title>").append(Escaped(tip)).append("</title>");
}

void Canvas::EndClip() { body_.append("</svg>\n"); }

std::string Canvas::Document(int width, int height, std::string_view title) const {
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"";
  AppendNumber("width", width, &out);
  AppendNumber("height", height, &out);
  out.append(" viewBox=\"0 0 ").append(std::to_string(width)).append(" ");
  out.append(std::to_string(height)).append("\">\n<title>").append(Escaped(title));
  out.append("</title>\n<style>").append(StyleSheet()).append("</style>\n");
  return out.append(body_).append("</svg>\n");
}

}  // namespace dolmen::picture
