#include "server/turns.h"

#include <boost/asio/post.hpp>

namespace dolmen::server {

// asio::post appends to the queue of the loop. The loop looks for new events once while it works through that queue.
void Turns::Post() {
  if (posted_ || waiting_.empty()) return;
  boost::asio::post(context_, [this] { RunNext(); });
  posted_ = true;
}

void Turns::RunNext() {
  posted_ = false;
  const std::unique_ptr<Waiting> next = std::move(waiting_.front());
  waiting_.pop_front();
  Post();  // before Run, which may throw
  next->Run();
}

}  // namespace dolmen::server
