import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toHead } from '../../../src/main/engine/review/signed-entry.ts';
import { leave, revoke, setRole } from '../../../src/main/engine/team/change-members.ts';
import type { LogLine } from '../../../src/main/engine/team/log-lines.ts';
import { createTeamLogHandlers, verifyTeamFile } from '../../../src/main/engine/team/team-log-handlers.ts';
import { describeVerdict } from '../../../src/main/shells/cli/commands/team.ts';
import { nextChainHash } from '../../../src/team-protocol/chain.ts';
import { commitTo, headPart } from '../../../src/team-protocol/commitment.ts';
import { writeHeader } from '../../../src/team-protocol/entry.ts';
import { readNumbered, writeNumbered } from '../../../src/team-protocol/frame.ts';
import { makeRecoveryKey } from '../../../src/team-protocol/recovery-key.ts';
import { makeSalt } from '../../../src/team-protocol/seal.ts';
import { admit, exchangeAll, openTeam } from '../../support/open-team.ts';
import { workspaceId } from '../../support/review-computer.ts';
import { decisionOf, entryOf } from '../../support/review-files.ts';
import type { Member } from '../../support/team-member.ts';
import { claimsOfTwo, removeAs } from '../../support/team-removal.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';

/** The procedures of a member's engine; `audited`: what it recorded. */
function handlersOf(member: Member, { path = '', ssn = '', policy = {} } = {}) {
  const audited: object[] = [];
  const mask = (text: string): string => text.replaceAll(ssn, '***');
  const handlers = createTeamLogHandlers(
    {
      main: { ...member.ports.main, resolveSaveTarget: async () => path },
      clock: member.ports.clock,
      policy,
      auditAction: async (_workspaceId, action, details) => void audited.push({ action, ...details }),
      maskSsns: async (_workspaceId, value) => {
        const text = JSON.stringify(value);
        return ssn !== '' && text.includes(ssn) ? (JSON.parse(mask(text)) as typeof value) : value;
      },
      getStore: async () => member.store,
    },
    member.sessionOf,
  );
  return { ...handlers, audited };
}

async function exportLog(member: Member, options: { ssn?: string } = {}) {
  const path = join(makeTempFolder(), 'team.jsonl');
  const handlers = handlersOf(member, { path, ...options });
  const written = await handlers['team:export']({ workspaceId, targetId: 't', reason: 'for the audit' });
  const lines = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as LogLine);
  return { ...written, path, lines, audited: handlers.audited };
}

/** Returns the result of checking the lines, after they were changed. */
async function verdictOf(lines: readonly unknown[], member: Member) {
  const path = join(makeTempFolder(), 'changed.jsonl');
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return verifyTeamFile(path, member.ports.main);
}

/** Makes a team with all that a log can have: notes, a bulk act, roles, a former member, a new team key. */
async function workTogether(claims = 10) {
  const opened = await openTeam('ana', 'ben', 'cleo');
  const [ana, ben, cleo] = opened.members as [Member, Member, Member];
  await ana.act([1, 2], decisionOf('eligible'));
  await ben.act([3], { kind: 'note', text: 'Zoë asked' });
  const claimIds = Array.from({ length: claims }, (_none, index) => index + 1);
  const dora = opened.open('dora', { claimIds });
  await admit(ana, dora);
  await dora.act(claimIds, { kind: 'flag', isFlagged: true });
  await exchangeAll([...opened.members, dora]);
  await setRole(ana.ports, await ana.sessionOf(), { email: 'cleo@example.com', role: 'reader' });
  await revoke(ana.ports, await ana.sessionOf(), { email: 'ben@example.com' });
  await ana.act([4], decisionOf('disputed'));
  await leave(dora.ports, await dora.sessionOf());
  await exchangeAll([ana]);
  return { ...opened, ana, ben, cleo };
}

test('the log of a team is written to a file that shows by itself whether it is complete', async () => {
  // An act in two parts.
  const { ana, cleo, team } = await workTogether(3_000);
  const { verdict, lines, path, sha256, audited } = await exportLog(ana);
  expect(verdict).toMatchObject({ isWhole: true, team, refused: 0, leftOut: 0, findings: [] });
  expect(await verifyTeamFile(path, ana.ports.main)).toEqual(verdict);
  expect(await handlersOf(cleo)['team:verify']({ workspaceId })).toEqual(verdict);
  expect(describeVerdict(verdict)).toBe(
    `The log of team ${team} is whole: ${verdict.entries} entries of 4 computers of 4 people, none refused.`,
  );
  expect(verdict.computers.map(({ email, role }) => [email.split('@')[0], role])).toEqual([
    ['ana', 'admin'],
    ['ben', null],
    ['cleo', 'reader'],
    ['dora', null],
  ]);
  expect(lines.filter((line) => 'certificate' in line)).toHaveLength(4);
  expect(lines.filter((line) => 'part' in line).length).toBeGreaterThan(3);
  expect(JSON.stringify(lines)).toContain('Zoë asked');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(audited).toEqual([
    {
      action: 'team.exported',
      team,
      entries: verdict.entries,
      isWhole: true,
      sha256,
      reason: 'for the audit',
    },
  ]);
});

test('a file that was changed anywhere shows where', async () => {
  const { ana } = await workTogether();
  const { lines } = await exportLog(ana);
  const text = lines.map((line) => JSON.stringify(line));
  const at = (what: string, from = 0): number =>
    text.findIndex((line, index) => index >= from && line.includes(what));
  const findingsOf = async (change: (copy: typeof lines) => unknown[] | undefined) => {
    const copy = structuredClone(lines);
    const { isWhole, findings } = await verdictOf(change(copy) ?? copy, ana);
    expect(isWhole).toBe(false);
    return findings.map(({ finding }) => finding);
  };
  type Changed = Record<'log' | 'certificate' | 'entry' | 'part', Record<string, unknown>>;
  const change = (index: number, run: (line: Changed) => void) => (copy: unknown[]) => {
    run(copy[index] as Changed);
    return undefined;
  };
  const content = (line: Changed) => line.entry.content as Record<string, unknown>;
  const note = at('Zoë asked');
  const part = at('{"part"');
  expect(await findingsOf(change(note, (line) => (content(line).head = 'other')))).toEqual(['content']);
  expect(await findingsOf(change(note, (line) => (content(line).salt = 'AAAAAAAAAAAAAAAAAAAAAA==')))).toEqual(
    ['content'],
  );
  expect(await findingsOf(change(note, (line) => (line.entry.hash = 'A'.repeat(43))))).toEqual(['order']);
  expect(await findingsOf(change(note, (line) => (line.entry.signature = 'AAAA')))).toEqual(['order']);
  expect(await findingsOf(change(part, (line) => (line.part.content = { text: '[]' })))).toEqual(['content']);
  expect(await findingsOf((copy) => copy.filter((_line, index) => index !== part))).toEqual(['content']);
  expect(await findingsOf((copy) => copy.filter((_line, index) => index !== note))).toEqual(['order']);
  expect(await findingsOf((copy) => copy.slice(0, -1))).toEqual([expect.stringMatching(/^(end|content)$/)]);
  expect(await findingsOf(change(0, (line) => (line.log.number = 3)))).toEqual(['end']);
  expect(await findingsOf(change(0, (line) => (line.log.team = 'A'.repeat(22))))).toEqual(['otherTeam']);
  expect(await findingsOf((copy) => copy.filter((_line, index) => index !== 1))).toEqual(['certificate']);
  expect(await findingsOf(change(1, (line) => (line.certificate.email = 'eve@example.com')))).toEqual([
    'certificate',
  ]);
  const first = at('{"entry"');
  // A membership with its content left out leaves no members whose entries could be checked.
  expect(await findingsOf(change(first, (line) => (line.entry.content = { leftOut: 'removed' })))).toEqual([
    'content',
  ]);
  await expect(verdictOf([], ana)).rejects.toMatchObject({ code: 'team.notALog' });
  await expect(verdictOf(lines.slice(1), ana)).rejects.toMatchObject({ code: 'team.notALog' });
  await expect(verdictOf(['x'], ana)).rejects.toMatchObject({ code: 'team.notALog', details: { line: 1 } });
  await expect(verifyTeamFile(join(makeTempFolder(), 'none'), ana.ports.main)).rejects.toMatchObject({
    code: 'team.notALog',
  });
});

test('standard ssh-keygen and a few lines of Node check the file as docs/team-server.md says', async () => {
  const { ana } = await workTogether();
  await ana.replaceRecoveryKey(makeRecoveryKey().text);
  ana.opened.ingest('claims', claimsOfTwo);
  await removeAs(ana, { kind: 'member', memberId: 7 });
  const { path, verdict, lines } = await exportLog(ana);
  expect(verdict).toMatchObject({ isWhole: true, removals: [{ by: ana.email }] });
  expect(lines.filter((line) => 'part' in line && 'salt' in line.part.content)).toHaveLength(1);
  const folder = makeTempFolder();
  const page = readFileSync('docs/team-server.md', 'utf8').split("## Check a team's log")[1] ?? '';
  const [, shell = ''] = /```sh\n([\s\S]+?)```/.exec(page) ?? [];
  const [, script = ''] = /```js\n([\s\S]+?)```/.exec(page) ?? [];
  writeFileSync(join(folder, 'team.jsonl'), readFileSync(path));
  const run = (commands: string) =>
    execFileSync('sh', ['-ec', commands], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  expect(run(shell)).toMatch(
    /^Good "computer@claimdesk" signature for ana@example.com with ED25519 key SHA256:/,
  );
  writeFileSync(join(folder, 'check.mjs'), script);
  const check = () =>
    execFileSync(process.execPath, [join(folder, 'check.mjs'), 'team.jsonl'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  expect(check().trim()).toBe(verdict.hash);
  writeFileSync(join(folder, 'team.jsonl'), readFileSync(path, 'utf8').replace('Zoë', 'Zoe'));
  expect(check).toThrow(/its head/);
  // Another body under the same signature.
  expect(() => run(shell.replace("certificate.body'", 'certificate.body + " "\''))).toThrow();
});

test('content about claims that were removed here, or with an SSN, is left out with its salt', async () => {
  const { members } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  for (const { opened } of members)
    opened.ingest('claims', [
      { id: 1, status: 'Processed', processed_on: '2019-05-05T00:00:00.000000+00:00' },
      { id: 3, status: 'Processed', check_number: '987-65-4321' },
    ]);
  await ana.act([1, 2], decisionOf('eligible'));
  await ana.act([3], decisionOf('disputed'));
  await ben.act([4], { kind: 'note', text: 'Zoë asked' });
  await exchangeAll(members);
  // Ben removed what is older than 2020.
  const store = {
    read: async (name: string, input: unknown) =>
      name === 'readRetention'
        ? { claimsBefore: '2020-01-01', memberIds: [] }
        : name === 'freezeClaims'
          ? { claimIds: Float64Array.of(2, 3, 4) }
          : (ben.store.read as (name: string, input: unknown) => unknown)(name, input),
  };
  const removing = { ...ben, store: store as unknown as Member['store'] };
  const { verdict, lines } = await exportLog(removing, { ssn: '987-65-4321' });
  expect(verdict).toMatchObject({ isWhole: true, leftOut: 2 });
  expect(describeVerdict(verdict)).toMatch(
    /whole: 5 entries .+ The content of 2 entries is left out and could not be checked\.$/,
  );
  expect(await verdictOf(lines, ben)).toEqual(verdict);
  const events = lines.flatMap((line) =>
    'entry' in line && line.entry.number > 2 ? [line.entry.content] : [],
  );
  expect(events).toEqual([
    { leftOut: 'removed' },
    { leftOut: 'hasSsn' },
    { salt: expect.any(String), head: expect.stringContaining('Zoë asked') },
  ]);
});

test('an entry that its author was not allowed to write is found', async () => {
  const { ana, ben, cleo, team } = await workTogether();
  const { lines, verdict } = await exportLog(ana);
  const findingOf = async (author: Member, signer = author, email = author.email) => {
    const number = verdict.entries + 1;
    const content = {
      text: toHead(entryOf('', decisionOf('eligible'), { author: email })),
      salt: makeSalt(),
    };
    const header = writeHeader({
      ...{ protocol: 2, team, id: `forged-${number}`, kind: 'event', computer: author.computer },
      ...{
        at: '2026-11-20T12:00:00.000Z',
        seen: null,
        tags: '',
        head: commitTo(content, headPart),
        parts: [],
      },
    });
    const [text = ''] = await signer.ports.main.signHeaders({ workspaceId, headers: [header] });
    const signature = Buffer.from(text, 'base64url');
    const hash = nextChainHash(verdict.hash, number, { header, signature });
    const [first, ...rest] = structuredClone(lines) as [{ log: object }, ...object[]];
    const entry = {
      ...{ number, hash, header, signature: signature.toString('base64') },
      content: { salt: content.salt.toString('base64'), head: content.text },
    };
    const changed = await verdictOf([{ log: { ...first.log, number, hash } }, ...rest, { entry }], ana);
    expect(changed.findings.length).toBeLessThan(2);
    return changed.findings[0]?.finding;
  };
  expect(await findingOf(ana)).toBe(undefined);
  expect(await findingOf(ana, cleo)).toBe('signature');
  expect(await findingOf(ana, ana, cleo.email)).toBe('content');
  expect(await findingOf(cleo)).toBe('role');
  expect(await findingOf(ben)).toBe('author');
});

test('a server that shows another log than before is detected', async () => {
  const { members } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  await ana.act([1], decisionOf('eligible'));
  await ben.act([2], decisionOf('disputed'));
  await exchangeAll(members);
  const changePages = (member: Member, change: (page: ReturnType<typeof readNumbered> & {}) => object[]) => {
    member.network.reply = (reply, method, path) => {
      const page = method === 'GET' && path.endsWith('/entries') ? readNumbered(reply.body) : null;
      return page === null
        ? reply
        : { ...reply, body: new Uint8Array(Buffer.concat((change(page) as typeof page).map(writeNumbered))) };
    };
  };
  const verify = (member: Member) => handlersOf(member)['team:verify']({ workspaceId });
  changePages(ben, (page) =>
    page.map((entry) =>
      entry.number === 3 ? { ...entry, header: entry.header.replace('2026', '2027') } : entry,
    ),
  );
  expect((await verify(ben)).findings).toEqual([{ number: 3, finding: 'order' }]);
  changePages(ben, (page) => page.filter(({ number }) => number < 4));
  expect((await verify(ben)).findings).toEqual([{ number: 4, finding: 'end' }]);
  changePages(ben, (page) =>
    page.map((entry) => (entry.number === 3 ? { ...entry, head: Buffer.alloc(90) } : entry)),
  );
  expect((await verify(ben)).findings).toEqual([{ number: 3, finding: 'content' }]);
});

test('files left in the folder by a killed export are removed by the next one', async () => {
  const { members } = await openTeam('ana');
  const folder = makeTempFolder();
  const left = join(folder, '.team.jsonl.0123456789abcdef.tmp');
  writeFileSync(left, 'Zoë');
  utimesSync(left, 0, 0);
  const handlers = handlersOf(members[0], { path: join(folder, 'team.jsonl') });
  await handlers['team:export']({ workspaceId, targetId: 't', reason: 'audit' });
  expect(readdirSync(folder)).toEqual(['team.jsonl']);
});

test('an export needs a reason, and is refused if it can’t be written', async () => {
  const { members } = await openTeam('ana');
  const [ana] = members;
  const folder = makeTempFolder();
  const start = (path: string, reason?: string, policy = {}) =>
    handlersOf(ana, { path, policy })['team:export']({ workspaceId, targetId: 't', reason });
  await expect(start(join(folder, 'a.jsonl'))).rejects.toMatchObject({ code: 'export.reasonMissing' });
  await expect(start(join(folder, 'a.jsonl'), '.', { requireExportReason: true })).rejects.toMatchObject({
    code: 'policy.reasonNeeded',
  });
  mkdirSync(join(folder, 'a folder'));
  await expect(start(join(folder, 'a folder'), 'audit')).rejects.toMatchObject({ code: 'export.unwritable' });
  await expect(start(join(folder, 'none', 'a.jsonl'), 'audit')).rejects.toMatchObject({
    code: 'export.targetMissing',
  });
});
