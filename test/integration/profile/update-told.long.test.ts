import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventPayload } from '../../../src/contract/events.ts';
import type { Session } from '../../../src/main/shells/cli/session.ts';
import { openProfileFixture, type ProfileFixture } from '../../support/profile-fixture/open-profile-0.2.ts';

let fixture: ProfileFixture;
let session: Session;
beforeAll(async () => {
  fixture = await openProfileFixture('keychain');
});
afterAll(async () => {
  await session?.close();
  await fixture?.remove();
});

test('a process that only reads reports files of an older version, and none of them as damaged', async () => {
  const reading = await fixture.open({ writes: false });
  const workspaceId = (await reading.call('workspaces:list', {})).workspaces[0]?.id ?? '';
  const older = expect.objectContaining({ code: 'store.older' });
  await expect(reading.call('records:getSummary', { workspaceId })).rejects.toEqual(older);
  await expect(reading.call('store:check', { workspaceId, isFull: true })).rejects.toEqual(older);
  await reading.close();
});

test('a profile of an older version reports the progress of updating both of its files, and the end', async () => {
  session = await fixture.open();
  const told: EventPayload<'store:opening'>[] = [];
  (await session.getEngine()).subscribe((event) => {
    if (event.name === 'store:opening') told.push(event.payload);
  });
  const [workspace] = (await session.call('workspaces:list', {})).workspaces;
  const workspaceId = workspace?.id ?? '';
  await session.call('records:getSummary', { workspaceId });
  await session.call('views:list', { workspaceId });
  for (const of of [workspaceId, null]) {
    const own = told.filter((one) => one.workspaceId === of).map(({ progress }) => progress);
    expect([...new Set(own.map((progress) => progress?.doing))]).toEqual([
      'backingUp',
      'checkingBackup',
      'migrating',
      undefined,
    ]);
    expect(own.at(-1)).toBeNull();
    expect(own.filter((progress) => progress === null)).toHaveLength(1);
  }
});
