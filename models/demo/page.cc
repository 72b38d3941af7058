#include "models/demo/page.h"

#include <fstream>

namespace dolmen::demo {
namespace {

constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<title>Dolmen's models</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 68rem; margin: 2rem auto; padding: 0 1rem; }
  pre { font: 13px/1.45 ui-monospace, monospace; overflow-x: auto; margin: .3rem 0 1.2rem; }
  h2 { margin-top: 3rem; border-bottom: 2px solid; }
  h3 { margin-bottom: 0; font-size: 1rem; }
  div { overflow-x: auto; }
</style>
)";

std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '<') {
      escaped += "&lt;";
    } else if (c == '&') {
      escaped += "&amp;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

}  // namespace

void Page::AddHeading(int level, std::string_view text) {
  const std::string tag = "h" + std::to_string(level) + ">";
  body_ += "<" + tag + Escaped(text) + "</" + tag + "\n";
}

void Page::AddParagraph(std::string_view text) { body_ += "<p>" + Escaped(text) + "</p>\n"; }

void Page::AddText(std::string_view text) { body_ += "<pre>" + Escaped(text) + "</pre>\n"; }

Status Page::Write(const std::filesystem::path& file) const {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << kHead << body_ << "</html>\n";
  out.close();
  return out ? Status() : Status::Storage("cannot write " + file.string());
}

}  // namespace dolmen::demo
