// The colours and the fonts of pictures.

#pragma once

#include <cstddef>
#include <string>

namespace dolmen::picture {

// The number of colours of kinds. The kind at position k has the colour k % kHues.
inline constexpr std::size_t kHues = 10;

// Returns the style sheet of a picture, for a light theme and, by prefers-color-scheme, for a dark
// theme. Each text has a contrast of at least 4.5 to its background in both themes. The classes are:
// - paper, band, head, rule: the background, a partition, the partition's key, a line.
// - title, heading, muted, name, keyname, value, key: texts.
// - k0 to k9: the name of a kind. f0 to f9: an area of its colour. t0 to t9: a tinted area.
std::string StyleSheet();

}  // namespace dolmen::picture
