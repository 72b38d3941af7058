// The pattern's sample data: the courses c10 and c20 of instructor i5, and their students.
// README.md lists the values in this data that the pattern does not contain.

#pragma once

#include "models/course/course.h"

namespace dolmen::course {

// Creates the sample data through the platform's ordinary operations. Existing items are not
// changed, so an interrupted load can be repeated.
Status LoadSampleData(const Platform& platform);

}  // namespace dolmen::course
