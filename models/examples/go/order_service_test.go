package orders

import (
	"context"
	"reflect"
	"testing"
	"time"
)

// service has the methods of both versions.
type service interface {
	Place(context.Context, Order) error
	ImportAll(context.Context, []Order) error
	List(ctx context.Context, customer string) ([]string, error)
	Find(ctx context.Context, customer, id string) (Order, error)
}

// testBothVersions runs a test with both versions of the service: it finds a bug of the first
// version, and the mended version passes. `first` and `mended` are the results that it expects.
func testBothVersions[T any](t *testing.T, first, mended T, run func(Shop, service) T) {
	expect := func(name string, expected T, choose func(Service) service) {
		t.Run(name, func(t *testing.T) {
			shop := NewShop(t)
			if found := run(shop, choose(shop.Service())); !reflect.DeepEqual(found, expected) {
				t.Errorf("found %v, expected %v", found, expected)
			}
		})
	}
	expect("FirstService", first, func(s Service) service { return s.FirstService })
	expect("Service", mended, func(s Service) service { return s })
}

var ctx = context.Background()

func TestAnOrderTakesOneLampAlthoughAnAnswerIsLost(t *testing.T) {
	testBothVersions(t, 8, 9, func(shop Shop, service service) int {
		shop.Simulate(Rule{
			"Fault": "DroppedConnection", "Moment": "After", "Chance": 0.5, "CallsMax": 1,
		})
		shop.Check(service.Place(ctx, NewOrder("ann", "7", "lamp")))
		return shop.Stock("lamp")
	})
}

func TestAllOrdersAreStoredAlthoughABatchIsCut(t *testing.T) {
	all := []string{"1", "2", "3"}
	testBothVersions(t, all[2:], all, func(shop Shop, service service) []string {
		var orders []Order
		for _, id := range all {
			orders = append(orders, NewOrder("eve", id, "lamp"))
		}
		shop.Simulate(Rule{"Fault": "PartialBatch", "Chance": 0.5})
		shop.Check(service.ImportAll(ctx, orders))
		return list(shop, service, "eve")
	})
}

func TestAListHasAllOrdersAlthoughPagesAreShort(t *testing.T) {
	all := []string{"1", "2", "3", "4", "5"}
	testBothVersions(t, all[:2], all, func(shop Shop, service service) []string {
		shop.Simulate(Rule{"Fault": "PageItems", "AmountMin": 1, "AmountMax": 3})
		return list(shop, service, "ann")
	})
}

func TestAReservedOrderIsFoundUntilItExpires(t *testing.T) {
	testBothVersions(t, nil, ErrNoOrder, func(shop Shop, service service) error {
		shop.SetClock("2026-04-15T10:14:59Z")
		_, err := service.Find(ctx, "bob", "6")
		shop.Check(err)
		shop.Advance(time.Second)
		_, err = service.Find(ctx, "bob", "6")
		return err
	})
}

func list(shop Shop, service service, customer string) []string {
	ids, err := service.List(ctx, customer)
	shop.Check(err)
	return ids
}
