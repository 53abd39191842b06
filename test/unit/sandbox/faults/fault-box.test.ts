import { describe, expect, it } from 'vitest';
import { FaultBox } from '../../../../src/sandbox/faults/fault-box.ts';
import { faultSchema } from '../../../../src/sandbox/faults/fault-schema.ts';

const make = (...faults: object[]) => {
  const box = new FaultBox(1);
  for (const fault of faults) box.add(faultSchema.parse(fault));
  return box;
};
const strikes = (box: FaultBox, count: number) =>
  Array.from({ length: count }, () => box.draw('claims', 1).find('status') !== undefined);

describe('FaultBox', () => {
  it('counts after and times', () => {
    expect(strikes(make({ kind: 'status', after: 2, times: 2 }), 6)).toEqual([
      false,
      false,
      true,
      true,
      false,
      false,
    ]);
  });

  it('a rate strikes about that share, the same requests each time', () => {
    const once = strikes(make({ kind: 'status', rate: 0.3 }), 1000);
    expect(once).toEqual(strikes(make({ kind: 'status', rate: 0.3 }), 1000));
    const share = once.filter(Boolean).length;
    expect(share).toBeGreaterThan(240);
    expect(share).toBeLessThan(360);
  });

  it('a rate of 0 never strikes and of 1 always', () => {
    expect(strikes(make({ kind: 'status', rate: 0 }), 50)).not.toContain(true);
    expect(strikes(make({ kind: 'status', rate: 1 }), 50)).not.toContain(false);
  });

  it('keeps to its route and page', () => {
    const box = make({ kind: 'status', route: 'members', page: 2 });
    const hit = (route: 'members' | 'claims', page: number) =>
      box.draw(route, page).find('status') !== undefined;
    expect([hit('members', 1), hit('members', 2), hit('claims', 2)]).toEqual([false, true, false]);
  });

  it('clear takes all away', () => {
    const box = make({ kind: 'latency', ms: 1 });
    box.clear();
    expect(box.draw('claims', 1).isEmpty).toBe(true);
    expect(box.list()).toEqual([]);
  });
});
