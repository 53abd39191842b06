import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOutput } from '../../../src/main/shells/cli/output.ts';
import { parseCommand } from '../../../src/main/shells/cli/parse-command.ts';
import { runCommand } from '../../../src/main/shells/cli/run-command.ts';
import { UsageError } from '../../../src/main/shells/cli/usage.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';

let bench: Bench;
let folder: string;
let claims: string[];
beforeAll(async () => {
  bench = await openBench('--members', '5', '--claims', '20', '--seed', '19');
  folder = mkdtempSync(join(tmpdir(), 'claimdesk-review-cli-'));
  claims = [];
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await bench.close();
});

const because = ['--reason', 'A test'];

async function run(profile: string, words: string[], stdin = ''): Promise<Record<string, unknown>[]> {
  let text = '';
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  const command = {
    ...parseCommand([...(words[0] === 'show' ? [] : ['review']), ...words, '--profile', profile]),
    stdin: Readable.from([Buffer.from(stdin)]),
  };
  await runCommand(command, createOutput({ isJson: true }, { stdout, stderr: stdout }));
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
async function newSynced(): Promise<string> {
  const profile = await bench.newProfile();
  const session = await bench.open(profile);
  await bench.sync(session);
  claims = (await bench.readAll(session, 'claims')).map(({ id }) => String(id));
  await session.close();
  return profile;
}

test('a call with a member is logged, and shown with the member', async () => {
  const profile = await newSynced();
  const session = await bench.open(profile);
  const [member] = await bench.readAll(session, 'members');
  await session.close();
  const id = String(member?.id);
  await run(profile, ['call', id, '--text', 'Asked about the EOB']);
  const [shown] = await run(profile, ['show', 'member', id, ...because]);
  expect(shown).toMatchObject({ id: member?.id, calls: [{ text: 'Asked about the EOB', editedAt: null }] });
  const [logged] = await run(profile, ['history', ...because]);
  expect(logged).toMatchObject({ memberId: member?.id, claimId: null, fact: { kind: 'note' } });
  await expect(run(profile, ['call', '999999', '--text', 'x'])).rejects.toMatchObject({
    code: 'record.unknown',
  });
});

test('claims are decided, noted, paid, listed, undone and transferred by commands', async () => {
  const profile = await newSynced();
  const [first = '', second = ''] = claims;
  await run(profile, ['set', first, second, '--state', 'done', '--outcome', 'eligible', '--tag', 'appeal']);
  await run(profile, ['note', first, '--text', 'Called the carrier']);
  await run(profile, ['pay', first, '--amount', '12.5', '--date', '2026-03-02', '--account', 'HRA']);
  // A window does this when it opens: commands that only read wait for it.
  const holder = await bench.open(profile);
  await holder.call('worklists:update', { workspaceId: (await holder.findWorkspace()).id });
  await expect(run(profile, ['note', first, '--text', 'No'])).rejects.toMatchObject({ code: 'profile.busy' });
  const rows = await run(profile, ['list', '--state', 'done', ...because]);
  expect(rows.flatMap(Object.keys)).not.toContain('$key');
  expect(await run(profile, ['history', ...because])).toHaveLength(4);
  const early = ['export', '--out', join(folder, 'early.claimdesk-reviews'), '--passphrase-stdin'];
  expect(await run(profile, early, 'a long passphrase\n')).toMatchObject([{ events: 4 }]);
  await holder.close();
  expect(rows.map((row) => String(row.id)).sort()).toEqual([first, second].sort());
  expect(rows.find((row) => String(row.id) === first)).toMatchObject({
    'review.outcome': 'eligible',
    'review.tags': 'appeal',
    'review.note': 'Called the carrier',
    'review.reimbursed': 12.5,
  });

  const csv = join(folder, 'payments.csv');
  writeFileSync(csv, `claim,amount,date\n${second},3.25,3/4/2026\nnone,1,3/4/2026\n`);
  const [paid] = await run(profile, ['pay', '--file', csv]);
  expect(paid).toMatchObject({ payments: 1, amount: 3.25, unmatched: [{ line: 3, reason: 'noClaim' }] });
  const [undone] = await run(profile, ['undo', String(paid?.eventId)]);
  expect(undone).toMatchObject({ claims: 1 });
  const history = await run(profile, ['history', second, ...because]);
  expect(history.map(({ fact }) => (fact as { kind: string }).kind)).toEqual([
    'undo',
    'payment',
    'tag',
    'decision',
  ]);

  const out = join(folder, 'reviews.claimdesk-reviews');
  const [exported] = await run(
    profile,
    ['export', '--out', out, '--passphrase-stdin'],
    'a long passphrase\n',
  );
  expect(exported).toMatchObject({ events: 6, claims: 2 });
  const other = await newSynced();
  const [imported] = await run(other, ['import', '--file', out, '--passphrase-stdin'], 'a long passphrase\n');
  expect(imported).toMatchObject({ events: 6, known: 0, claims: 2, unknownClaims: 0 });
  expect(await run(other, ['list', '--state', 'done', ...because])).toEqual(rows);
});

test('a payment dated before the service asks for confirmation, and a missing claim is answered', async () => {
  const profile = await newSynced();
  const [first = ''] = claims;
  const early = ['pay', first, '--amount', '1.5', '--date', '2001-01-01'];
  await expect(run(profile, early)).rejects.toMatchObject({ code: 'review.beforeService' });
  await run(profile, [...early, '--before-service']);
  const csv = join(folder, 'early.csv');
  writeFileSync(csv, `claim,amount,date\n${first},3.25,2001-01-02\n`);
  expect(await run(profile, ['pay', '--file', csv])).toMatchObject([{ payments: 0 }]);
  expect(await run(profile, ['pay', '--file', csv, '--before-service'])).toMatchObject([{ payments: 1 }]);

  await bench.sandbox.control('POST', '/edits', {
    edits: [{ op: 'delete', list: 'claims', id: Number(first) }],
  });
  const session = await bench.open(profile);
  await bench.sync(session);
  await session.close();
  expect(await run(profile, ['gone', 'owedBack'])).toMatchObject([{ claims: 1 }]);
  expect(await run(profile, ['history', first, ...because])).toMatchObject([
    { fact: { kind: 'missing', answer: 'owedBack' } },
    { fact: { kind: 'payment', day: null } },
    { fact: { kind: 'payment', day: '2001-01-01' } },
  ]);
});

test('how much of a claim is eligible, and why not all, can be given in one of four ways', async () => {
  const profile = await newSynced();
  const session = await bench.open(profile);
  const workspaceId = (await session.findWorkspace()).id;
  const rows = await bench.readAll(session, 'claims');
  const eligible = (claimId: number) => session.call('reviews:get', { workspaceId, claimId });
  const wanted: number[] = [];
  for (const { id } of rows) {
    const review = await eligible(id as number);
    if ((review.byRules ?? 0) > 10_000 && review.basis?.rule === 'parts') wanted.push(id as number);
  }
  await session.close();
  const [one = 0, other = 0, third = 0] = wanted;
  const partly = ['--state', 'done', '--outcome', 'partlyEligible'];
  await run(profile, ['set', String(one), ...partly, '--amount', '0.5', '--cause', 'Missing receipt']);
  await run(profile, ['set', String(other), ...partly, '--line', '1=0.25']);
  expect(
    await run(profile, ['set', String(third), String(other), ...partly, '--share', '33.33']),
  ).toMatchObject([{ claims: 2, leftOut: [], notKnown: [] }]);
  await expect(
    run(profile, ['set', String(one), String(other), ...partly, '--amount', '1']),
  ).rejects.toMatchObject({ code: 'review.amountForMany' });
  const [first] = await run(profile, ['history', String(one), ...because]);
  expect(first).toMatchObject({
    fact: { partly: { by: 'amount', amount: 5_000 }, cause: 'Missing receipt' },
    amounts: { eligible: 5_000 },
  });
  const [, byLine] = await run(profile, ['history', String(other), ...because]);
  expect(byLine).toMatchObject({ fact: { partly: { by: 'lines', lines: [{ line: 0, amount: 2_500 }] } } });
  await run(profile, ['set', String(one), ...partly, '--without', 'copay', '--without', 'deductible']);
  expect((await run(profile, ['history', String(one), ...because]))[0]).toMatchObject({
    fact: { partly: { by: 'parts', without: ['deductible', 'copay'] } },
  });
  await run(profile, ['set', String(one), '--state', 'done', '--outcome', 'notEligible', '--cause', 'Hm']);
  const listed = await run(profile, ['list', '--state', 'done', ...because]);
  expect(listed.find((row) => row.id === one)).toMatchObject({ 'review.cause': 'Hm' });
  expect(await run(profile, ['causes'])).toContainEqual({ cause: 'Missing receipt' });
});

test.each([
  [['frobnicate']],
  [['set', '7', '--state', 'done', '--outcome', 'partlyEligible', '--amount', '1,5']],
  [['set', '7', '--state', 'done', '--outcome', 'partlyEligible', '--line', '0=1']],
  [['set', '7', '--state', 'done', '--outcome', 'partlyEligible', '--share', '100']],
  [['set', '7', '--state', 'done', '--outcome', 'partlyEligible', '--without', 'discount']],
  [['set', '7', '--state', 'done', '--outcome', 'partlyEligible', '--share', '5', '--amount', '1']],
  [['set', '7', '--flag', '--amount', '1']],
  [['pay', '7', '--amount=-1', '--date', '2026-01-01']],
  [['set', '7']],
  [['set', '7', '--outcome', 'eligible']],
  [['set', '7', '--state', 'nowhere']],
  [['set', 'seven', '--flag']],
  [['pay', '7', '--amount', '1,5', '--date', '2026-01-01']],
  [['note', '7']],
  [['call', '7']],
  [['export', '--out', 'x']],
])('review %j is wrong usage', async (words) => {
  await expect(run(await bench.newProfile(), words)).rejects.toThrow(UsageError);
});
