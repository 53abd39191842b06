import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ConnectData, createConnectFile } from '../../../../../src/main/engine/connect/connect-file.ts';
import { refreshConnections } from '../../../../../src/main/engine/connect/connections.ts';
import type { WorkspaceIntegration } from '../../../../../src/main/engine/connect/integration.ts';
import { withSamplePeople } from '../../../../../src/main/engine/connect/show-sample-people.ts';
import { DeskError } from '../../../../../src/main/lib/errors.ts';
import { makeTempFolder } from '../../../../support/temp-profile.ts';

const members = 250;
const scope = 'one';

const people = Array.from({ length: members }, (_none, index) => ({
  email: `member${index}@mail.example`,
  firstName: 'Dana',
  lastName: `Reyes ${index}`,
  systemKey: 'E1',
  vendor: 'v',
  memberSystemKey: null,
  employer: { id: 1, name: 'Newco', supportEmail: null },
  tenant: { id: 2, name: 'Tenant' },
  connections: [
    {
      id: 100 + index,
      payerId: 11,
      payerName: 'Northern Mutual Health',
      payerGroupId: null,
      username: 'dana',
      loginProblem: null,
      correctionMessage: null,
      lastCrawlEnd: null,
      createdDate: '2026-01-01T00:00:00Z',
      claimsSynced: 0,
      newestClaimOn: null,
    },
  ],
}));

test('many members are refreshed with a few writes; those that can’t be read keep what was known', async () => {
  const file = createConnectFile({
    path: join(makeTempFolder(), 'connect.sealed'),
    readKey: async () => Buffer.alloc(32, 1),
    isReadOnly: false,
    clock: { now: () => 0 },
    onBackupFailed: () => undefined,
    onRestored: () => undefined,
  });
  await file.update((known) => withSamplePeople(known, scope, people, '2026-01-02T00:00:00Z'));
  let writes = 0;
  const counted = {
    ...file,
    update: (change: (data: ConnectData) => ConnectData) => {
      writes += 1;
      return file.update(change);
    },
  };
  const api = {
    readConnections: async (email: string) => {
      const index = Number(/\d+/.exec(email)?.[0]);
      if (index === 7) throw new DeskError('service.fault');
      return { data: [{ id: 100 + index, login_problem: 'locked', task_id: 'none', username: null }] };
    },
  };
  const integration = { open: async () => ({ api, scope, hasSecret: true }) };
  const connect = {
    integration: integration as unknown as WorkspaceIntegration,
    file: counted,
    clock: { now: () => Date.parse('2026-01-03T00:00:00Z') },
  };
  expect(await refreshConnections(connect)).toEqual([
    { email: 'member7@mail.example', code: 'service.fault' },
  ]);
  expect(writes).toBe(3);
  const { connections: stored } = await file.read();
  expect(stored).toHaveLength(members);
  const unread = stored.filter(({ loginProblem }) => loginProblem !== 'locked');
  expect(unread.map(({ policyHolderId }) => policyHolderId)).toEqual([107]);
});
