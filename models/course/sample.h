// The pattern's sample data: the courses c10 and c20 of instructor i5, and their students.
// README.md lists the values in this data that the pattern does not contain.

#pragma once

#include "models/course/course.h"

namespace dolmen::course {

// Stores the sample data. A second call stores the same items again, so it undoes changes of them. It
// keeps other items.
Status LoadSampleData(const Platform& platform);

}  // namespace dolmen::course
