package dolmen

import (
	"sync"

	"dolmen/internal/native"
)

// Subscription is a running subscription to a table.
type Subscription struct {
	db     *Database
	handle native.Subscription
	ending sync.Once
}

// Subscribe begins or resumes a subscription to a table with a stream. Each change is passed to the
// handler soon after its commit, in order and at least once.
//
// The records are a JSON array in the form of "Records" in the response of GetRecords. If the handler
// returns an error or calls runtime.Goexit, as testing.T.FailNow does, it gets the same records again a
// second later. The database stores the position under the name, 1 to 255 bytes: a later subscription
// of the name resumes there. A new name begins with the oldest record that the stream retains.
//
// Each call of the handler runs on a goroutine of its own, for one subscription never two calls at a time. It may
// use the database, but not close it.
//   - ValidationException: the table has no stream, the name is wrong, or the database is ReadOnly.
//   - ResourceInUseException: a running subscription of the table has this name.
//   - ResourceNotFoundException: the table does not exist.
func (db *Database) Subscribe(
	table, name string, handler func(records []byte) error,
) (*Subscription, error) {
	if err := checkTexts(table, name); err != nil {
		return nil, err
	}
	subscription := &Subscription{db: db}
	_, err := db.call(func(handle native.Database) (status int, response []byte) {
		subscription.handle, status, response = handle.Subscribe(table, name,
			func(records []byte) bool { return handler(records) == nil })
		if status == native.OK {
			db.subscriptions.add(subscription)
		}
		return status, response
	})
	if err != nil {
		return nil, err
	}
	return subscription, nil
}

// Close ends the subscription and waits for its handler. The database keeps the position. A second
// call has no effect.
//   - ValidationException: the handler of this subscription has called Close.
func (s *Subscription) Close() error {
	if s.handle.IsRunningHere() {
		return validation("a handler cannot close its own subscription")
	}
	s.stop()
	return nil
}

func (s *Subscription) stop() {
	s.ending.Do(func() {
		s.handle.Stop()
		s.db.subscriptions.remove(s)
	})
}

// subscriptions is the set of the running subscriptions of a database.
type subscriptions struct {
	mutex sync.Mutex
	set   map[*Subscription]bool
}

func (s *subscriptions) add(subscription *Subscription) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.set == nil {
		s.set = map[*Subscription]bool{}
	}
	s.set[subscription] = true
}

func (s *subscriptions) remove(subscription *Subscription) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	delete(s.set, subscription)
}

func (s *subscriptions) all() []*Subscription {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	all := make([]*Subscription, 0, len(s.set))
	for subscription := range s.set {
		all = append(all, subscription)
	}
	return all
}

func (s *subscriptions) isRunningHere() bool {
	for _, subscription := range s.all() {
		if subscription.handle.IsRunningHere() {
			return true
		}
	}
	return false
}

func (s *subscriptions) stopAll() {
	for _, subscription := range s.all() {
		subscription.stop()
	}
}
