// libcurl, which the command loads only when it connects to a service.

#pragma once

namespace dolmen::command {

// Returns true if libcurl could be loaded. The file also defines the functions of libcurl that
// dolmen::remote calls; each of them forwards to the loaded library. libcurl and its 25 libraries would
// otherwise take half of the time in which `dolmen serve` starts. Thread-safe.
bool HasCurl();

}  // namespace dolmen::command
