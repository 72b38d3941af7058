// Texts of a picture: attribute values as one line, their widths, and their XML form.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "dolmen/attribute_value.h"

namespace dolmen::picture {

// Returns the value as one line of well-formed UTF-8: a string as it is, any other value as
// AttributeView::ToString writes it. Control characters are escaped as in C: \n, \x1b.
std::string ValueText(const AttributeValue& value);

// Returns the text as one line of well-formed UTF-8, with the escapes of ValueText.
std::string OneLine(std::string_view text);

// Returns the width in columns of a monospaced font. A character of East Asia and an emoji is two
// columns wide, and a combining mark has no width.
// REQUIRES: the text is well-formed UTF-8
std::size_t ColumnsOf(std::string_view text);

// Returns the text if it has at most `columns` columns. Otherwise returns its longest beginning that
// fits together with an ellipsis, and the ellipsis. Returns "" if `columns` is 0.
// REQUIRES: the text is well-formed UTF-8
std::string Truncated(const std::string& text, std::size_t columns);

// Returns the text with the characters escaped that have a meaning in XML, both in a text and in an
// attribute. Replaces characters that XML excludes by U+FFFD.
// REQUIRES: the text is well-formed UTF-8
std::string Escaped(std::string_view text);

}  // namespace dolmen::picture
