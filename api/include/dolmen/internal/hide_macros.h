// Hides macros of the program until show_macros.h, so that the headers compile behind X11/Xlib.h (Status is int, Always
// is 2), X11/Xos.h (index), windows.h (min, max) or complex.h (I). Every public header begins with this header and ends
// with the other one. Both headers list the same names: those that the public headers use. No include guard: headers nest.

#pragma push_macro("Always")
#undef Always
#pragma push_macro("I")
#undef I
#pragma push_macro("Status")
#undef Status
#pragma push_macro("index")
#undef index
#pragma push_macro("max")
#undef max
#pragma push_macro("min")
#undef min
