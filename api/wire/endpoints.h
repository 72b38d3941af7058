// The response of DescribeEndpoints.

#pragma once

#include <string_view>

#include "wire/json_writer.h"

namespace dolmen::wire {

// Writes the response of DescribeEndpoints for a service that the client reaches at `address`, a host
// and a port as in the request's Host.
void WriteEndpoints(std::string_view address, JsonWriter* json);

}  // namespace dolmen::wire
