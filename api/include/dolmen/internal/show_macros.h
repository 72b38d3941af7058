// Gives the program the macros back that hide_macros.h has hidden. No include guard: headers nest.

#pragma pop_macro("min")
#pragma pop_macro("max")
#pragma pop_macro("index")
#pragma pop_macro("Status")
#pragma pop_macro("I")
#pragma pop_macro("Always")
