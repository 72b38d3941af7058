#include "design/style.h"

#include <string_view>

namespace dolmen::picture {
namespace {

struct Hue {
  std::string_view colour = {};
  std::string_view tint = {};
};

struct Theme {
  std::string_view paper = {};
  std::string_view band = {};
  std::string_view head = {};
  std::string_view rule = {};
  std::string_view ink = {};
  std::string_view muted = {};
  Hue hues[kHues] = {};
};

constexpr Theme kLight = {
    .paper = "#f6f4ef",
    .band = "#ffffff",
    .head = "#efece4",
    .rule = "#dcd7cb",
    .ink = "#1f2328",
    .muted = "#5b626b",
    .hues = {{"#1d5bb8", "#e9f0fb"},
             {"#a3420a", "#fdeee3"},
             {"#136b38", "#e4f4ea"},
             {"#7438b8", "#f2eafb"},
             {"#0a6373", "#e1f3f6"},
             {"#a81c63", "#fce8f1"},
             {"#6d5200", "#f8f0d4"},
             {"#a82018", "#fdeae8"},
             {"#3d5163", "#e8eef3"},
             {"#4336c4", "#ecebfc"}},
};

constexpr Theme kDark = {
    .paper = "#0f1216",
    .band = "#171b21",
    .head = "#20252d",
    .rule = "#333a45",
    .ink = "#e8eaed",
    .muted = "#a3abb6",
    .hues = {{"#82bbff", "#182a42"},
             {"#ffb07c", "#3a2516"},
             {"#7adb96", "#15301f"},
             {"#cdaeff", "#2c2142"},
             {"#66d9e4", "#113037"},
             {"#ff9fcf", "#3b1a2c"},
             {"#e6c860", "#322a10"},
             {"#ffa49b", "#3d1d1a"},
             {"#b5c4d2", "#232c35"},
             {"#aeb8ff", "#22254a"}},
};

// Appends `.name{property:value}`.
void AppendRule(std::string_view name, std::string_view property, std::string_view value,
                std::string* sheet) {
  sheet->append(".").append(name).append("{").append(property).append(":");
  sheet->append(value).append("}");
}

void AppendTheme(const Theme& theme, std::string* sheet) {
  AppendRule("paper", "fill", theme.paper, sheet);
  AppendRule("band", "fill", theme.band, sheet);
  AppendRule("head", "fill", theme.head, sheet);
  AppendRule("rule", "stroke", theme.rule, sheet);
  for (const std::string_view text : {"title", "heading", "value", "key"}) {
    AppendRule(text, "fill", theme.ink, sheet);
  }
  AppendRule("muted", "fill", theme.muted, sheet);
  AppendRule("name", "fill", theme.muted, sheet);
  AppendRule("keyname", "fill", theme.muted, sheet);
  for (std::size_t i = 0; i < kHues; ++i) {
    const std::string number = std::to_string(i);
    AppendRule("k" + number, "fill", theme.hues[i].colour, sheet);
    AppendRule("f" + number, "fill", theme.hues[i].colour, sheet);
    AppendRule("t" + number, "fill", theme.hues[i].tint, sheet);
  }
}

constexpr std::string_view kFonts =
    "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Liberation Sans',sans-serif;"
    "font-size:11px;white-space:pre}"
    ".title{font-size:22px;font-weight:700}"
    ".heading{font-size:14px;font-weight:700}"
    ".kind{font-size:10.5px;font-weight:700}"
    ".name,.keyname{font-size:10.5px}"
    ".keyname{font-weight:700}"
    ".value,.key{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',"
    "'Liberation Mono',monospace;font-size:12px}"
    ".key{font-weight:700}"
    ".rule{stroke-width:1;fill:none}";

}  // namespace

std::string StyleSheet() {
  std::string sheet(kFonts);
  AppendTheme(kLight, &sheet);
  sheet.append("@media(prefers-color-scheme:dark){");
  AppendTheme(kDark, &sheet);
  return sheet.append("}");
}

}  // namespace dolmen::picture
