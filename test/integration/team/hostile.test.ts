import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readPart, toHead, toPart } from '../../../src/main/engine/review/signed-entry.ts';
import { markClaimsRead } from '../../../src/main/engine/store/record/claim-reads.ts';
import { createLogChecker } from '../../../src/main/engine/team/check-log.ts';
import type { TeamLog } from '../../../src/main/engine/team/pull-log.ts';
import { dismissOtherLogs, readKnownLogs } from '../../../src/main/engine/team/rewound-logs.ts';
import { describeVerdict } from '../../../src/main/shells/cli/commands/team.ts';
import { teamFactKinds } from '../../../src/rules/review/event-kinds.ts';
import { nextChainHash } from '../../../src/team-protocol/chain.ts';
import { createClaimTags, writeTags } from '../../../src/team-protocol/claim-tags.ts';
import { commitTo, headPart } from '../../../src/team-protocol/commitment.ts';
import { writeHeader } from '../../../src/team-protocol/entry.ts';
import { type NumberedEntry, readNumbered, writeNumbered } from '../../../src/team-protocol/frame.ts';
import { makeSalt, seal } from '../../../src/team-protocol/seal.ts';
import { openSqliteDatabase } from '../../../src/team-server/store/sqlite-database.ts';
import { exchangeAll, openTeam, restoreServer } from '../../support/open-team.ts';
import { workspaceId } from '../../support/review-computer.ts';
import { decisionOf, entryOf } from '../../support/review-files.ts';
import type { Member } from '../../support/team-member.ts';
import { startTestServer } from '../../support/team-server.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

/** A server that changes pages of entries that are new to a member. */
async function changePages(
  member: Member,
  change: (page: NumberedEntry[]) => NumberedEntry[],
): Promise<void> {
  const { log } = await member.sessionOf();
  const { number } = log.state.position;
  member.network.reply = (reply, method, path) => {
    const page = method === 'GET' && path.endsWith('/entries') ? readNumbered(reply.body) : null;
    if (page === null || (page[0]?.number ?? 0) <= number) return reply;
    return { ...reply, body: new Uint8Array(Buffer.concat(change(page).map(writeNumbered))) };
  };
}
const changed = (bytes: Uint8Array): Uint8Array => {
  const copy = Uint8Array.from(bytes);
  copy[copy.length - 1] = (copy.at(-1) ?? 0) ^ 1;
  return copy;
};

test('a server that leaves out, reorders, renumbers, repeats or truncates entries is detected, and nothing of it is used', async () => {
  const { members } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  for (const claimId of [1, 2, 3]) await ana.act([claimId], decisionOf('eligible'));
  await ana.exchange();
  const { log } = await ben.sessionOf();
  const before = log.state.position;
  for (const change of [
    (page: NumberedEntry[]) => page.slice(1),
    (page: NumberedEntry[]) => page.toReversed(),
    (page: NumberedEntry[]) => page.map((entry) => ({ ...entry, number: entry.number + 1 })),
    (page: NumberedEntry[]) => [page[0], page[0]] as NumberedEntry[],
    (page: NumberedEntry[]) => page.map((entry) => ({ ...entry, hash: page[0]?.hash ?? '' })),
    (page: NumberedEntry[]) => page.map((entry) => ({ ...entry, number: Number.MAX_SAFE_INTEGER })),
  ]) {
    await changePages(ben, change);
    await expect(ben.exchange()).rejects.toMatchObject({ code: 'team.serverDiffers' });
    expect(log.state.position).toEqual(before);
    expect(ben.folds()).toEqual([]);
  }
  // Not even a page, as a proxy that cuts answers off passes it on.
  ben.network.reply = (reply, _method, path) =>
    path.endsWith('/entries') ? { ...reply, body: reply.body.slice(0, -5) } : reply;
  await expect(ben.exchange()).rejects.toMatchObject({ code: 'team.answerCut' });
  ben.network.reply = (reply, _method, path) =>
    path.endsWith('/head') ? { ...reply, body: reply.body.slice(0, -5) } : reply;
  await expect(ben.exchange()).rejects.toMatchObject({ code: 'team.answerCut' });
  delete ben.network.reply;
  await ben.exchange();
  expect(ben.folds()).toEqual(ana.folds());
});

test('content that the server changed, and entries that it made up, are refused one by one', async () => {
  const { members } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  await ana.act([1], decisionOf('eligible'));
  await ana.act([2], decisionOf('disputed'));
  await ana.exchange();
  const { log } = await ben.sessionOf();
  // The first one's part and the second one's signature, with a chain that is right for it.
  await changePages(ben, (page) => {
    let { hash } = log.state.position;
    return page.map((entry, index) => {
      const forged =
        index === 0
          ? { ...entry, parts: entry.parts.map((part) => (part === null ? null : changed(part))) }
          : { ...entry, signature: changed(entry.signature) };
      hash = nextChainHash(hash, entry.number, forged);
      return { ...forged, hash };
    });
  });
  await ben.exchange();
  expect(log.state.refused).toBe(2);
  // No author is named for what the server changed.
  expect([...log.state.refusedOf]).toEqual([]);
  expect(ben.folds()).toEqual([]);
  // The true log is another one, so what was refused is read again.
  delete ben.network.reply;
  await ben.exchange();
  expect(ben.folds().map(({ claimId }) => claimId)).toContain(2);
});

/** The tags of the claims in these parts. */
function tagsOf({ state }: TeamLog, team: string, parts: readonly string[]): string | null {
  const claimIds = parts.flatMap(readPart).map(([claimId]) => claimId);
  return writeTags(claimIds, createClaimTags(state.members.keys.get(1) as Uint8Array, team));
}

let forged = 0;
/**
 * An entry by a member's computer, as only a changed program would write it. `details`: of one claim in each part, which
 * are sent when `sendParts` is called.
 */
async function forge(
  member: Member,
  change: {
    id?: string;
    author?: string;
    fact?: object;
    undoes?: string;
    at?: string;
    isStale?: boolean;
    details?: readonly string[];
  },
) {
  const { client, log, team, computer } = await member.sessionOf();
  const { author = member.email, fact = decisionOf('notEligible'), undoes = null, at } = change;
  forged += 1;
  const entry = entryOf(change.id ?? `forged-${forged}`, fact as { kind: string }, { author, undoes });
  const salt = makeSalt();
  const head = toHead(entry);
  const isAboutClaim = !teamFactKinds.includes(entry.kind);
  const { details = null } = change;
  const late = (details ?? []).map((detail, index) => toPart([[index + 1, null, null, detail]]));
  const texts = details === null ? (isAboutClaim ? [toPart(entry.claims)] : []) : late;
  const { number, hash } = log.state.position;
  const header = writeHeader({
    ...{ protocol: 2, team, id: entry.id, kind: 'event', computer, seen: { number, hash } },
    at: at ?? new Date(client.now()).toISOString(),
    tags: tagsOf(log, team, texts),
    head: commitTo({ text: head, salt }, headPart),
    parts: texts.map((text, part) => [1, commitTo({ text, salt }, part)]),
  });
  const [signature = ''] = await member.ports.main.signHeaders({ workspaceId, headers: [header] });
  const generation = change.isStale === true ? 1 : (log.state.members.members?.generation ?? 0);
  const key = { generation, key: log.state.members.keys.get(generation) as Uint8Array };
  const sealAt = (text: string, number: number): Buffer =>
    seal({ text, salt }, { team, entryId: entry.id, part: number }, key);
  const { results } = await client.post([
    {
      header,
      signature: Buffer.from(signature, 'base64url'),
      head: sealAt(head, headPart),
      parts: texts.map((text, part) => (details === null ? sealAt(text, part) : null)),
    },
  ]);
  const sendParts = async (): Promise<void> => {
    for (const [part, text] of late.entries()) await client.putPart(entry.id, part, sealAt(text, part));
  };
  return { ...results[0], sendParts };
}

/** The server takes tokens of any time, as what it says of its clock is not true. */
function takeAnyToken({ ports: { main } }: Member): void {
  const { getTeamToken } = main;
  main.getTeamToken = (wanted) => getTeamToken({ ...wanted, offsetSeconds: 0 });
}

test('another entry with the ID of one that the server lost does not affect anyone who had read that, and its author is reported', async () => {
  const opened = await openTeam('ana', 'ben', 'mallory');
  const [ana, ben, mallory] = opened.members as [Member, Member, Member];
  await exchangeAll(opened.members);
  const { number } = (await ana.sessionOf()).log.state.position;
  const id = await ben.act([1], decisionOf('eligible'));
  await exchangeAll([ben, ana, mallory]);
  await restoreServer(opened, number);
  expect(await forge(mallory, { id })).toMatchObject({ number: number + 1 });
  await exchangeAll([ana, ben]);
  for (const member of [ana, ben]) {
    expect(member.folds()).toMatchObject([{ claimId: 1, outcome: 'eligible' }]);
    const { refusedOf } = (await member.sessionOf()).log.state;
    expect([...refusedOf]).toEqual([mallory.computer]);
  }
  // Its author is told that it is not in the log.
  expect(ben.unsent()).toBe(1);
});

test('a server that says it is years ago can’t date anything before the claims were read', async () => {
  const { members, clock } = await openTeam('ana', 'ben');
  const [ana] = members as [Member, Member];
  const readAt = new Date(clock.nowMs - 60_000).toISOString();
  markClaimsRead(ana.opened.database, readAt);
  await ana.act([1], decisionOf('eligible'));
  const now = '2001-01-01T00:00:00.000Z';
  takeAnyToken(ana);
  // The posted entry is not stored.
  ana.network.route = (url) =>
    url.pathname.endsWith('/entries') && url.search === '' ? new URL('/none', url) : url;
  const answer = { error: { code: 'entry.ahead', message: 'ahead', now } };
  const encode = (value: object) => new TextEncoder().encode(JSON.stringify(value));
  ana.network.reply = (reply, method, path) => {
    if (path.endsWith('/head'))
      return { ...reply, body: encode({ ...JSON.parse(new TextDecoder().decode(reply.body)), now }) };
    return method === 'POST' && path.endsWith('/entries')
      ? { ...reply, status: 422, body: encode(answer) }
      : reply;
  };
  await expect(ana.exchange()).rejects.toMatchObject({ code: 'team.clockDiffers' });
  const [decision] = await ana.history();
  expect(Date.parse(decision?.at ?? '')).toBeGreaterThanOrEqual(Date.parse(readAt));
});

/** How many events were written at once. */
function countWritten(called: {
  readonly mock: { readonly calls: readonly (readonly unknown[])[] };
}): number[] {
  return called.mock.calls.flatMap(([name, input]) =>
    name === 'addTeamPage' ? [(input as { entries: readonly unknown[] }).entries.length] : [],
  );
}
const detailOf = (length: number): string => JSON.stringify({ reason: 'x'.repeat(length) });

test('small entries with very large texts of a member are read and written a few at a time, even if they waited', async () => {
  const { members } = await openTeam('ana', 'ben', 'mallory');
  const [ana, ben, mallory] = members as [Member, Member, Member];
  const { length: before } = await ana.history();
  const sent = [];
  for (const _index of [1, 2, 3])
    sent.push(await forge(mallory, { fact: { kind: 'vote' }, details: [detailOf(17_000_000)] }));
  await ana.exchange();
  expect((await ana.sessionOf()).log.state.waiting.size).toBe(3);
  for (const { sendParts } of sent) await sendParts();
  for (const member of [ana, ben]) {
    const called = vi.spyOn(await member.ports.getUserData(workspaceId), 'call');
    await member.exchange();
    expect(countWritten(called).filter((count) => count > 0)).toEqual([2, 1]);
    expect(await member.history()).toHaveLength(before + 3);
  }
});

test('a member’s entry that contains far more text than its claims can have is refused, not stored, and reported', async () => {
  const { members } = await openTeam('ana', 'ben', 'mallory');
  const [ana, ben, mallory] = members as [Member, Member, Member];
  await ana.exchange();
  const { length: before } = await ana.history();
  const { sendParts } = await forge(mallory, { details: [detailOf(17_000_000), detailOf(17_000_000)] });
  await ana.exchange();
  expect((await ana.sessionOf()).log.state.waiting.size).toBe(1);
  await sendParts();
  for (const member of [ana, ben]) {
    await member.exchange();
    const { waiting, refused, refusedOf } = (await member.sessionOf()).log.state;
    expect([waiting.size, refused, [...refusedOf]]).toEqual([0, 1, [mallory.computer]]);
    // Its number and hash are noted, and nothing else.
    expect(member.operations.readTeamLog({ workspaceId }).waiting).toEqual([]);
    expect(await member.history()).toHaveLength(before);
    member.restart();
    await member.exchange();
    expect((await member.sessionOf()).log.state.refused).toBe(0);
  }
  // Also by a check of the log.
  const checker = createLogChecker(ana.ports.main);
  for await (const line of (await ana.sessionOf()).readLog('2026-11-20')) await checker.take(line);
  expect(checker.end().findings).toEqual([{ number: expect.any(Number), finding: 'content' }]);
});

test('a member who forges an author, undoes what others wrote, or writes from the future is refused by every computer', async () => {
  const { members } = await openTeam('ana', 'ben', 'mallory');
  const [ana, ben, mallory] = members as [Member, Member, Member];
  const decision = await ana.act([1], decisionOf('eligible'));
  await exchangeAll(members);
  const before = ben.folds();
  // The server can't read who is named inside; only a computer can.
  expect(await forge(mallory, { author: 'ana@example.com' })).toHaveProperty('number');
  expect(await forge(mallory, { fact: { kind: 'undo' }, undoes: decision })).toHaveProperty('number');
  expect(await forge(mallory, { fact: { kind: 'reopened' }, author: 'Claimdesk' })).toHaveProperty('number');
  expect(await forge(mallory, { fact: { kind: 'payment', amount: 'much' } })).toHaveProperty('number');
  expect(await forge(mallory, { at: '2999-01-01T00:00:00.000Z' })).toMatchObject({
    error: { code: 'entry.ahead' },
  });
  await ben.exchange();
  expect(ben.folds()).toEqual(before);
  const { refused, refusedOf } = (await ben.sessionOf()).log.state;
  expect([refused, [...refusedOf]]).toEqual([3, [mallory.computer]]);
});

test('an event that a member’s server lets be ahead counts once its time has come, and so do team settings', async () => {
  const { members, clock } = await openTeam('ana', 'ben', 'mallory');
  const [ana, ben, mallory] = members as [Member, Member, Member];
  const start = clock.nowMs;
  const hourLater = start + 3_600_000;
  const forgeAt = async (ms: number, member: Member, fact?: object): Promise<void> => {
    clock.nowMs = ms;
    await member.exchange();
    const at = new Date(ms).toISOString();
    expect(await forge(member, { at, ...(fact === undefined ? {} : { fact }) })).toHaveProperty('number');
    clock.nowMs = start;
  };
  await forgeAt(hourLater, mallory);
  const settings = { kind: 'teamSettings', changes: [{ setting: 'runOutDays', employerId: null, value: 9 }] };
  await forgeAt(hourLater, ana, settings);
  await forgeAt(Date.parse('2999-01-01T00:00:00.000Z'), mallory, decisionOf('disputed'));
  const settingFacts = () => ben.operations.readTeamFacts({ workspaceId, kind: 'teamSettings' }).kept.length;
  const outcome = async () => (await ben.reviews.get(workspaceId, 1)).outcome;
  await ben.act([1], decisionOf('eligible'));
  for (const when of [start, start + 60_000]) {
    clock.nowMs = when;
    await ben.exchange();
    expect([(await ben.history()).length, await outcome(), settingFacts()]).toEqual([1, 'eligible', 0]);
  }
  clock.nowMs = hourLater;
  ben.restart();
  await ben.exchange();
  expect([(await ben.history()).length, await outcome(), settingFacts()]).toEqual([2, 'notEligible', 1]);
  await ben.act([1], decisionOf('eligible'));
  // The server gives Ben a time as late as the last event's.
  takeAnyToken(ben);
  ben.network.reply = (reply, _method, path) => {
    if (!path.endsWith('/head')) return reply;
    const head = JSON.parse(new TextDecoder().decode(reply.body)) as object;
    const body = new TextEncoder().encode(JSON.stringify({ ...head, now: '2999-01-01T00:00:00.000Z' }));
    return { ...reply, body };
  };
  await expect(ben.exchange()).rejects.toMatchObject({ code: 'team.clockDiffers' });
  expect([(await ben.history()).length, await outcome()]).toEqual([3, 'eligible']);
  expect((await ben.sessionOf()).log.state.refused).toBe(0);
});

test('an entry of a newer version is stored, has no effect, and no one can decide its claim before an update', async () => {
  const { members } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  expect(await forge(ana, { fact: { kind: 'vote' } })).toHaveProperty('number');
  await ben.exchange();
  const [event] = await ben.history();
  expect(event?.fact).toEqual({ kind: 'newer' });
  const claimId = event?.claimId ?? 0;
  expect((await ben.sessionOf()).log.state.refused).toBe(0);
  await expect(ben.act([claimId], decisionOf('eligible'))).rejects.toMatchObject({ code: 'review.newer' });
  await ben.act([claimId], { kind: 'flag', isFlagged: true });
  await exchangeAll(members);
  expect(ana.folds()).toEqual(ben.folds());
});

test('a server that shows people different logs is detected by what the author of an entry had seen, and reported', async () => {
  const { members, folder, origin, clock } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  await exchangeAll(members);
  // The same server once more, which Ben is led to.
  const copy = makeTempFolder();
  for (const name of readdirSync(folder).filter((one) => one.startsWith('team-server')))
    cpSync(join(folder, name), join(copy, name));
  const other = await startTestServer({ database: await openSqliteDatabase(copy), origin });
  other.clock.nowMs = clock.nowMs;
  ben.network.route = (url) => Object.assign(new URL(url), { port: other.server.port });
  await ana.act([1], decisionOf('eligible'));
  await ana.exchange();
  for (const claimId of [2, 3]) {
    await ben.act([claimId], decisionOf('disputed'));
    await ben.exchange();
  }
  // It shows Ana what Ben wrote after something that it does not show her.
  const { client } = await ana.sessionOf();
  const { team } = await ben.sessionOf();
  const log = await other.server.store.readEntries(team, 3, { count: 9, bytes: 1e6 });
  await client.post([log[0] as NumberedEntry]);
  await ana.exchange();
  const alarm = { wentBack: null, unexplained: [{ number: 3, author: ben.email }] };
  expect(await readKnownLogs(ana.ports, workspaceId)).toEqual(alarm);
  // The alarm is kept, and a statement about other numbers explains nothing.
  ana.restart();
  await ana.ports.appendTeamFact(workspaceId, { kind: 'wentBack', from: 2, to: 1 });
  await ana.exchange();
  expect((await readKnownLogs(ana.ports, workspaceId)).unexplained).toEqual(alarm.unexplained);
  await dismissOtherLogs(ana.ports, await ana.sessionOf());
  expect((await readKnownLogs(ana.ports, workspaceId)).unexplained).toEqual([]);
  const details = { author: ben.email, number: 3 };
  expect(ana.audited).toContainEqual({ action: 'team.logsDismissed', details });
  expect(await ana.history()).toHaveLength(2);
  // So does a check of the log, which is whole by itself.
  const checker = createLogChecker(ana.ports.main);
  for await (const line of (await ana.sessionOf()).readLog('2026-11-20')) await checker.take(line);
  const verdict = checker.end();
  expect(verdict).toMatchObject({
    isWhole: true,
    otherLogs: [{ number: 4, by: 'ben@example.com', seen: 3 }],
  });
  expect(describeVerdict(verdict)).toContain('entry 4: ben@example.com had read another entry 3.');
});
