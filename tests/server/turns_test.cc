// Tests of the queue of work that must not delay the other events of a worker.

#include "server/turns.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace dolmen::test {
namespace {

using server::Turns;
using testing::ElementsAre;

class TurnsTest : public testing::Test {
 protected:
  auto Note(std::string name) {
    return [this, name = std::move(name)] { done_.push_back(name); };
  }

  boost::asio::io_context context_{1};
  Turns turns_{&context_};
  std::vector<std::string> done_;
};

TEST_F(TurnsTest, RunsTasksInTheOrderOfTheirArrival) {
  for (const char* name : {"first", "second", "third"}) turns_.Add(Note(name));
  context_.run();
  EXPECT_THAT(done_, ElementsAre("first", "second", "third"));
}

TEST_F(TurnsTest, AddRunsNothing) {
  turns_.Add(Note("task"));
  EXPECT_THAT(done_, ElementsAre());
}

TEST_F(TurnsTest, TheLoopHandlesOtherEventsBetweenTwoTasks) {
  const auto task = [this](const std::string& name) {
    return [this, name] {
      done_.push_back(name);
      boost::asio::post(context_, Note("event of " + name));
    };
  };
  for (const char* name : {"first", "second", "third", "fourth"}) turns_.Add(task(name));
  boost::asio::post(context_, Note("event"));
  context_.run();
  EXPECT_THAT(done_, ElementsAre("first", "event", "second", "event of first", "third",
                                 "event of second", "fourth", "event of third", "event of fourth"));
}

TEST_F(TurnsTest, TheLoopLooksForNewEventsBetweenTwoTasks) {
  boost::asio::local::stream_protocol::socket reader(context_);
  boost::asio::local::stream_protocol::socket writer(context_);
  boost::asio::local::connect_pair(reader, writer);
  reader.async_wait(reader.wait_read, [this](const auto&) { done_.push_back("readable"); });
  turns_.Add([&] { writer.write_some(boost::asio::buffer("x", 1)); });
  for (int i = 0; i < 4; ++i) turns_.Add(Note("task"));
  context_.run();
  EXPECT_LE(std::ranges::find(done_, "readable") - done_.begin(), 2)
      << testing::PrintToString(done_);
}

// A connection with a large body waits for its next turn as soon as it has had one.
TEST_F(TurnsTest, ATaskThatIsAddedByATaskRunsAfterTheTasksThatWait) {
  turns_.Add([this] {
    done_.push_back("first");
    turns_.Add(Note("first again"));
  });
  turns_.Add(Note("second"));
  context_.run();
  EXPECT_THAT(done_, ElementsAre("first", "second", "first again"));
}

TEST_F(TurnsTest, TasksRunAfterATaskThatThrows) {
  turns_.Add([] { throw std::runtime_error("no memory"); });
  turns_.Add(Note("second"));
  EXPECT_THROW(context_.run(), std::runtime_error);
  context_.run();
  EXPECT_THAT(done_, ElementsAre("second"));
}

TEST_F(TurnsTest, TasksThatHadNoTurnAreDestroyed) {
  const auto owned = std::make_shared<int>();
  {
    Turns turns(&context_);
    turns.Add([owned, only_movable = std::make_unique<int>()] {});
    EXPECT_EQ(owned.use_count(), 2);
  }
  EXPECT_EQ(owned.use_count(), 1);
}

}  // namespace
}  // namespace dolmen::test
