import { describe, expect, it } from 'vitest';
import { ActiveFaults } from '../../../../src/sandbox/faults/active-faults.ts';
import { faultSchema } from '../../../../src/sandbox/faults/fault-schema.ts';

const make = (...faults: object[]) => {
  const active = new ActiveFaults(1);
  for (const fault of faults) active.add(faultSchema.parse(fault));
  return active;
};
const appliedTo = (active: ActiveFaults, count: number) =>
  Array.from({ length: count }, () => active.forRequest('claims', 1).find('status') !== undefined);

describe('ActiveFaults', () => {
  it('counts after and times', () => {
    expect(appliedTo(make({ kind: 'status', after: 2, times: 2 }), 6)).toEqual([
      false,
      false,
      true,
      true,
      false,
      false,
    ]);
  });

  it('a rate applies to about that share, the same requests each time', () => {
    const once = appliedTo(make({ kind: 'status', rate: 0.3 }), 1000);
    expect(once).toEqual(appliedTo(make({ kind: 'status', rate: 0.3 }), 1000));
    const share = once.filter(Boolean).length;
    expect(share).toBeGreaterThan(240);
    expect(share).toBeLessThan(360);
  });

  it('a rate of 0 never applies and of 1 always', () => {
    expect(appliedTo(make({ kind: 'status', rate: 0 }), 50)).not.toContain(true);
    expect(appliedTo(make({ kind: 'status', rate: 1 }), 50)).not.toContain(false);
  });

  it('keeps to its route and page', () => {
    const active = make({ kind: 'status', route: 'members', page: 2 });
    const hit = (route: 'members' | 'claims', page: number) =>
      active.forRequest(route, page).find('status') !== undefined;
    expect([hit('members', 1), hit('members', 2), hit('claims', 2)]).toEqual([false, true, false]);
  });

  it('clear removes all', () => {
    const active = make({ kind: 'latency', ms: 1 });
    active.clear();
    expect(active.forRequest('claims', 1).isEmpty).toBe(true);
    expect(active.list()).toEqual([]);
  });
});
