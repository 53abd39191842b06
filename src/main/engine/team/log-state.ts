import { maxAheadMs } from '../../../team-protocol/api.ts';
import { type EntryHeader, headerOf } from '../../../team-protocol/entry.ts';
import type { NumberedEntry } from '../../../team-protocol/frame.ts';
import type { RemovalStatement } from '../../../team-protocol/removal.ts';
import type { Clock } from '../../lib/clock.ts';
import type { FiledEntry } from '../review/filed-entry.ts';
import { readKnownTime } from '../review/known-time.ts';
import type { ReviewPorts } from '../review/review-ports.ts';
import type { UserDataStore } from '../store/threads/user-data-store.ts';
import type { KeptCertificate } from '../store/user-data/certificates.ts';
import type { KeptFact } from '../store/user-data/team-facts.ts';
import type { KeptMembership, TeamPosition } from '../store/user-data/team-log.ts';
import type { DecidedMeanwhile } from './decided-meanwhile.ts';
import type { TeamRemovals } from './known-removals.ts';
import type { TeamClient } from './team-client.ts';
import type { MemberPorts, TeamMembers } from './team-members.ts';

/** What reading a log needs, besides the server. */
export interface PullPorts extends Pick<ReviewPorts, 'getStore' | 'getUserData' | 'now'> {
  readonly workspaceId: string;
  readonly team: string;
  readonly members: MemberPorts;
  readonly onChanged: (workspaceId: string) => void;
  readonly onFailed: (thrown: unknown) => void;
  readonly clock: Clock;
}

/** The state of the log on this computer. It is read from the file at the start, and only `openLog` changes it. */
export interface LogState {
  position: TeamPosition;
  members: TeamMembers;
  /** By number: entries that cannot be applied yet: parts are missing, or their time has not come. */
  waiting: Map<number, NumberedEntry>;
  removals: TeamRemovals;
  /** Whether the server may have lost entries that this computer should send again. */
  hasLost: boolean;
  /** How many entries were refused since the start. */
  refused: number;
  /** Since the start: the computers of members that had signed something that was refused. */
  readonly refusedOf: Set<string>;
  /** Since the start: whose computer had read another entry with a number than this one, and the number. */
  otherLog: { readonly computer: string; readonly number: number } | null;
  /** What others decided since the start. */
  readonly decided: DecidedMeanwhile;
}

/** An event of a page that can be applied. */
export interface Ready {
  readonly number: number;
  readonly entry: NumberedEntry;
  readonly filed: readonly FiledEntry[];
  readonly facts: readonly KeptFact[];
}

/** How far a log was checked: its position, and the members after it. */
export type Reached = Pick<LogState, 'position' | 'members'>;

/** A page after its entries were checked, before it is written. */
export interface Judged extends Reached {
  /** The time until which events count. */
  readonly nowMs: number;
  readonly ready: Ready[];
  readonly memberships: KeptMembership[];
  /** The certificates in these memberships. */
  readonly certificates: KeptCertificate[];
  readonly waiting: NumberedEntry[];
  /** Entries that waited, and are refused now that they are whole. */
  readonly refused: NumberedEntry[];
  /** Removals and acknowledgements; `statement`: of a removal what it says. */
  readonly removals: { entry: NumberedEntry; id: string; statement: RemovalStatement | null }[];
  /** Events whose content these remove. */
  readonly removedIds: Set<string>;
}

/** The log of a team that is open here, and what reading it needs. */
export interface OpenedLog {
  readonly ports: PullPorts;
  readonly client: TeamClient;
  readonly userData: UserDataStore;
  readonly state: LogState;
}

/** Nothing of a page yet. */
export const noneJudged = (nowMs: number, { position, members }: Reached): Judged => ({
  ...{ nowMs, position, members },
  ...{ ready: [], memberships: [], certificates: [], waiting: [] },
  ...{ refused: [], removals: [], removedIds: new Set() },
});

/**
 * How far ahead of this computer's clock the server's is believed: this one may be behind, but a server that is in league
 * with a member could say any time.
 */
export const maxTrustedMs = 7 * 86_400_000;

/**
 * The time until which events count: by this computer's clock as the claims service corrects it, and by the server's. An
 * event that is ahead of it would be the newest one until then, so it waits for its time.
 */
export async function readNow({ ports, client }: Pick<OpenedLog, 'ports' | 'client'>): Promise<number> {
  const knownMs = await readKnownTime(ports, ports.workspaceId);
  return Math.max(knownMs, Math.min(client.now(), knownMs + maxTrustedMs));
}

export const isAhead = (header: EntryHeader | null, nowMs: number): boolean =>
  header !== null && Date.parse(header.at) > nowMs + maxAheadMs;

export function refuse({ state }: Pick<OpenedLog, 'state'>, entry: NumberedEntry, isByAuthor: boolean): void {
  state.refused += 1;
  const computer = headerOf(entry)?.computer;
  if (isByAuthor && computer !== undefined) state.refusedOf.add(computer);
}
