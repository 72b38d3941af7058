// The macros that programs often have when they include a header of Dolmen.

// X11/Xlib.h
#define Always 2
#define Bool int
#define Complex 0
#define False 0
#define None 0L
#define Status int
#define Success 0
#define True 1
#define index(text, character) 0  // X11/Xos.h

// windows.h
#define DELETE (0x00010000L)
#define ERROR 0
#define GetMessage GetMessageW
#define GetObject GetObjectW
#define IN
#define OPTIONAL
#define OUT
#define far
#define interface struct
#define max(a, b) (((a) > (b)) ? (a) : (b))
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define near
#define small char

// Qt
#define emit
#define foreach(variable, container) for (variable : container)
#define signals public
#define slots

// complex.h, sys/sysmacros.h, and Apple's AssertMacros.h
#define I 1
#define check(condition)
#define major(device) 0
#define minor(device) 0
