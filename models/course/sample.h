// The pattern's sample data: the courses c10 and c20 of instructor i5, and who takes them.
// README.md says where it fills gaps.

#pragma once

#include "models/course/course.h"

namespace dolmen::course {

// Makes it by the platform's ordinary operations.  What is there already stays as it is, so loading
// that broke off can be repeated.
Status LoadSampleData(const Platform& platform);

}  // namespace dolmen::course
