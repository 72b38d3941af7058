// Tests of the order service by faults and a clock. Each test runs with both versions of the
// service: it finds a bug of the first version, and the mended version passes. The value beside a
// version is the result that the test expects from it.

import { expect } from 'vitest';
import { FirstOrderService, OrderService } from './order_service.mjs';
import { test } from './shop.mjs';

const bothVersions = (first, mended) =>
  test.for([
    { Version: FirstOrderService, expected: first },
    { Version: OrderService, expected: mended },
  ]);

bothVersions(8, 9)(
  'an order takes one lamp although an answer is lost: $Version.name',
  async ({ Version, expected }, { shop }) => {
    await shop.simulate({
      Fault: 'DroppedConnection',
      Moment: 'After',
      Chance: 0.5,
      CallsMax: 1,
    });
    await new Version(shop.client).place({ customer: 'ann', id: '7', product: 'lamp' });
    expect(await shop.stock('lamp')).toBe(expected);
  },
);

bothVersions(['3'], ['1', '2', '3'])(
  'all orders are stored although a batch is cut: $Version.name',
  async ({ Version, expected }, { shop }) => {
    const service = new Version(shop.client, { wait: shop.advance });
    const orders = ['1', '2', '3'].map((id) => ({ customer: 'eve', id, product: 'lamp' }));
    await shop.simulate({ Fault: 'PartialBatch', Chance: 0.5 });
    await service.importAll(orders);
    expect(await service.list('eve')).toEqual(expected);
  },
);

bothVersions(['1', '2'], ['1', '2', '3', '4', '5'])(
  'a list has all orders although pages are short: $Version.name',
  async ({ Version, expected }, { shop }) => {
    await shop.simulate({ Fault: 'PageItems', AmountMin: 1, AmountMax: 3 });
    expect(await new Version(shop.client).list('ann')).toEqual(expected);
  },
);

bothVersions(true, false)(
  'a reserved order is found until it expires: $Version.name',
  async ({ Version, expected }, { shop }) => {
    const service = new Version(shop.client, { now: shop.now });
    await shop.setClock('2026-04-15T10:14:59Z');
    expect(await service.find('bob', '6')).toBeDefined();
    await shop.advance(1);
    expect((await service.find('bob', '6')) !== undefined).toBe(expected);
  },
);
