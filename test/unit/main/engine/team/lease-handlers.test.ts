import { expect, it } from 'vitest';
import { createLeases } from '../../../../../src/main/engine/team/lease-handlers.ts';
import { leaseMs } from '../../../../../src/team-protocol/leases.ts';

it('claims are open if a page showed them recently, with or without a team, or a colleague has them', async () => {
  let [now, hasTeam] = [1_000, false];
  const list = () => [{ claimId: 9, computer: 'other', isFirst: true }];
  const { findOpened, handlers } = createLeases(
    {
      leasesOf: () => (hasTeam ? ({ list, show: () => undefined } as never) : null),
      sessionOf: () => Promise.reject(new Error('not needed')),
    },
    () => now,
  );
  const show = (page: string, claimId: number | null, workspaceId = 'w') =>
    handlers['leases:show']({ workspaceId, page, claimId });
  await show('a', 1);
  await show('b', 2);
  await show('c', 3, 'other');
  expect([...findOpened('w', [1, 9])]).toEqual([1, 2]);
  await show('b', null);
  hasTeam = true;
  expect([...findOpened('w', [1, 9])]).toEqual([9, 1]);
  now += leaseMs + 1;
  expect([...findOpened('w', [1, 9])]).toEqual([9]);
});
