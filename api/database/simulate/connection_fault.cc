#include "database/simulate/connection_fault.h"

namespace dolmen::internal {
namespace {

thread_local ConnectionFaultReceiver* receiver_of_thread = nullptr;

}  // namespace

ConnectionFaultReceiver::ConnectionFaultReceiver() : outer_(receiver_of_thread) {
  receiver_of_thread = this;
}

ConnectionFaultReceiver::~ConnectionFaultReceiver() { receiver_of_thread = outer_; }

bool ConnectionFaultReceiver::Report(ConnectionFault fault) {
  if (fault == ConnectionFault::kNone || receiver_of_thread == nullptr) return false;
  receiver_of_thread->fault_ = fault;
  return true;
}

}  // namespace dolmen::internal
