import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventName } from '../../../src/contract/events.ts';
import type { Session } from '../../../src/main/shells/cli/session.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';

/** Duplicates of a service that sends some on purpose, found behind its syncs. */
let bench: Bench;
let session: Session;
let workspaceId: string;
beforeAll(async () => {
  bench = await openBench('--members', '40', '--claims', '400', '--seed', '16', '--corpus', 'ordinary');
  session = await bench.open(await bench.newProfile());
  workspaceId = (await session.findWorkspace()).id;
});
afterAll(async () => {
  await session.close();
  await bench.close();
});

type Planted = { planted: { kind: string; claim_id: number; original_id?: number }[] };

test('each planted duplicate is found, side by side with what agrees and what differs', async () => {
  const told: EventName[] = [];
  (await session.getEngine()).subscribe(({ name }) => told.push(name));
  await bench.sync(session);
  const { planted } = await bench.sandbox.control<Planted>('GET', '/truth/planted');
  const exact = planted.filter(({ kind }) => kind === 'exact-duplicate');
  expect(exact.length).toBeGreaterThan(2);
  for (const { claim_id: id, original_id } of exact) {
    const { pairs } = await session.call('duplicates:of', { workspaceId, claimId: id });
    const pair = pairs.find(({ left, right }) => [left, right].includes(original_id as number));
    expect(pair).toMatchObject({ kind: 'exact', isRuledOut: false });
    const agrees = new Map(pair?.fields.map((field) => [field.field, field.agrees]));
    expect(agrees.get('claim_medical_lines')).toBe(true);
    expect(agrees.get('amount_billed')).toBe(true);
    expect(agrees.get('vendor_system_id')).toBe(false);
  }
  expect(told).toContain('worklists:changed');
});

test('a copy that the service corrects is no duplicate after the next sync', async () => {
  const { planted } = await bench.sandbox.control<Planted>('GET', '/truth/planted');
  const { claim_id: id } = planted.find(
    ({ kind }) => kind === 'exact-duplicate',
  ) as Planted['planted'][number];
  await bench.sandbox.control('POST', '/edits', {
    edits: [{ op: 'change', list: 'claims', id, set: { service_provider_npi_number: 1999999999 } }],
  });
  await bench.sync(session);
  expect((await session.call('duplicates:of', { workspaceId, claimId: id })).pairs).toEqual([]);
});
