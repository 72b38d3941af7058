// The painter of pictures: it gives each part of an arrangement its place.

#pragma once

#include <string>

#include "design/arrangement.h"

namespace dolmen::picture {

// Returns the SVG document of the arrangement.
std::string Paint(const Arrangement& arrangement, const std::string& title,
                  const PictureOptions& options);

}  // namespace dolmen::picture
