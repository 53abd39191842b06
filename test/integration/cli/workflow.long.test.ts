import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { presetColumns } from '../../../src/contract/export-columns.ts';
import { letterSettingsSchema, toStoredLetters } from '../../../src/contract/letter-settings.ts';
import { signFileDigest } from '../../../src/main/keys/file-signature.ts';
import { generatePrivateJwk } from '../../../src/main/keys/generate-key.ts';
import { openSession } from '../../../src/main/shells/cli/session.ts';
import { inPlanDollars, readPlanDollars } from '../../../src/rules/plans/plan-rules.ts';
import {
  type CliResult,
  codeOf,
  makeFolder,
  readLines,
  runCli,
  runCommand,
  startCli,
  waitForOutput,
} from '../../support/cli-run.ts';
import { parseCsv } from '../../support/csv.ts';
import { isSameJson, readJson } from '../../support/engine-records.ts';
import { givenSandbox } from '../sandbox/given-sandbox.ts';

type AnyRecord = Record<string, unknown> & { id: number };

const sandbox = givenSandbox('--members', '60', '--claims', '1200', '--seed', '11');
let folder: { path: string; remove: () => Promise<void> };
let profile: string;
let truth: { claims: AnyRecord[]; members: AnyRecord[] };
let synced: CliResult;
let keyId: string;

const run = (...args: string[]): Promise<CliResult> => runCommand(args, { profile });
/** Lists records with a reason, which whole records need. */
const list = (...args: string[]): Promise<CliResult> => run('list', ...args, '--reason', 'A test');
const show = (...args: string[]): Promise<CliResult> => run('show', ...args, '--reason', 'A test');

/** Runs all steps of a user's first day, each by its command. */
beforeAll(async () => {
  folder = await makeFolder();
  profile = join(folder.path, 'profile');
  const added = await run(
    'workspace',
    'add',
    '--base-url',
    sandbox.baseUrl,
    '--email',
    'Admin@Sandbox.example',
    '--json',
  );
  expect(readLines(added)).toMatchObject([
    { baseUrl: sandbox.baseUrl, email: 'Admin@Sandbox.example', keyId: null },
  ]);
  const generated = await run('key', 'generate', '--json');
  [{ id: keyId }] = readLines(generated) as [{ id: string }];
  const [publicKey] = (await run('key', 'public', keyId)).lines;
  const reply = await fetch(`${sandbox.baseUrl}/settings/ssh`, {
    method: 'POST',
    body: new URLSearchParams({ name: 'laptop', public_key: publicKey ?? '' }),
    redirect: 'manual',
  });
  expect(reply.status).toBe(303);
  synced = await runCli(['sync', '--json'], { profile });
  truth = { claims: await sandbox.truth('claims'), members: await sandbox.truth('members') };
});
afterAll(async () => {
  await sandbox.stop();
  await folder.remove();
});

describe('sync', () => {
  test('ends with a line that says done and complete, and exits with 0', () => {
    expect(synced.code).toBe(0);
    const last = readLines(synced).at(-1) as Record<string, unknown>;
    expect(last).toMatchObject({
      event: 'done',
      proof: 'complete',
      members: truth.members.length,
      claims: truth.claims.length,
      dependents: truth.members.flatMap((member) => (member.dependents as unknown[] | null) ?? []).length,
      lines: truth.claims.flatMap((claim) => (claim.claim_medical_lines as unknown[] | null) ?? []).length,
    });
    expect(last.seconds).toBeTypeOf('number');
  });

  test('with --json, stdout is one JSON object per line and stderr is silent', () => {
    expect(synced.stderr).toBe('');
    for (const line of readLines(synced)) expect(['progress', 'done']).toContain(line.event);
    expect(synced.stdout.endsWith('\n')).toBe(true);
  });

  test('is refused while another process has the profile open, which can still be read', async () => {
    await sandbox.control('PUT', '/faults', [{ kind: 'latency', ms: 30_000 }]);
    const first = startCli(['sync', '--json'], { profile });
    await waitForOutput(first.child, /connecting/);
    const second = await run('sync', '--json');
    expect([second.code, second.stdout]).toEqual([1, '']);
    expect(codeOf(second)).toBe('profile.busy');
    expect((await list('claims', '--limit', '1')).lines).toHaveLength(1);
    first.child.kill('SIGINT');
    await sandbox.control('DELETE', '/faults');
    const canceled = await first.result;
    expect(canceled.code).toBe(1);
    expect(codeOf(canceled)).toBe('sync.canceled');
    expect(readLines(canceled).at(-1)).toMatchObject({ event: 'canceled', proof: 'not-proven' });
    expect((await run('sync')).code).toBe(0);
  });
});

describe('keys', () => {
  test('generate returns the public key; the first key signs for the workspace', async () => {
    const [workspace] = readLines(await run('workspace', 'list'));
    expect(workspace?.keyId).toBe(keyId);
    const keys = await run('key', 'list');
    expect(readLines(keys)).toMatchObject([{ id: keyId, type: 'ed25519', workspaceIds: [workspace?.id] }]);
    expect(keys.stdout).not.toMatch(/private|BEGIN|"d"/i);
  });

  test('public is the OpenSSH line and nothing else', async () => {
    const shown = await run('key', 'public', keyId);
    expect(shown.lines).toHaveLength(1);
    expect(shown.stdout).toMatch(/^ssh-ed25519 [A-Za-z0-9+/=]+( .*)?\n$/);
    expect(readLines(await run('key', 'public', keyId, '--json'))).toEqual([{ publicKey: shown.lines[0] }]);
  });

  test('check verifies with one request that the service accepts it', async () => {
    const checked = await run('key', 'check', keyId);
    expect(checked.code).toBe(0);
    expect(readLines(checked)).toMatchObject([{ keyId, isAccepted: true, clockOffsetSeconds: 0 }]);
  });

  test('a key that is not registered is service.unauthorized with the request ID, and can be removed', async () => {
    const [other] = readLines(await run('key', 'generate', '--type', 'ecdsa-256', '--name', 'spare')) as {
      id: string;
    }[];
    const checked = await run('key', 'check', other?.id ?? '');
    expect(checked.code).toBe(1);
    expect(checked.stderr).toMatch(/^service\.unauthorized: [^\n]+\n/);
    expect(checked.stderr).toMatch(/\nRequest ID: [\w-]{8,}\n/);
    expect(checked.stderr).toMatch(/\nNext: .+\n$/);
    expect((await run('key', 'retire', other?.id ?? '')).code).toBe(0);
    expect((await run('key', 'public', other?.id ?? '')).stderr).toMatch(/^key\.unknown: /);
  });

  test('a key that signs for a workspace is removed only with its name', async () => {
    const removed = await run('key', 'retire', keyId);
    expect([removed.code, removed.stderr.split(':')[0]]).toEqual([1, 'key.nameNeeded']);
  });
});

describe('list', () => {
  const byId = (records: AnyRecord[]): AnyRecord[] => [...records].sort((a, b) => a.id - b.id);
  const withoutSsn = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (key, inner) =>
      key === 'ssn' && typeof inner === 'string' ? `***-**-${inner.slice(-4)}` : inner,
    );

  test('claims are whole records under the names of the service, equal to the truth', async () => {
    const listed = await list('claims', '--json');
    expect([listed.code, listed.stderr]).toEqual([0, '']);
    expect(readLines(listed)).toEqual(byId(truth.claims));
  });

  test('members have masked SSNs, and full ones with --reveal', async () => {
    const members = byId(truth.members);
    const masked = await list('members', '--json');
    expect(readLines(masked)).toEqual(withoutSsn(members));
    expect(masked.stdout).not.toMatch(/\b\d{3}-\d{2}-\d{4}\b/);
    const revealed = await list('members', '--json', '--reveal');
    expect(readLines(revealed)).toEqual(members);
    expect(revealed.stdout).toMatch(/\b\d{3}-\d{2}-\d{4}\b/);
  });

  test('dependents and lines include the record they belong to', async () => {
    const dependents = readLines(await list('dependents', '--reveal'));
    const expected = byId(truth.members).flatMap((member) =>
      ((member.dependents as object[] | null) ?? []).map((one) => ({ ...one, member_id: member.id })),
    );
    expect(dependents).toEqual(expect.arrayContaining(expected));
    expect(dependents).toHaveLength(expected.length);
    const [first] = truth.claims.filter((claim) => (claim.claim_medical_lines as unknown[])?.length > 0);
    const lines = readLines(await list('lines', '--filter', `claim_id=${first?.id}`, '--sort', 'claim_id'));
    expect(lines).toEqual(
      ((first?.claim_medical_lines ?? []) as object[]).map((line) => ({ ...line, claim_id: first?.id })),
    );
  });

  test('search, filter, sort, limit and offset agree with the truth', async () => {
    const rejected = truth.claims
      .filter((claim) => claim.status === 'Rejected')
      .sort((a, b) => Number(b.amount_billed ?? -1e9) - Number(a.amount_billed ?? -1e9) || b.id - a.id);
    const page = ['--limit', '5', '--offset', '2'];
    const listed = await list(
      'claims',
      '--filter',
      'status=Rejected',
      '--sort',
      'amount_billed:desc',
      ...page,
    );
    expect(readLines(listed).map(({ id }) => id)).toEqual(rejected.slice(2, 7).map(({ id }) => id));
    expect(listed.stderr).toBe(`5 of ${rejected.length}\n`);

    const [someone] = truth.members.filter(({ last_name: name }) => typeof name === 'string');
    const found = readLines(await list('members', '--search', String(someone?.last_name)));
    expect(found.map(({ id }) => id)).toContain(someone?.id);
  });

  test('totals and groups are exact, and each group has the filter that opens it', async () => {
    const inTenThousandths = (amount: unknown): number => Math.round(Number(amount) * 10_000);
    const sumOf = (claims: AnyRecord[]): number =>
      claims.reduce((sum, { amount_billed: amount }) => sum + inTenThousandths(amount ?? 0), 0);
    const [totals] = readLines(await list('claims', '--totals'));
    expect(totals?.count).toBe(truth.claims.length);
    expect(inTenThousandths(totals?.amount_billed)).toBe(sumOf(truth.claims));

    const groups = readLines(await list('claims', '--group-by', 'status', '--filter', 'network=OUT'));
    const outside = truth.claims.filter(({ network }) => network === 'OUT');
    expect(groups.reduce((count, group) => count + Number(group.count), 0)).toBe(outside.length);
    const [first] = groups as unknown as {
      value: string;
      count: number;
      amount_billed: number;
      filter: string[];
    }[];
    const same = outside.filter(({ status }) => status === first?.value);
    expect([first?.count, inTenThousandths(first?.amount_billed)]).toEqual([same.length, sumOf(same)]);
    const filters = ['network=OUT', ...(first?.filter ?? [])].flatMap((filter) => ['--filter', filter]);
    const opened = readLines(await list('claims', ...filters));
    expect(opened.map(({ id }) => id)).toEqual(byId(same).map(({ id }) => id));
    for (const wrong of [
      ['--totals', '--sort', 'id'],
      ['--totals', '--group-by', 'status'],
    ])
      expect((await list('claims', ...wrong)).code).toBe(2);
    expect((await list('members', '--group-by', 'ssn')).stderr).toMatch(/^query\.ssnOrder: /);
  });

  test('the help of a list explains every sign', async () => {
    const { code, stdout } = await run('list', '--help');
    expect(code).toBe(0);
    const signs = [
      "'status=Rejected'",
      '!=',
      '=a|b',
      '==',
      '=a..b',
      '~ ',
      '^=',
      '>=',
      '<=',
      '--group-by',
      'nulls-first',
    ];
    for (const sign of signs) expect(stdout).toContain(sign);
  });

  test('an invalid filter or sort is query.invalid; an unknown list is wrong usage', async () => {
    const filter = await list('claims', '--filter', 'nothing=1', '--json');
    expect([filter.code, filter.stdout]).toEqual([1, '']);
    expect(JSON.parse(filter.stderr)).toMatchObject({
      error: { code: 'query.invalid', details: { field: 'nothing' } },
    });
    expect((await list('claim')).code).toBe(2);
  });
});

describe('statement', () => {
  test('is made for every claim given, or for none', async () => {
    const [one, two] = truth.claims.map(({ id }) => String(id)) as [string, string];
    const out = join(folder.path, 'statements.pdf');
    const save = (...ids: string[]) => run('statement', ...ids, '--out', out, '--reason', 'Audit', '--json');
    const lacking = await save(one, two, '999999999');
    expect(lacking).toMatchObject({ code: 1, stdout: '' });
    expect(JSON.parse(lacking.stderr)).toMatchObject({
      error: { code: 'record.unknown', details: { wanted: 3, found: 2 } },
    });
    expect(existsSync(out)).toBe(false);
    expect(readLines(await save(one, two, one)).at(-1)).toMatchObject({ event: 'done', rows: 2 });
  });
});

describe('letter', () => {
  test('is refused, without a file, if it lacks a required part', async () => {
    const id = String(truth.claims[0]?.id);
    for (const name of ['letter.pdf', 'letter.txt']) {
      const out = join(folder.path, name);
      const refused = await run(
        ...['letter', id, '--kind', 'disagrees', '--out', out, '--reason', 'Audit', '--json'],
      );
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: 'letter.incomplete' } });
      expect(refused.stderr).toContain('The explanation is blank.');
      expect(existsSync(out)).toBe(false);
    }
    const ofNoKind = await run('letter', id, '--out', 'l.pdf', '--reason', 'Audit', '--json');
    expect(ofNoKind.code).toBe(2);
  });

  test('is recorded on its claim, with an entry in the audit log', async () => {
    const { id: claimId, members } = truth.claims[0] as AnyRecord & { members: { employer: AnyRecord }[] };
    const open = () => openSession({ options: {}, writes: true, profileDir: profile });
    const session = await open();
    const workspaceId = (await session.findWorkspace()).id;
    const settings = letterSettingsSchema.parse({ contact: 'Call Ana Ruiz at 555-0100.' });
    const stored = toStoredLetters(String(members[0]?.employer.id), settings);
    await session.call('views:save', { workspaceId, ...stored });
    await session.close();
    const out = join(folder.path, 'made.txt');
    const named = ['letter', String(claimId), '--kind', 'disagrees', '--text', 'The deductible was met.'];
    const made = await run(...named, '--out', out, '--reason', 'Audit', '--json');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(await readFile(out, 'utf8')).toContain('The deductible was met.');
    const after = await open();
    const { letters } = await after.call('reviews:get', { workspaceId, claimId });
    expect(letters).toMatchObject([{ letter: 'disagrees' }]);
    await after.close();
    const audit = readLines(await run('audit', 'list', '--json'));
    expect(audit.map(({ action, details }) => [action, details])).toContainEqual([
      'export.written',
      expect.objectContaining({ rows: 1 }),
    ]);
  });
});

describe('family', () => {
  test('prints a family’s progress, and what the rules in a file would change for its employer', async () => {
    const firstOf = ({ members }: AnyRecord) => (members as AnyRecord[] | null)?.[0];
    const memberId = truth.claims.map(firstOf).find((member) => member?.employer != null)?.id;
    const [without] = readLines(await run('family', String(memberId), '--reason', 'A call', '--json'));
    // No plan rules are set.
    expect(without).toMatchObject({ families: [], planYears: [] });
    const path = join(folder.path, 'rules.json');
    const layers = [
      { payer: 'member', amount: 900 },
      { payer: 'account', amount: 1100 },
    ];
    const account = {
      ...{ per: 'person', limit: { alone: 1100, person: 1100, family: null }, carryOver: null },
      layers: { alone: layers, family: layers },
    };
    const networks = { inNetwork: ['IN'], outOfNetwork: ['OUT'] };
    const limits = { deductible: null, drugDeductible: null, outOfPocket: null };
    const year = { from: '2020-01-01', countsEarlier: false, ...networks, ...limits, account };
    await writeFile(path, JSON.stringify({ years: [year] }));
    const tried = await run('family', String(memberId), '--try', path, '--reason', 'A call', '--json');
    const [effect] = readLines(tried) as [Record<'current' | 'tried', { eligible: number }>];
    expect(tried).toMatchObject({ code: 0 });
    expect(effect.tried.eligible).toBeLessThan(effect.current.eligible);
    const [set] = readLines(await run('plan-rules', '--file', path, '--json'));
    const rules = inPlanDollars(readPlanDollars(JSON.parse(await readFile(path, 'utf8'))));
    expect(set).toEqual({ employerId: null, rules });
    const [stands] = readLines(await run('family', String(memberId), '--reason', 'A call', '--json')) as [
      {
        families: {
          claims: { account: { before: number; sentence: string } }[];
          account: { persons: object[] };
        }[];
      },
    ];
    expect(stands.families[0]?.account.persons[0]).toMatchObject({ limit: 1100 });
    expect(stands.families[0]?.claims[0]?.account.before).toBe(0);
    await writeFile(path, 'null');
    expect(readLines(await run('plan-rules', '--file', path, '--json'))).toEqual([
      { employerId: null, rules: null },
    ]);
    await writeFile(path, '{}');
    expect((await run('family', String(memberId), '--try', path, '--reason', 'A call')).code).toBe(2);
    expect(codeOf(await run('family', String(memberId), '--json'))).toBe('export.reasonMissing');
  });
});

describe('show', () => {
  test('a claim is equal as JSON to what the service sent', async () => {
    const [claim] = truth.claims.slice(17);
    const shown = await show('claim', String(claim?.id));
    expect(shown.lines).toHaveLength(1);
    expect(isSameJson(readJson(shown.stdout), readJson(JSON.stringify(claim)))).toBe(true);
  });

  test('a member includes dependents and claims, with the SSN masked', async () => {
    const idsOf = (claim: AnyRecord): number[] =>
      ((claim.members as AnyRecord[] | null) ?? []).map(({ id }) => id);
    const member = truth.members.find(({ id }) => truth.claims.some((claim) => idsOf(claim).includes(id)));
    const shown = await show('member', String(member?.id));
    const { claims, ...rest } = JSON.parse(shown.stdout) as { claims: AnyRecord[] };
    const expected = truth.claims.filter((claim) => idsOf(claim).includes(member?.id ?? 0));
    expect(claims).toEqual(expected.sort((a, b) => a.id - b.id));
    expect(rest).toMatchObject({ id: member?.id, last_name: member?.last_name });
    expect(shown.stdout).not.toContain(String(member?.ssn));
    const revealed = await show('member', String(member?.id), '--reveal');
    expect(revealed.stdout).toContain(JSON.stringify(member?.ssn));
  });

  test('a missing record is record.unknown; an invalid ID is wrong usage', async () => {
    const missing = await show('claim', '999999999');
    expect([missing.code, missing.stderr.split(':')[0]]).toEqual([1, 'record.unknown']);
    for (const id of ['', '0x1']) expect((await show('claim', id)).code).toBe(2);
  });
});

test('each list and show is one entry with count, columns and reason; without a reason nothing is told', async () => {
  const id = String(truth.claims[0]?.id);
  const because = ['--reason', 'Appeal of March'];
  const commands = [
    { words: ['list', 'members', '--limit', '1'], details: { list: 'members', rows: 1, columns: 'all' } },
    {
      words: ['show', 'claim', id],
      details: { list: 'claims', rows: 1, columns: 'all', recordId: Number(id) },
    },
    {
      words: ['list', 'claims', '--group-by', 'patient_name'],
      details: { list: 'groups', by: 'patient_name' },
    },
    { words: ['review', 'list'], details: { list: 'claims', rows: 0 } },
    { words: ['review', 'worklist', 'denied'], details: { list: 'claims' } },
    // The letter that was made above.
    { words: ['review', 'history'], details: { list: 'claims', rows: 1 } },
    { words: ['sync', 'changes'], details: { list: 'changes', columns: expect.stringContaining('before') } },
  ];
  const listed = async () =>
    (readLines(await run('audit', 'list', '--limit', '1000', '--json')) as { action?: string }[]).filter(
      ({ action }) => action === 'records.listed',
    );
  for (const { words, details } of commands) {
    const before = (await listed()).length;
    const refused = await run(...words);
    expect([words, refused.code, refused.stdout, codeOf(refused)]).toEqual([
      words,
      1,
      '',
      'export.reasonMissing',
    ]);
    if (words[0] === 'show') expect(codeOf(await run(...words, '--reason', '.'))).toBe('usage.invalid');
    expect((await run(...words, ...because)).code).toBe(0);
    const entries = await listed();
    expect([words, entries.length]).toEqual([words, before + 1]);
    expect(entries[0]).toMatchObject({ details: { ...details, reason: 'Appeal of March' } });
  }
  for (const words of [
    ['list', 'claims', '--totals'],
    ['list', 'claims', '--group-by', 'status'],
  ]) {
    const before = (await listed()).length;
    expect((await run(...words)).code).toBe(0);
    expect(await listed()).toHaveLength(before + 1);
  }
  const long = await run('show', 'claim', id, '--reason', 'a'.repeat(201));
  expect([long.code, long.stdout]).toEqual([2, '']);
  expect(long.stderr).toContain('--reason');
});

describe('dates of service', () => {
  const dayAfter = (day: string, days: number): string =>
    new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

  /** Whether a day is one of service, as PostgreSQL tells it of a range with dates or midnights for ends. */
  function holds({ date_of_service: sent }: AnyRecord, day: string): boolean {
    const { start, end, bounds } = (sent ?? {}) as Record<string, string | null>;
    if (!start && !end) return false;
    const [from, to] = [start?.slice(0, 10) ?? '', end?.slice(0, 10) ?? '~'];
    return (
      (bounds?.startsWith('(') ? from < day : from <= day) && (bounds?.endsWith(')') ? day < to : day <= to)
    );
  }

  /** Beside each end that was sent there is the first or the last day; blank where the end is open. */
  function spanOf(claim: AnyRecord): { first: string; last: string } {
    const { start, end } = (claim.date_of_service ?? {}) as Record<string, string | null>;
    const near = (sent: string | null | undefined, step: number): string =>
      sent
        ? ([0, step].map((by) => dayAfter(sent.slice(0, 10), by)).find((day) => holds(claim, day)) ?? '')
        : '';
    return { first: near(start, 1), last: near(end, -1) };
  }

  test('a file has the first and the last day, newest first', async () => {
    const out = join(folder.path, 'days.csv');
    const sort = ['--sort', 'date_of_service:desc'];
    await run('export', 'claims', '--out', out, '--columns', 'id,date_of_service', ...sort);
    const [header, ...rows] = parseCsv(await readFile(out, 'utf8'));
    expect(header).toEqual(['id', 'date_of_service.first_day', 'date_of_service.last_day']);
    const expected = truth.claims.map((claim) => {
      const { first, last } = spanOf(claim);
      return [String(claim.id), first, last];
    });
    const byId = (one: string[], other: string[]): number => Number(one[0]) - Number(other[0]);
    expect(rows.toSorted(byId)).toEqual(expected.toSorted(byId));
    const sorted = rows.map(([, first, last]) => `${first}/${last}`).filter((days) => days !== '/');
    expect(sorted).toEqual(sorted.toSorted().reverse());
    expect(rows.slice(0, sorted.length).every(([, first, last]) => `${first}${last}` !== '')).toBe(true);
    // All four bounds are among them, so that a start or an end as sent would be told apart.
    const bounds = truth.claims.map(({ date_of_service: sent }) => (sent as AnyRecord | null)?.bounds);
    expect(bounds).toEqual(expect.arrayContaining(['[]', '[)', '(]', '()']));
  });

  test('lists and groups use them', async () => {
    const ranged = truth.claims.filter((claim) => spanOf(claim).first < spanOf(claim).last);
    const idsOf = (claims: readonly AnyRecord[]): number[] =>
      claims.map(({ id }) => id).toSorted((a, b) => a - b);
    const listed = async (filter: string): Promise<number[]> =>
      idsOf(readLines(await list('claims', '--filter', filter)) as AnyRecord[]);
    for (const claim of [ranged[0], ranged.at(-1)]) {
      const { last } = spanOf(claim as AnyRecord);
      const next = dayAfter(last, 1);
      for (const day of [last, next]) {
        expect(await listed(`date_of_service=${day}`)).toEqual(
          idsOf(truth.claims.filter((one) => holds(one, day))),
        );
      }
      expect(await listed(`date_of_service<${next}`)).toEqual(
        idsOf(truth.claims.filter((one) => spanOf(one).last !== '' && spanOf(one).last < next)),
      );
    }
    const months = new Map<string | null, number>();
    for (const claim of truth.claims) {
      const month = spanOf(claim).first.slice(0, 7) || null;
      months.set(month, (months.get(month) ?? 0) + 1);
    }
    const groups = readLines(await list('claims', '--group-by', 'date_of_service.month'));
    expect(new Map(groups.map(({ value, count }) => [value, count]))).toEqual(months);
  });
});

describe('export', () => {
  const why = ['--reason', 'A test'];

  test('claims have the default columns, no SSN, birth date or diagnosis, and every row', async () => {
    const out = join(folder.path, 'claims.csv');
    const exported = await run('export', 'claims', '--out', out, '--json', ...why);
    expect([exported.code, exported.stderr]).toEqual([0, '']);
    const [last] = readLines(exported);
    expect(last).toMatchObject({ event: 'done', rows: truth.claims.length, files: [{ path: out }] });
    const text = await readFile(out, 'utf8');
    expect(text.split('\r\n')[0]).toBe(
      presetColumns({ kind: 'list', query: { entity: 'claims' } }, 'standard').join(','),
    );
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    for (const entity of ['members', 'dependents', 'lines']) {
      const path = join(folder.path, `${entity}.csv`);
      expect((await run('export', entity, '--out', path, ...why)).code).toBe(0);
      const header = (await readFile(path, 'utf8')).split('\r\n')[0] ?? '';
      expect(header).not.toMatch(/ssn|date_of_birth|diagnosis/);
      expect(header.split(',')).toContain('id');
    }
  });

  test('chosen columns are written as chosen; SSNs are masked unless --reveal', async () => {
    const out = join(folder.path, 'chosen.csv');
    const columns = ['--columns', 'id,ssn'];
    await run('export', 'members', '--out', out, ...columns, ...why);
    expect(await readFile(out, 'utf8')).toMatch(/^id,ssn\r\n\d+,\*\*\*-\*\*-\d{4}\r\n/);
    await run('export', 'members', '--out', out, ...columns, ...why, '--reveal');
    expect(await readFile(out, 'utf8')).toMatch(/\r\n\d+,\d{3}-\d{2}-\d{4}\r\n/);
    const lines = join(folder.path, 'lines.csv');
    await run('export', 'lines', '--out', lines, '--columns', 'claim_id, id');
    expect((await readFile(lines, 'utf8')).startsWith('claim_id,id\r\n')).toBe(true);
    const payments = join(folder.path, 'payments.csv');
    await run('export', 'payments', '--out', payments, '--columns', 'claim_id,amount');
    expect(await readFile(payments, 'utf8')).toBe('claim_id,amount\r\n');
  });

  test('columns that name people need a reason, others do not', async () => {
    const out = join(folder.path, 'reason.csv');
    const refused = await run('export', 'claims', '--out', out);
    expect([refused.code, codeOf(refused)]).toEqual([1, 'export.reasonMissing']);
    const blank = await run('export', 'claims', '--out', out, '--reason', ' ');
    expect([blank.code, codeOf(blank)]).toEqual([2, 'usage.invalid']);
    const plain = await run('export', 'claims', '--out', out, '--preset', 'de-identified');
    expect(plain.code).toBe(0);
    const [header = []] = parseCsv(await readFile(out, 'utf8'));
    expect(header).toContain('amount_billed');
    for (const name of header)
      expect(name).not.toMatch(/_name$|^id$|date|day|account_number|check_number|employer|uuid/);
  });

  test('each format and the lines of claims are written; standard output contains only the file', async () => {
    // A process of its own: its standard output is the file.
    const toOutput = (list: string, ...args: string[]) =>
      runCli(['export', list, '--out', '-', ...args], { profile });
    const plain = await toOutput('claims', '--columns', 'id,amount_billed', '--quiet');
    expect([plain.code, plain.stderr]).toEqual([0, '']);
    expect(parseCsv(plain.stdout)).toHaveLength(truth.claims.length + 1);
    const tabs = await toOutput('claims', '--columns', 'id,status', '--delimiter', 'tab');
    expect(tabs.stdout.startsWith('id\tstatus\r\n')).toBe(true);
    const book = join(folder.path, 'claims.xlsx');
    expect((await run('export', 'claims', '--out', book, '--format', 'xlsx', ...why)).code).toBe(0);
    expect((await readFile(book)).subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004');
    const both = await toOutput('claim-lines', '--columns', 'claim.id,claim.amount_billed,line.id');
    const rows = parseCsv(both.stdout).slice(1);
    const lines = truth.claims.flatMap(({ id, claim_medical_lines: sent }) => {
      const own = (sent as AnyRecord[] | null) ?? [];
      return own.length === 0 ? [String(id)] : own.map(() => String(id));
    });
    expect(rows.map(([id]) => id).toSorted()).toEqual(lines.toSorted());
    // Once for each claim, so that the column adds up.
    const billed = rows.filter(([, amount]) => amount !== '').length;
    expect(billed).toBe(
      truth.claims.filter(({ amount_billed: amount }) => typeof amount === 'number').length,
    );
  });

  test('rows are split into numbered files', async () => {
    const out = join(folder.path, 'parts.csv');
    const split = String(Math.ceil(truth.claims.length / 3));
    const done = await run('export', 'claims', '--out', out, '--columns', 'id', '--split', split);
    const [last] = readLines(done) as { files: { path: string; rows: number }[] }[];
    expect(last?.files.map(({ path }) => path)).toEqual(
      [1, 2, 3].map((part) => join(folder.path, `parts-${part}.csv`)),
    );
    const ids: string[] = [];
    for (const { path, rows } of last?.files ?? []) {
      const [header, ...cells] = parseCsv(await readFile(path, 'utf8'));
      expect([header, cells.length]).toEqual([['id'], rows]);
      ids.push(...cells.map(([id]) => id as string));
    }
    expect(ids.toSorted()).toEqual(truth.claims.map(({ id }) => String(id)).toSorted());
  });

  test('verify says in one sentence whose signature is beside a file, and whether the audit log has the file', async () => {
    const out = join(folder.path, 'signed.csv');
    const signature = `${out}.sig`;
    const exported = await run('export', 'claims', '--out', out, '--columns', 'id,status', '--sign');
    expect(readLines(exported).at(-1)).toMatchObject({ files: [{ path: out, signaturePath: signature }] });
    const [key] = readLines(await run('key', 'list', '--json')) as [{ name: string; fingerprint: string }];
    const verify = async (of = profile) => {
      const done = await runCommand(['verify', out], { profile: of });
      return { code: done.code, said: done.stderr.trim(), ...readLines(done)[0] };
    };
    const inLog =
      /^[^.]+\.csv[^.]*, and the audit log of this profile has its export of [-\d]+ [\d:]+ UTC\.$/;
    const notInLog = 'and the audit log of this profile has no export with this content.';
    const ofOwn = `signed.csv is unchanged since it was signed by this profile’s key ${key.name} (${key.fingerprint})`;

    const good = await verify();
    expect(good).toMatchObject({ code: 0, signature: 'good', isVerified: true, isLogIntact: true });
    expect(good.said.startsWith(`${ofOwn}, and the audit log`)).toBe(true);

    // Another profile knows neither the key nor the export; that is no accusation.
    const elsewhere = await verify(join(folder.path, 'elsewhere'));
    expect(elsewhere).toMatchObject({ code: 3, signature: 'good', isVerified: false, exportedAt: null });
    expect(elsewhere.said).toBe(
      `signed.csv is unchanged since it was signed by ${key.fingerprint}, a key that this profile doesn’t have, ${notInLog}`,
    );

    const [bytes, text] = [await readFile(out), await readFile(signature, 'utf8')];
    for (const at of [0, Math.floor(bytes.length / 2), bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await writeFile(out, changed);
      const verdict = await verify();
      expect(verdict).toMatchObject({ code: 1, signature: 'ofOtherContent', isVerified: false });
      expect(verdict.said).toMatch(/^export\.notAsSigned: /);
    }
    await rm(signature);
    const bare = await verify();
    expect(bare).toMatchObject({ code: 3, signature: 'none', key: null, isVerified: false });
    expect(bare.said).toBe(`signed.csv has no signature beside it, ${notInLog}`);

    await writeFile(out, bytes);
    const logged = await verify();
    expect(logged).toMatchObject({ code: 0, signature: 'none', isVerified: true });
    expect(logged.said).toMatch(inLog);
    // The audit log's proof needs no signature: neither a damaged one nor another file's prevents it.
    await writeFile(signature, text.slice(0, 100));
    expect(await verify()).toMatchObject({ code: 0, signature: 'unreadable', key: null });
    const stranger = await generatePrivateJwk('ed25519');
    await writeFile(signature, signFileDigest(stranger, Buffer.alloc(64)));
    expect(await verify()).toMatchObject({ code: 0, signature: 'ofOtherContent', key: { name: null } });

    // A file that this profile did not export, by a key that it has and by one that it does not.
    const other = join(folder.path, 'other.csv');
    await writeFile(other, 'id\n1\n');
    const sha512 = createHash('sha512').update('id\n1\n').digest();
    await writeFile(`${other}.sig`, signFileDigest(stranger, sha512));
    const unknown = await run('verify', other);
    expect(readLines(unknown)).toMatchObject([{ signature: 'good', key: { name: null }, isVerified: false }]);
    expect(unknown.code).toBe(3);
    const absent = await run('verify', join(folder.path, 'none.csv'));
    expect([absent.code, codeOf(absent)]).toEqual([2, 'usage.invalid']);
  });

  test('errors have a code and leave only the old file', async () => {
    const out = join(folder.path, 'kept.csv');
    await writeFile(out, 'old');
    const before = await readdir(folder.path);
    const cases: [string[], string][] = [
      [['--out', out, '--columns', 'id,nothing'], 'export.unknownColumn'],
      [['--out', out, '--filter', 'nothing=1'], 'query.invalid'],
      [['--out', join(folder.path, 'none', 'x.csv')], 'export.targetMissing'],
      [['--out', folder.path], 'export.unwritable'],
      [['--out', join(folder.path, 'x'.repeat(300))], 'export.nameTooLong'],
    ];
    for (const [args, code] of cases) {
      const failed = await run('export', 'claims', ...args, ...why);
      expect([failed.code, failed.stdout, codeOf(failed)]).toEqual([1, '', code]);
    }
    expect(await readFile(out, 'utf8')).toBe('old');
    expect(await readdir(folder.path)).toEqual(before);
  });
});

describe('secrets and traces', () => {
  test('no name, email, SSN or amount is in plain text in the profile, in UTF-8 or UTF-16', async () => {
    const words = truth.members
      .slice(0, 40)
      .flatMap(({ email, ssn, address, full_name_derived: name }) => [email, ssn, address, name])
      .filter((word): word is string => typeof word === 'string' && word.length > 6);
    expect(words.length).toBeGreaterThan(100);
    const files = (await readdir(profile, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    );
    expect(files.some(({ name }) => name === 'records.db')).toBe(true);
    for (const file of files) {
      const bytes = await readFile(join(file.parentPath, file.name));
      for (const word of words) {
        expect(bytes.includes(Buffer.from(word, 'utf8')), `${file.name} has a record in it`).toBe(false);
        expect(bytes.includes(Buffer.from(word, 'utf16le')), `${file.name} has a record in it`).toBe(false);
      }
      expect(bytes.subarray(0, 15).toString('latin1'), file.name).not.toBe('SQLite format 3');
      expect(bytes.includes(Buffer.from('BEGIN OPENSSH')), file.name).toBe(false);
    }
  });

  test('the log says when and what, and names no one', async () => {
    const log = await readFile(join(profile, 'logs', 'claimdesk.log'), 'utf8');
    const lines = log
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.some(({ event }) => event === 'sync.finished')).toBe(true);
    const workspaceId = String(readLines(await run('workspace', 'list'))[0]?.id);
    for (const secret of [
      '@',
      'sandbox.example',
      workspaceId,
      keyId,
      'correct horse',
      'SSH-JWT',
      'eyJ',
      '$',
    ]) {
      expect(log).not.toContain(secret);
    }
    for (const { last_name: name } of truth.members) {
      if (typeof name === 'string' && name.length > 3) expect(log).not.toContain(name);
    }
  });

  test('the token is sent only to the service, and no cookie is returned', async () => {
    const { data } = await sandbox.control<{
      data: {
        cookie: string | null;
        origin: string | null;
        authorizationScheme: string | null;
        path: string;
      }[];
    }>('GET', '/requests');
    const calls = data.filter(({ path }) => path.startsWith('/api/'));
    expect(calls.length).toBeGreaterThan(5);
    for (const call of calls)
      expect(call).toMatchObject({ cookie: null, origin: null, authorizationScheme: 'SSH-JWT' });
    expect(await sandbox.control('GET', '/complaints')).toEqual({ data: [] });
  });

  test('nothing opens with another passphrase', async () => {
    const listed = await runCli(['list', 'claims', '--reason', 'A test'], {
      profile,
      env: { CLAIMDESK_VAULT_PASSPHRASE: 'not this one' },
    });
    expect([listed.code, listed.stdout, listed.stderr.split(':')[0]]).toEqual([
      1,
      '',
      'vault.wrongPassphrase',
    ]);
  });
});

describe('workspaces', () => {
  test('several workspaces are an error with exit code 2 unless one is chosen; their records are separate', async () => {
    const second = await run(
      'workspace',
      'add',
      '--base-url',
      'https://claims.example.com',
      '--email',
      'b@example.com',
      '--name',
      'Other',
    );
    expect(second.code).toBe(0);
    const ambiguous = await list('claims', '--json');
    expect([ambiguous.code, ambiguous.stdout]).toEqual([2, '']);
    expect(JSON.parse(ambiguous.stderr)).toMatchObject({
      error: { code: 'workspace.ambiguous', details: { names: expect.stringContaining('Other') } },
    });
    expect((await list('claims', '--workspace', 'nobody')).stderr).toMatch(/^workspace\.unknown: /);

    const empty = await list('claims', '--workspace', 'other');
    expect([empty.code, codeOf(empty)]).toEqual([1, 'store.empty']);
    // An export is verified by the keys and the log of the whole profile, whichever workspace it is of.
    const out = join(folder.path, 'beside others.csv');
    const own = String(readLines(await run('workspace', 'list'))[0]?.name);
    await run('export', 'claims', '--out', out, '--columns', 'id,status', '--sign', '--workspace', own);
    for (const which of [[], ['--workspace', 'Other']])
      expect(readLines(await run('verify', out, ...which))).toMatchObject([
        { signature: 'good', isVerified: true, isLogIntact: true },
      ]);
    const keyless = await run('sync', '--workspace', 'Other');
    expect([keyless.code, codeOf(keyless)]).toEqual([1, 'key.missing']);
    const first = String(readLines(await run('workspace', 'list'))[0]?.name);
    expect((await list('claims', '--workspace', first, '--limit', '1')).lines).toHaveLength(1);

    const removed = await run('workspace', 'remove', 'Other');
    expect(readLines(removed)).toMatchObject([{ event: 'removed', name: 'Other' }]);
    expect(readLines(await run('workspace', 'list'))).toHaveLength(1);
  });

  test.each([
    [['--base-url', 'claims example', '--email', 'a@example.com'], 'workspace.badUrl'],
    [['--base-url', 'http://claims.example.com', '--email', 'a@example.com'], 'workspace.insecureUrl'],
    [['--base-url', 'https://a:b@claims.example.com', '--email', 'a@example.com'], 'workspace.badUrl'],
    [['--base-url', 'https://claims.example.com', '--email', 'nobody'], 'workspace.badEmail'],
  ])('%j is refused with %s', async (args, code) => {
    const added = await run('workspace', 'add', ...args);
    expect([added.code, added.stdout, added.stderr.split(':')[0]]).toEqual([1, '', code]);
  });
});

describe('offline', () => {
  test('if the service can’t be reached, a sync says so and keeps all records readable', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    await run(
      'workspace',
      'add',
      '--base-url',
      `http://127.0.0.1:${port}`,
      '--email',
      'gone@example.com',
      '--name',
      'Gone',
    );
    await run('key', 'use', keyId, '--workspace', 'Gone', '--yes');
    const failed = await run('sync', '--workspace', 'Gone', '--json');
    expect(failed.code).toBe(1);
    expect(codeOf(failed)).toBe('service.unreachable');
    expect(readLines(failed).at(-1)).toMatchObject({ event: 'failed', proof: 'not-proven', claims: 0 });
    expect((await list('claims', '--workspace', 'Gone', '--json')).stdout).toBe('');
    expect(existsSync(join(profile, 'workspaces'))).toBe(true);
    expect((await run('workspace', 'remove', 'Gone')).code).toBe(0);
  });
});
