// A service that reports no consumed capacity, as ScyllaDB Alternator.

#pragma once

#include <cstddef>
#include <string>

#include "command/database_command.h"
#include "command/endpoint.h"
#include "dolmen/wire.h"
#include "tests/remote/scripted_server.h"
#include "tests/support/value.h"

namespace dolmen::test {

class SilentService {
 public:
  explicit SilentService(const Database& database) : endpoint_(database) {}

  command::OpenedTable OpenTable(const std::string& name) const {
    return Value(command::TableOf(Value(command::ConnectTo({.url = server_.url()})), name));
  }

 private:
  std::string Answer(ReceivedRequest request) const {
    const std::string asked = R"("ReturnConsumedCapacity":"TOTAL")";
    const std::size_t at = request.body.find(asked);
    if (at != request.body.npos) {
      request.body.replace(at, asked.size(), R"("ReturnConsumedCapacity":"NONE")");
    }
    const std::string& target = request.fields["x-amz-target"];
    const EndpointResponse response =
        endpoint_.Execute(target.substr(target.find('.') + 1), request.body);
    return ResponseText(response.status, response.body);
  }

  const Endpoint endpoint_;
  const ScriptedServer server_{[this](const ReceivedRequest& request) { return Answer(request); }};
};

}  // namespace dolmen::test
