import { join } from 'node:path';
import type { Input } from '../../../src/contract/procedures.ts';
import type { StoredView } from '../../../src/contract/stored-views.ts';
import type { Workspace } from '../../../src/contract/workspace.ts';
import { syncWorkspace } from '../../../src/main/shells/cli/commands/sync.ts';
import type { Output } from '../../../src/main/shells/cli/output.ts';
import type { Session } from '../../../src/main/shells/cli/session.ts';
import { claimsFor, makeKey, register, signToken } from '../../integration/sandbox/keys.ts';
import type { Sandbox } from '../../integration/sandbox/start-sandbox.ts';
import type { SentRecords } from './open-profile-fixture.ts';
import { parseExactly } from './parse-exactly.ts';

/** Progress that nobody reads. */
export const quiet: Output = {
  json: async () => undefined,
  line: async () => undefined,
  info: () => undefined,
};

/** Puts a public key on the service's page, as a person would. */
export async function registerKey(sandbox: Sandbox, key: { name: string; publicKey: string }): Promise<void> {
  await sandbox.control('POST', '/keys', { name: key.name, publicKey: key.publicKey });
}

/** Adds a workspace whose key the service takes. */
export async function addWorkspace(
  session: Session,
  sandbox: Sandbox,
  wanted: { name: string; keyType: 'ed25519' | 'ecdsa-256'; color: Workspace['color'] },
): Promise<string> {
  const { name, keyType, color } = wanted;
  const { email } = sandbox.account;
  const added = await session.call('workspaces:add', { baseUrl: sandbox.baseUrl, email, name, color });
  const key = await session.call('keys:generate', {
    type: keyType,
    name: `${name} desk`,
    workspaceId: added.id,
  });
  await registerKey(sandbox, key);
  await session.call('keys:check', { workspaceId: added.id });
  return added.id;
}

/** Syncs, and fails unless the records are proven complete. */
export async function syncComplete(session: Session, workspaceId: string): Promise<void> {
  const { receipt, error } = await syncWorkspace(session, workspaceId, quiet, false);
  if (receipt.proof !== 'complete')
    throw new Error(`not proven: ${receipt.reason ?? error?.code ?? 'no reason'}`);
}

/** Begins a sync that pauses when the members are read and the claims are not. */
export async function pauseSync(session: Session, workspaceId: string): Promise<void> {
  const engine = await session.getEngine();
  const paused = new Promise<void>((resolve, reject) => {
    engine.subscribe((event) => {
      if (event.name === 'sync:progress' && event.payload.phase === 'claims')
        void session.call('sync:pause', { workspaceId });
      if (event.name === 'sync:paused') resolve();
      if (event.name === 'sync:finished') reject(new Error('The sync ended before it could be paused.'));
    });
  });
  await session.call('sync:start', { workspaceId });
  await paused;
}

/** Both lists as the service sends them now, read by a client that shares no code with the app. */
export async function readFromService(sandbox: Sandbox): Promise<SentRecords> {
  const key = makeKey('ed25519');
  await register(sandbox, key);
  const authorization = `SSH-JWT ${signToken(key, claimsFor(sandbox.account.email))}`;
  const readList = async (path: string): Promise<string[]> => {
    const records: string[] = [];
    for (let page = 1; ; page += 1) {
      const url = `${sandbox.baseUrl}/api/v2/${path}?page=${page}&per_page=1000`;
      const reply = await fetch(url, { headers: { authorization } });
      if (!reply.ok) throw new Error(`${url} answered ${reply.status}`);
      const body = parseExactly<{ data: unknown[]; has_next: boolean }>(await reply.text());
      records.push(...body.data.map((record) => JSON.stringify(record)));
      if (!body.has_next) return records;
    }
  };
  return { members: await readList('member'), claims: await readList('claims') };
}

/** Views, how the lists were left, notes, tags and reviews about the first records of the workspace. */
export async function writeByHand(session: Session, workspaceId: string): Promise<void> {
  const ref = { workspaceId };
  const firstIds = async (entity: 'claims' | 'members' | 'dependents', count: number): Promise<number[]> => {
    const query = { entity, sort: [{ field: 'id', direction: 'asc' as const }] };
    const { rows } = await session.call('records:begin', { ...ref, query, limit: count, fields: ['id'] });
    return rows.map(({ id }) => Number(id));
  };
  const [claim = 0, other = 0, third = 0] = await firstIds('claims', 3);
  const [member = 0] = await firstIds('members', 1);

  for (const [name, content] of Object.entries(savedViews(member)))
    await session.call('views:save', { ...ref, name, query: JSON.stringify(content) });
  const session0 = { version: 1, kind: 'session', lists: { claims: savedViews(member).Rejected?.view } };
  await session.call('views:save', { ...ref, name: '$session', query: JSON.stringify(session0) });

  const act = (claimId: number, wanted: Input<'reviews:act'>['act']) =>
    session.call('reviews:act', { ...ref, target: { claimIds: [claimId] }, act: wanted });
  await act(claim, { kind: 'note', text: 'Asked the carrier for the EOB.\nZoë: “soon”' });
  await act(claim, { kind: 'tag', add: ['appeal'], remove: [] });
  const { eventId } = await act(other, { kind: 'decision', state: 'done', outcome: 'disputed' });
  await session.call('reviews:undo', { ...ref, eventId: eventId as string });
  await act(other, { kind: 'decision', state: 'done', outcome: 'eligible' });
  await act(third, { kind: 'payment', payment: 'reimbursed', amount: 125_000, day: '2026-03-02' });
}

function savedViews(memberId: number): Record<string, StoredView> {
  const plain = {
    search: '',
    conditions: [],
    includesArchived: false,
    includesMissing: false,
    groupBy: null,
  };
  return {
    Rejected: {
      version: 1,
      kind: 'list',
      entity: 'claims',
      isPinned: true,
      view: {
        ...plain,
        search: 'mri',
        conditions: [
          { field: 'status', operator: 'is', values: ['Rejected'] },
          { field: 'amount_billed', operator: 'atLeast', values: [1000] },
          { field: 'members.id', operator: 'is', values: [memberId] },
          { field: 'date_of_service', operator: 'between', values: ['2025-08-13', '2026-03-31'] },
        ],
        sort: [
          { field: 'amount_billed', direction: 'desc', nulls: 'first' },
          { field: 'date_of_service.start', direction: 'asc' },
        ],
        columns: [
          'id',
          'patient_name',
          'status',
          'date_of_service.start',
          'date_of_service.end',
          'amount_billed',
        ],
        frozen: ['id', 'patient_name'],
        widths: { patient_name: 240, 'date_of_service.start': 132 },
        groupBy: 'status',
      },
    },
    'Everyone, archived too': {
      version: 1,
      kind: 'list',
      entity: 'members',
      isPinned: false,
      view: {
        ...plain,
        includesArchived: true,
        includesMissing: true,
        sort: [{ field: 'last_name', direction: 'asc' }],
        columns: ['last_name', 'first_name', 'employer.name'],
        frozen: ['last_name'],
        widths: { 'employer.name': 300 },
      },
    },
  };
}

/** A copy, an SSN shown and an export, for the audit log. */
export async function handOut(session: Session, workspaceId: string, folder: string): Promise<void> {
  const { snapshotId } = await session.call('records:open', { workspaceId, query: { entity: 'members' } });
  const { rows } = await session.call('records:getWindow', { workspaceId, snapshotId, offset: 0, limit: 1 });
  const id = Number(rows[0]?.id);
  await session.call('records:revealSsn', { workspaceId, entity: 'members', id });
  const fields = ['id', 'last_name'];
  await session.call('records:copy', { workspaceId, snapshotId, places: [[0, 2]], fields });
  const targetId = await session.addSaveTarget(join(folder, 'members.csv'), 'records');
  const engine = await session.getEngine();
  const written = new Promise<void>((resolve, reject) => {
    engine.subscribe((event) => {
      if (event.name !== 'export:finished') return;
      if (event.payload.error === null) resolve();
      else reject(new Error(event.payload.error.code));
    });
  });
  await session.call('export:start', {
    workspaceId,
    source: { kind: 'list', query: { entity: 'members' } },
    format: 'csv',
    reason: 'Fixture',
    targetId,
  });
  await written;
}

/** What Connect was left with: a validation that waits for a person, and a sign-in at the carrier's page. */
export interface ConnectLeft {
  readonly policyHolderId: number;
  readonly email: string;
  readonly patientAccess: string;
}

/** An integration with two members: one connected, to be corrected and waiting for a method; one at a carrier's page. */
export async function setUpConnect(
  session: Session,
  sandbox: Sandbox,
  workspaceId: string,
): Promise<ConnectLeft> {
  const { publicToken, secretKey } = sandbox.connect;
  await sandbox.control('PUT', '/connect/settings', { stepMs: 30, sessionMs: 600_000 });
  await session.call('connect:saveSettings', { workspaceId, publicToken, secretKey, correction: 'body' });
  await session.call('connect:mint', { workspaceId });
  const bring = async (firstName: string, kind: 'new' | 'named') => {
    const email = `${firstName.toLowerCase()}@newco.example`;
    const { member } = await session.call('connect:bootstrap', {
      ...{ workspaceId, email, firstName, lastName: 'Reyes', systemKey: 'NEWCO-1' },
      ...{ vendor: 'northwind-benefits', employer: { kind, name: 'Newly Founded, Inc.' } },
      ...{ memberSystemKey: `M-${firstName}`, dateOfBirth: '1985-04-12', phone: '555 0100' },
    });
    return { email, consents: { terms: true as const, tenantIds: [member.tenant.id] } };
  };
  const dana = await bring('Dana', 'new');
  const submit = async (
    payerId: number,
    username: string,
    phase: 'ended' | 'chooseMethod',
  ): Promise<number> => {
    const login = { workspaceId, ...dana, payerId, fields: { username, password: 'Fixture-Canary-1' } };
    const { policyHolderId } = await session.call('connect:submit', login);
    const deadlineMs = Date.now() + 20_000;
    while ((await session.call('connect:watch', { workspaceId, policyHolderId })).phase !== phase) {
      if (Date.now() > deadlineMs) throw new Error(`${username} did not get to ${phase}.`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return policyHolderId;
  };
  await submit(15, 'dana-fast', 'ended');
  await submit(15, 'dana-invalid', 'ended');
  const waiting = await submit(16, 'dana-two', 'chooseMethod');
  await session.call('connect:fix', { workspaceId, email: dana.email });
  const lee = await bring('Lee', 'named');
  await session.call('connect:startPatientAccess', { workspaceId, ...lee, payerId: 17 });
  await session.call('connect:openPatientAccess', { workspaceId, email: lee.email });
  return { policyHolderId: waiting, email: dana.email, patientAccess: lee.email };
}
