import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { revoke, setRole } from '../../src/main/engine/team/change-members.ts';
import { readTeamSettings } from '../../src/main/engine/team/hold-team-settings.ts';
import { approve, listJoins } from '../../src/main/engine/team/join-team.ts';
import { isReader } from '../../src/main/engine/team/require-writer.ts';
import { readKnownLogs } from '../../src/main/engine/team/rewound-logs.ts';
import { DeskError } from '../../src/main/lib/errors.ts';
import type { TeamChange } from '../../src/rules/review/team-settings.ts';
import { worklistIds, worklistQuery } from '../../src/rules/worklists/worklist-table.ts';
import { type EntryHeader, readHeader } from '../../src/team-protocol/entry.ts';
import type { NumberedEntry } from '../../src/team-protocol/frame.ts';
import {
  findMember,
  listMembers,
  readMembership,
  type TeamRole,
  teamRoles,
} from '../../src/team-protocol/membership.ts';
import { createLog } from '../../src/team-server/log.ts';
import { makeSetupCode, type RunningServer, startServer } from '../../src/team-server/server.ts';
import { type Queries, StoreError, type TeamDatabase } from '../../src/team-server/store/database.ts';
import { openSqliteDatabase } from '../../src/team-server/store/sqlite-database.ts';
import { foldMembers } from './fold-members.ts';
import { madeLetter } from './made-letter.ts';
import { exchangeNonces, rollBack } from './open-team.ts';
import { workspaceId } from './review-computer.ts';
import { type Member, openMember } from './team-member.ts';
import {
  describeClaim,
  expectRemoved,
  forgetLostRemovals,
  type Removals,
  removalStep,
  removeAsAdmin,
} from './team-model-removals.ts';
import {
  actAsNewer,
  eventsOf,
  expectLocked,
  expectTooOld,
  requireNew,
  stepOfVersions,
  versionOf,
} from './team-model-versions.ts';
import { updateStore } from './update-store.ts';

const claimIds = [1, 2, 3];
/** Who is in the team from the start; the others join in the middle. */
const founders = ['a', 'b', 'c'];
const joiners = ['d', 'e'];
const [minuteMs, dayMs] = [60_000, 86_400_000];
const outcomes = ['eligible', 'notEligible', 'disputed'] as const;
const decision = { kind: 'decision', onWhom: null, reason: null, reminder: null } as const;

const on = fc.nat(founders.length + joiners.length - 1);
const claim = fc.constantFrom(...claimIds);
/** The faults of an exchange, at its request, query or step of this number. */
const troubles = [
  // The request fails, before the server gets it or after it answered.
  ...(['cut', 'cutAfter'] as const),
  // The computer's program ends.
  'end',
  // Every request is sent twice, every answer is the one before for the same address.
  ...(['repeat', 'old'] as const),
  // The database fails in the middle of a transaction, or has no space.
  ...(['database', 'full'] as const),
] as const;
const stepOfOneVersion = fc.oneof(
  fc.record({ kind: fc.constant('decide' as const), on, claim, outcome: fc.nat(2) }),
  fc.record({
    kind: fc.constantFrom('flag' as const, 'pay' as const, 'note' as const, 'letter' as const),
    on,
    claim,
  }),
  fc.record({ kind: fc.constant('bulk' as const), on, outcome: fc.nat(2) }),
  fc.record({ kind: fc.constant('assign' as const), on, claim, to: on }),
  fc.record({ kind: fc.constant('settle' as const), on, claim }),
  fc.record({ kind: fc.constantFrom('undo' as const, 'sync' as const, 'rotate' as const), on }),
  fc.record({ kind: fc.constantFrom('checkpoint' as const, 'readBehind' as const), on }),
  fc.record({ kind: fc.constant('change' as const), claim }),
  fc.record({ kind: fc.constant('exchange' as const), on }),
  fc.record({ kind: fc.constantFrom(...troubles), on, at: fc.nat(20) }),
  fc.record({ kind: fc.constant('restore' as const), back: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ kind: fc.constantFrom('backUp' as const, 'recover' as const), on }),
  fc.record({ kind: fc.constantFrom('join' as const, 'revoke' as const), on }),
  fc.record({ kind: fc.constant('configure' as const), on, days: fc.nat(3) }),
  fc.record({ kind: fc.constant('role' as const), on, role: fc.constantFrom(...teamRoles) }),
);
const step = fc.oneof(
  { weight: 8, arbitrary: stepOfOneVersion },
  { weight: 1, arbitrary: stepOfVersions(on, claim) },
);
const stepOrRemoval = fc.oneof({ weight: 14, arbitrary: step }, { weight: 1, arbitrary: removalStep });
type Step = typeof stepOrRemoval extends fc.Arbitrary<infer S> ? S : never;

const offsets = fc.tuple(
  ...[...founders, ...joiners].map(() => fc.constantFrom(0, 90_000, -90_000, 3 * dayMs, -5 * dayMs)),
);

/** So little that busy computers reach it; what is left is sent on the next day. */
const quota = { bytes: 1e9, entries: 25, memberships: 20 };

/** How far each computer's clock is off, and what happens. */
export const schedule = fc.tuple(offsets, fc.array(step, { minLength: 10, maxLength: 40 }));

/** The same, in which an admin also removes for the team. */
export const scheduleWithRemovals = fc.tuple(
  offsets,
  fc
    .tuple(
      fc.array(step, { minLength: 5, maxLength: 12 }),
      removalStep,
      fc.array(stepOrRemoval, { minLength: 5, maxLength: 27 }),
    )
    .map(([before, removal, after]): Step[] => [...before, removal, ...after]),
);

export type Schedule = [clocks: number[], steps: Step[]];

/** The database behind the servers of a schedule. */
export interface ModelStore {
  /** How many servers are before it. */
  readonly servers: number;
  /** Opens it for a server. */
  open(): Promise<TeamDatabase>;
  /** Runs statements that no server may: what a restored backup is. */
  change(run: (database: Queries) => Promise<void>): Promise<void>;
  /** Makes connections fail in the middle of a transaction; without it the failing query throws an error. */
  breakConnections?(): Promise<void>;
  remove(): Promise<void>;
}

/** Counts down to the one call that fails. */
class Alarm {
  #left = -1;
  set(at: number): void {
    this.#left = at;
  }
  rings(): boolean {
    this.#left -= 1;
    return this.#left === -1;
  }
}

class ProgramEnded extends Error {}

/** Opens the database for a server; `failing` decides at which query it fails. */
async function openFailing(
  store: ModelStore,
  failing: { readonly alarm: Alarm; isFull: boolean },
): Promise<TeamDatabase> {
  const database = await store.open();
  const watch = (queries: Queries): Queries => ({
    async all(sql, values) {
      if (failing.alarm.rings()) {
        if (failing.isFull || store.breakConnections === undefined)
          throw new StoreError(failing.isFull ? 'store.full' : 'store.unavailable', null);
        await store.breakConnections();
      }
      return queries.all(sql, values);
    },
  });
  return {
    ...database,
    ...watch(database),
    transaction: (run) => database.transaction((queries) => run(watch(queries))),
  };
}

/** The state of a schedule's run: its computers, its servers, and the claims service. */
interface Model {
  readonly store: ModelStore;
  readonly servers: RunningServer[];
  readonly startServers: (ports: readonly number[]) => Promise<void>;
  readonly failing: { readonly alarm: Alarm; isFull: boolean };
  readonly clock: { trueMs: number };
  team: string;
  /** The open computers by name. */
  readonly members: Map<string, Member>;
  readonly openNamed: (name: string) => Member;
  /** The service's changes by claim: how many there were, which is what it paid, and the time of the last. */
  readonly service: Map<number, { version: number; changedAt: number }>;
  /** The acts by ID: the author, each record's version on their computer, and the team's number there. */
  readonly acts: Map<
    string,
    {
      readonly by: string;
      readonly claims: readonly number[];
      readonly versions: ReadonlyMap<number, number>;
      readonly seen: number | null;
    }
  >;
  readonly versions: Map<string, Map<number, number>>;
  readonly removals: Removals;
  /** The names of those whose program was updated. */
  readonly updated: Set<string>;
  /** Whether the server was restored since all computers exchanged, and at all. */
  isRestored: boolean;
  wasRestored: boolean;
}

async function openModel(offsets: readonly number[], folder: string, store: ModelStore): Promise<Model> {
  const clock = { trueMs: Date.parse('2026-03-01T12:00:00Z') };
  const failing = { alarm: new Alarm(), isFull: false };
  const log = createLog({ write: () => true }, () => clock.trueMs);
  const servers: RunningServer[] = [];
  const startServers = async (ports: readonly number[]): Promise<void> => {
    for (const [index, port] of ports.entries())
      servers[index] = await startServer({
        ...{ database: await openFailing(store, failing), port, tls: null, hasTimers: false, log },
        ...{ origin: servers[0]?.origin ?? null, now: () => clock.trueMs, metricsToken: null },
        limits: { computer: { capacity: 1e6, perSecond: 1e6 }, quota },
      });
  };
  await startServers(Array.from({ length: store.servers }, () => 0));
  const members = new Map<string, Member>();
  const updated = new Set<string>();
  let requests = 0;
  const openNamed = (name: string): Member => {
    const offset = offsets[[...founders, ...joiners].indexOf(name)] ?? 0;
    // Each request goes to the next server, as behind a proxy.
    const route = (url: URL): URL => {
      requests += 1;
      return new URL(
        `http://127.0.0.1:${servers[requests % servers.length]?.port}${url.pathname}${url.search}`,
      );
    };
    const member = openMember(
      folder,
      name,
      { now: () => clock.trueMs + offset },
      {
        ...{ claimIds, network: { route }, onEnd: () => undefined },
        getVersion: () => versionOf(updated.has(name)),
      },
    );
    members.set(name, member);
    return member;
  };
  const service = new Map(claimIds.map((id) => [id, { version: 10, changedAt: 0 }]));
  return {
    ...{ store, servers, startServers, failing, clock, members, openNamed, service },
    ...{
      removals: new Map(),
      updated,
      acts: new Map(),
      versions: new Map(),
      isRestored: false,
      wasRestored: false,
      team: '',
    },
  };
}

async function sync({ service, versions, clock }: Model, { name, opened, reviews }: Member): Promise<void> {
  opened.ingest(
    'claims',
    [...service].map(([id, { version, changedAt }]) => ({
      ...{ id, status: 'Processed', amount_paid: version, ...describeClaim(id) },
      modifieddate: new Date(changedAt).toISOString(),
    })),
  );
  opened.write.markClaimsRead(new Date(clock.trueMs).toISOString());
  versions.set(name, new Map([...service].map(([id, { version }]) => [id, version])));
  await reviews.updateAfterSync(workspaceId);
}

async function admit({ members, openNamed }: Model, name: string): Promise<void> {
  const admin = members.get('a') as Member;
  const member = members.get(name) ?? openNamed(name);
  if (!member.isBound()) await member.join((await admin.invite(member.email)).invitation);
  const session = await admin.sessionOf();
  await exchangeNonces(admin, member);
  const joins = await listJoins(admin.ports, session);
  const join = joins.find(({ computer }) => computer === member.computer);
  if (join === undefined) return;
  expect(join.code).toBe(await member.readCode());
  await approve(admin.ports, session, { computer: join.computer });
  await member.exchange();
}

/** The codes that may occur while nothing is wrong with the team: no answer, or no (longer a) member. */
const expected = [
  'team.unreachable',
  'team.clockDiffers',
  'team.notMember',
  'team.refused',
  'team.serverDiffers',
  'team.updateNeeded',
  'team.quotaReached',
];
const tolerate = (thrown: unknown): void => {
  if (!(thrown instanceof DeskError)) throw thrown;
  expect(expected).toContain(thrown.code);
};

/** An exchange in which something goes wrong. */
async function exchangeBadly(model: Model, name: string, kind: string, at: number): Promise<void> {
  const { members, failing } = model;
  const member = members.get(name) as Member;
  const { network } = member;
  const alarm = new Alarm();
  alarm.set(at);
  const cut = async (): Promise<void> => {
    if (alarm.rings()) throw new TypeError('cut');
  };
  let hasEnded = false;
  const end = (): void => {
    hasEnded ||= alarm.rings();
    if (hasEnded) throw new ProgramEnded();
  };
  if (kind === 'cut') network.before = cut;
  if (kind === 'cutAfter') network.after = cut;
  if (kind === 'end') network.before = network.after = async () => end();
  if (kind === 'end') network.step = end;
  if (kind === 'repeat' || kind === 'old') network.delivers = kind;
  if (kind === 'database' || kind === 'full') {
    failing.isFull = kind === 'full';
    failing.alarm.set(at);
  }
  await member.exchange().catch((thrown) => {
    if (!(thrown instanceof ProgramEnded)) tolerate(thrown);
  });
  failing.alarm.set(-1);
  for (const hook of ['before', 'after', 'step', 'delivers'] as const) delete network[hook];
  if (kind === 'end') members.set(name, member.startAgain());
}

/** All entries of the team. */
async function readLog({ servers, team }: Model): Promise<(NumberedEntry & { readonly of: EntryHeader })[]> {
  const entries: NumberedEntry[] = [];
  for (;;) {
    const page = await servers[0]?.store.readEntries(team, entries.length, { count: 500, bytes: 1e7 });
    if (page === undefined || page.length === 0) break;
    entries.push(...page);
  }
  return entries.map((entry) => ({ ...entry, of: readHeader(entry.header) as EntryHeader }));
}

/** The members over time, by what is on the server. */
const readMembers = (log: Awaited<ReturnType<typeof readLog>>) =>
  foldMembers(
    log.flatMap(({ number, head, of }) => {
      const act = of.kind === 'membership' ? readMembership(of, head) : null;
      return act === null ? [] : [{ number, header: of, act }];
    }),
  );

const idsOf = async (member: Member): Promise<string[]> => (await member.history()).map(({ id }) => id);

/** The acts that the server has, or a member's computer other than that of their author; with `isOwnKept` also that one. */
async function listKept(model: Model, isOwnKept: boolean): Promise<Set<string>> {
  const log = await readLog(model);
  const members = readMembers(log).at(log.length);
  const kept = new Set(log.map(({ of }) => of.id));
  for (const [name, member] of model.members)
    if (findMember(members, member.computer) !== null)
      for (const id of await idsOf(member)) if (isOwnKept || model.acts.get(id)?.by !== name) kept.add(id);
  return kept;
}

/** Drops the acts that no computer has after a loss: they are not expected either. */
async function forgetLostActs(model: Model): Promise<void> {
  const kept = await listKept(model, true);
  for (const id of model.acts.keys()) if (!kept.has(id)) model.acts.delete(id);
  const bound = [...model.members.values()].filter((member) => member.isBound());
  await forgetLostRemovals(model.removals, kept, bound);
}

/** Exchanges until no computer has what another lacks; a clock that is ahead needs one more exchange. */
async function exchangeAll(model: Model): Promise<void> {
  for (let round = 0; round < 6; round += 1)
    for (const member of model.members.values())
      if (member.isBound()) {
        await member.exchange().catch(tolerate);
        await readBehind(member, 100);
      }
}

/** Reads some of what is before the checkpoint that a computer began with. */
async function readBehind(member: Member, pages: number): Promise<void> {
  if (!member.isBound()) return;
  const session = await member.sessionOf();
  for (let page = 0; page < pages; page += 1) if (!(await session.readBehind().catch(tolerate))) return;
}

/** A computer makes a checkpoint where it can, and the others say what they think of it. */
async function tendCheckpoints({ members }: Model, name: string): Promise<void> {
  for (const one of [name, ...members.keys()]) {
    const member = members.get(one);
    if (member === undefined || !member.isBound()) continue;
    await member.exchange().catch(tolerate);
    await (await member.sessionOf()).tendCheckpoints(3).catch(tolerate);
  }
}

/** Lists who found a checkpoint wrong, though no wrong one is made here. */
const wrongCheckpoints = ({ members }: Model): string[] =>
  [...members.values()].flatMap(({ name, failures }) =>
    failures.some((one) => one instanceof DeskError && one.code === 'team.checkpointDiffers') ? [name] : [],
  );

/** The server becomes what it was some entries ago. */
async function restore(model: Model, back: number): Promise<void> {
  const { servers, store } = model;
  const { length } = await readLog(model);
  const ports = servers.map(({ port }) => port);
  for (const server of servers) await server.close();
  // Before the first entries there is no team with these people.
  await store.change((database) => rollBack(database, Math.max(founders.length, length - back)));
  await model.startServers(ports);
  model.isRestored = true;
  model.wasRestored = true;
  await forgetLostActs(model);
}

async function removeMember(model: Model, name: string): Promise<void> {
  const admin = model.members.get('a') as Member;
  const member = model.members.get(name) as Member;
  // Entries that they wrote and the server lost can't be given back once they are no member.
  if (model.isRestored) await exchangeAll(model);
  model.isRestored = false;
  await revoke(admin.ports, await admin.sessionOf(), { computer: member.computer });
  const there = new Set((await readLog(model)).map(({ of }) => of.id));
  for (const [id, { by }] of model.acts) if (by === name && !there.has(id)) model.acts.delete(id);
}

/** Gives a member another role, as the admin. */
async function changeRole(model: Model, name: string, role: TeamRole): Promise<void> {
  const admin = model.members.get('a') as Member;
  const member = model.members.get(name) as Member;
  // Readers can't give back what they wrote before and the server lost.
  if (model.isRestored) await exchangeAll(model);
  model.isRestored = false;
  await setRole(admin.ports, await admin.sessionOf(), { email: member.email, role });
  // A former admin who does not know it acts as one where the server forgets it, which people have to settle.
  await member.exchange().catch(tolerate);
}

/** Lets all readers write again, who then send what they did before they could only read. */
async function raiseReaders(model: Model): Promise<void> {
  const admin = model.members.get('a') as Member;
  const session = await admin.sessionOf();
  const { members } = session.log.state.members;
  const readers = members === null ? [] : listMembers(members).filter(({ role }) => role === 'reader');
  for (const email of new Set(readers.map((one) => one.email)))
    await setRole(admin.ports, session, { email, role: 'reviewer' });
  if (readers.length > 0) await exchangeAll(model);
}

/** Acts on a computer as a newer program does. */
function actNewer({ acts, clock }: Model, member: Member, claim: number): void {
  const id = `newer-${acts.size}-${clock.trueMs}`;
  const seen = member.operations.readTeamLog({ workspaceId }).position?.number || null;
  if (actAsNewer(member, id, claim))
    acts.set(id, { by: member.name, claims: [claim], versions: new Map(), seen });
}

/** Acts on a computer as its user does. */
async function act(model: Model, name: string, one: Step): Promise<void> {
  const { acts, versions, members } = model;
  const member = members.get(name) as Member;
  const { reviews } = member;
  if (member.isBound() && isReader(await member.sessionOf())) return;
  const record = async (wanted: Parameters<typeof reviews.act>[2]): Promise<void> => {
    const seen = member.operations.readTeamLog({ workspaceId }).position?.number || null;
    // A claim that was removed here can't be acted on.
    const here = new Set(member.opened.database.prepare('SELECT id FROM claims').pluck().all());
    const claims = ('claim' in one ? [one.claim] : claimIds).filter((claimId) => here.has(claimId));
    if (claims.length === 0) return;
    // A claim with an event of a newer program can't be decided.
    const id = await member.act(claims, wanted).catch((thrown: DeskError) => {
      expect(thrown.code).toBe('review.newer');
    });
    if (id === undefined) return;
    const ofAct = claims.filter((claimId) => eventsOf(member, claimId).some(({ event }) => event.id === id));
    acts.set(id, { by: name, claims: ofAct, versions: versions.get(name) ?? new Map(), seen });
  };
  if (one.kind === 'decide' || one.kind === 'bulk')
    await record({ ...decision, state: 'done', outcome: outcomes[one.outcome] ?? 'eligible' });
  if (one.kind === 'flag') await record({ kind: 'flag', isFlagged: true });
  if (one.kind === 'note') await record({ kind: 'note', text: `by ${name}` });
  if (one.kind === 'letter') await record(madeLetter(acts.size));
  if (one.kind === 'pay')
    await record({ kind: 'payment', payment: 'reimbursed', amount: 10_000, day: '2026-02-20', account: '' });
  if (one.kind === 'assign') {
    const owner = [...founders, ...joiners][one.to];
    await record({ kind: 'owner', owner: owner === undefined ? null : `${owner}@example.com` });
  }
  if (one.kind === 'settle') await record({ kind: 'settlePayments', leaveOut: null });
  if (one.kind !== 'undo') return;
  const found = await reviews.findUndoable(workspaceId);
  if (found !== null) await reviews.undo(workspaceId, found.id);
}

const configure = (member: Member, change: TeamChange): Promise<void> =>
  member.changeSettings(change).catch((thrown: DeskError) => {
    expect(['team.notAdmin', 'team.notMember', 'team.none']).toContain(thrown.code);
  });

async function take(model: Model, one: Step): Promise<void> {
  const { members, service, clock } = model;
  if (one.kind === 'change') {
    const { version = 0 } = service.get(one.claim) ?? {};
    service.set(one.claim, { version: version + 1, changedAt: clock.trueMs });
    return;
  }
  if (one.kind === 'restore') return restore(model, one.back);
  if (one.kind === 'remove')
    return removeAsAdmin(model.removals, members.get('a') as Member, one.rule).catch(tolerate);
  if (one.kind === 'require') return configure(members.get('a') as Member, requireNew);
  const name = [...founders, ...joiners][one.on] as string;
  if (one.kind === 'join') return joiners.includes(name) ? admit(model, name).catch(tolerate) : undefined;
  if (one.kind === 'revoke')
    return name === 'a' || !members.has(name) ? undefined : removeMember(model, name).catch(tolerate);
  if (one.kind === 'role')
    return name === 'a' || !members.has(name) ? undefined : changeRole(model, name, one.role).catch(tolerate);
  const member = members.get(name);
  if (member === undefined) return;
  switch (one.kind) {
    case 'newer':
      return actNewer(model, member, one.claim);
    case 'update':
      model.updated.add(name);
      return;
    // An admin may do this; the others are refused on their own computer.
    case 'configure':
      return configure(member, { setting: 'runOutDays', employerId: null, value: one.days });
    case 'sync':
      return sync(model, member);
    case 'rotate':
      return member.rotate();
    case 'backUp':
      members.set(name, member.backUp());
      return;
    case 'recover':
      members.set(name, member.restoreFiles());
      return forgetLostActs(model);
    case 'checkpoint':
      return tendCheckpoints(model, name);
    case 'readBehind':
      return readBehind(member, 1);
    case 'exchange':
      return member.exchange().catch(tolerate);
    case 'bulk':
    case 'decide':
    case 'flag':
    case 'pay':
    case 'note':
    case 'letter':
    case 'assign':
    case 'settle':
    case 'undo':
      return act(model, name, one);
    default:
      return 'at' in one ? exchangeBadly(model, name, one.kind, one.at) : undefined;
  }
}

/** Checks the log, and each computer that is a member, once everything was exchanged. */
async function expectQuiet(model: Model, isSynced = false): Promise<void> {
  const log = await readLog(model);
  const history = readMembers(log);
  expect([...history.refused]).toEqual([]);
  for (const { number, of } of log) {
    if (of.kind === 'event')
      expect(findMember(history.at(number - 1), of.computer)?.role, of.id).toMatch(/admin|reviewer/);
  }
  const ids = log.filter(({ of }) => of.kind === 'event').map(({ of }) => of.id);
  expect(new Set(ids).size).toBe(ids.length);
  // An author had seen what was on their computer when they acted, whenever it was sent.
  for (const { of } of log) {
    const { seen = null } = model.acts.get(of.id) ?? {};
    if (seen !== null) expect(of.seen?.number, of.id).toBe(seen);
  }
  const present = [...model.members.values()].filter(
    ({ computer }) => findMember(history.at(log.length), computer) !== null,
  );
  const [first] = present;
  const facts = new Set(
    (['teamSettings', 'wentBack'] as const).flatMap(
      (kind) => first?.operations.readTeamFacts({ workspaceId, kind }).kept.map(({ id }) => id) ?? [],
    ),
  );
  const claimsOfActs = new Map([...model.acts].map(([id, { claims }]) => [id, claims]));
  // The server may have lost an event and what is left of it, which is then given back within the removal.
  if (!(await expectRemoved(model.removals, present, claimsOfActs)))
    for (const member of present)
      expect((await idsOf(member)).sort(), member.name).toEqual(ids.filter((id) => !facts.has(id)).sort());
  const settingsOf = (member: Member | undefined) =>
    member === undefined ? null : readTeamSettings(member.ports, workspaceId);
  // A colleague's finding changes a claim only where its record here is as new.
  const doubted = new Set(
    present.flatMap((member) =>
      member.folds().flatMap(({ claimId, foundBy }) => (foundBy === null ? [] : [claimId])),
    ),
  );
  if (isSynced) expect([...doubted]).toEqual([]);
  const foldsOf = (member: Member | undefined) =>
    member?.folds().filter(({ claimId }) => !doubted.has(claimId));
  for (const member of present) {
    expect(await settingsOf(member), member.name).toEqual(await settingsOf(first));
    expect(foldsOf(member), member.name).toEqual(foldsOf(first));
    expect(member.unsent(), member.name).toBe(0);
    // Who had read the log that was lost has said so: no alarm, and none for who joins later.
    expect((await readKnownLogs(member.ports, workspaceId)).unexplained, member.name).toEqual([]);
    expect((await member.sessionOf()).log.state.refused, member.name).toBe(0);
    const events = await member.history();
    for (const { claimId, payments } of member.folds())
      expect(payments.length).toBe(
        events.filter((one) => one.fact.kind === 'payment' && one.claimId === claimId && !one.isUndone)
          .length,
      );
    expectReopened(model, member);
    // Compared only where nothing was restored.
    if (!model.wasRestored) expectDecidedTwice(log, member);
  }
}

/** Checks what is decided twice: two members' last decisions that differ, made without reading the other. */
function expectDecidedTwice(log: Awaited<ReturnType<typeof readLog>>, member: Member): void {
  const headers = new Map(log.map(({ number, of }) => [of.id, { number, seen: of.seen?.number ?? 0 }]));
  for (const { claimId, decidedTwice } of member.folds()) {
    const made = eventsOf(member, claimId).flatMap(({ event: { id, author, fact, isUndone } }) => {
      const header = headers.get(id);
      const counts = fact.kind === 'decision' && !isUndone && header !== undefined;
      return counts ? [{ ...header, author, outcome: fact.outcome }] : [];
    });
    // The history is newest first.
    const last = made.filter(({ author }, at) => made.findIndex((one) => one.author === author) === at);
    const open = last.filter(({ number }) => !made.some(({ seen }) => seen >= number));
    const isTwice = new Set(open.map(({ outcome }) => outcome)).size > 1;
    expect(decidedTwice.length > 1, `${member.name}, claim ${claimId}`).toBe(isTwice);
  }
}

/** A claim is reopened only for a record that is newer than the one that was reviewed. */
function expectReopened({ acts }: Model, member: Member): void {
  for (const claimId of claimIds) {
    for (const { event, detail, reviewed } of eventsOf(member, claimId).filter(
      (one) => one.event.fact.kind === 'reopened',
    )) {
      const before = acts.get(detail?.since ?? '')?.versions.get(claimId);
      const { fields } = JSON.parse(reviewed ?? '{}') as { fields: { amount_paid: number } };
      if (before !== undefined)
        expect(fields.amount_paid, `${member.name} ${event.id}`).toBeGreaterThan(before);
    }
  }
}

const today = '2026-03-02';

/** Checks that all computers, once they have the newest records, have the same worklists. */
function expectSameLists({ members }: Model, present: (member: Member) => boolean): void {
  const listsOf = ({ opened }: Member) => {
    updateStore(opened, today);
    return worklistIds.map((id) => [id, [...opened.list(worklistQuery(id))].sort((a, b) => a - b)]);
  };
  const lists = [...members.values()].filter(present).map(listsOf);
  for (const one of lists) expect(one).toEqual(lists[0]);
}

/** Runs a schedule, lets everything be exchanged, and checks what has to hold then. */
export async function runSchedule(
  [offsets, steps]: Schedule,
  openStore: () => Promise<ModelStore>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'claimdesk-team-model-'));
  const model = await openModel(offsets, folder, await openStore());
  const { members, servers, clock } = model;
  try {
    for (const name of founders) await sync(model, model.openNamed(name));
    const [server] = servers;
    if (server === undefined) throw new Error('There is no server.');
    const admin = members.get('a') as Member;
    model.team = (await admin.create(server.origin, await makeSetupCode(server.store, clock.trueMs))).team;
    await admin.exchange();
    for (const name of founders.slice(1)) await admit(model, name);
    for (const one of steps) {
      clock.trueMs += minuteMs;
      await take(model, one);
    }
    // No quota is reached from here on: each round of exchanges is on another day.
    clock.trueMs += dayMs;
    const kept = await listKept(model, false);
    await exchangeAll(model);
    await raiseReaders(model);
    // Acts of members after their removal, or before they were admitted, are on their computer only.
    const log = await readLog(model);
    const atEnd = readMembers(log).at(log.length);
    const isPresent = ({ computer }: Member): boolean => findMember(atEnd, computer) !== null;
    // Once programs that are too old are updated, they send what they had kept.
    const isAnyOld = await expectTooOld([...members.values()].filter(isPresent), model.updated);
    for (const name of members.keys()) model.updated.add(name);
    if (isAnyOld) await exchangeAll(model);
    for (const [id, { by }] of model.acts)
      if (!kept.has(id) && !isPresent(members.get(by) as Member)) model.acts.delete(id);
    expect(wrongCheckpoints(model)).toEqual([]);
    await expectQuiet(model);
    for (const member of members.values()) await sync(model, member);
    await exchangeAll(model);
    await expectQuiet(model, true);
    expectSameLists(model, isPresent);
    for (const member of members.values()) if (isPresent(member)) await expectLocked(member, claimIds);
  } finally {
    for (const member of members.values()) member.close();
    for (const server of servers) await server.close();
    await model.store.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A server before SQLite in a folder of its own. */
export async function openSqliteStore(): Promise<ModelStore> {
  const folder = mkdtempSync(join(tmpdir(), 'claimdesk-team-server-'));
  return {
    servers: 1,
    open: () => openSqliteDatabase(folder),
    async change(run) {
      const database = await openSqliteDatabase(folder);
      await run(database);
      await database.close();
    },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}
