import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Output, ProcedureName } from '../../../src/contract/procedures.ts';
import { readFileSignature } from '../../../src/main/keys/file-signature.ts';
import { type OpenPage, type ShellUnderTest, startShellUnderTest } from '../../support/browser-shell.ts';
import { isInSample } from '../../support/sample-session.ts';
import { syncAs, valueAs } from '../../support/shell-calls.ts';

let under: ShellUnderTest;
let page: OpenPage;

beforeAll(async () => {
  // Some lists have one claim of a thousand, which has to be in the run-out of its plan year on every day of a year.
  under = await startShellUnderTest({
    environment: { CLAIMDESK_SAMPLE_MEMBERS: '400', CLAIMDESK_SAMPLE_CLAIMS: '3000' },
  });
  page = await under.loadPage(await under.enter());
});
afterAll(() => under?.close());

const call = <T>(to: 'main' | 'engine', procedure: ProcedureName, input: unknown): Promise<T> =>
  valueAs<T>(under, page, to, procedure, input);

let workspaceId: string;

test('the sample has something in every worklist after its first sync', async () => {
  workspaceId = (await call<{ id: string }>('main', 'sample:open', {})).id;
  await syncAs(under, page, workspaceId);
  const findEmpty = async (): Promise<string[]> => {
    await call('engine', 'worklists:update', { workspaceId });
    const { worklists, connections } = await call<Output<'worklists:counts'>>('engine', 'worklists:counts', {
      workspaceId,
    });
    // A team of one has nothing that two people did.
    const ofOne = worklists.filter(({ id }) => isInSample(id));
    const empty: string[] = ofOne.filter(({ claims }) => claims === 0).map(({ id }) => id);
    return connections === 0 ? [...empty, 'connections'] : empty;
  };
  await expect.poll(findEmpty).toEqual([]);
  // They are a colleague's: there is nothing to undo yet.
  expect(await call('engine', 'reviews:getUndo', { workspaceId })).toEqual({ event: null });
});

test('the file of the sample’s reviews can be read', async () => {
  const passphrase = 'a long passphrase';
  const { targetId, displayPath } = await call<NonNullable<Output<'files:chooseSaveTarget'>>>(
    'main',
    'files:chooseSaveTarget',
    { purpose: 'reviews', suggestedName: 'sample.claimdesk-reviews' },
  );
  const { events } = await call<Output<'reviews:export'>>('engine', 'reviews:export', {
    workspaceId,
    passphrase,
    targetId,
  });
  const file = (await readFile(displayPath)).toString('base64');
  expect(events).toBeGreaterThan(5);
  expect(await call('engine', 'reviews:import', { workspaceId, file, passphrase })).toMatchObject({
    events: 0,
    known: events,
  });
});

test('an export of the sample is signed by the sample’s key even if another workspace was added', async () => {
  const target = { purpose: 'records', suggestedName: 'sample.csv' };
  const { targetId, displayPath } = await call<NonNullable<Output<'files:chooseSaveTarget'>>>(
    'main',
    'files:chooseSaveTarget',
    target,
  );
  const source = { kind: 'list', query: { entity: 'claims' } };
  await call('engine', 'export:start', {
    ...{ workspaceId, source, format: 'csv', columns: ['id', 'status'], targetId, isSigned: true },
  });
  await call('main', 'workspaces:add', { baseUrl: 'https://claims.example.com', email: 'a@example.com' });
  let text: string | null = null;
  while (text === null) {
    await sleep(50);
    text = await readFile(`${displayPath}.sig`, 'utf8').catch(() => null);
  }
  const content = await readFile(displayPath);
  const digest = (name: string) => createHash(name).update(content).digest();
  const signature = readFileSignature(text);
  expect(signature?.isOf({ sha256: digest('sha256'), sha512: digest('sha512') })).toBe(true);
  const { keys } = await call<Output<'keys:list'>>('main', 'keys:list', {});
  const signing = keys.find(({ fingerprint }) => fingerprint === signature?.fingerprint);
  expect(signing).toMatchObject({ isSample: true, lastSignedAt: expect.any(String) });
});
