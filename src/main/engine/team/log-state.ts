import { maxAheadMs } from '../../../team-protocol/api.ts';
import { type EntryHeader, headerOf } from '../../../team-protocol/entry.ts';
import type { NumberedEntry } from '../../../team-protocol/frame.ts';
import type { Clock } from '../../lib/clock.ts';
import { DeskError } from '../../lib/errors.ts';
import type { FiledEntry } from '../review/filed-entry.ts';
import { readKnownTime } from '../review/known-time.ts';
import type { ReviewPorts } from '../review/review-ports.ts';
import type { UserDataStore } from '../store/threads/user-data-store.ts';
import type { KeptCertificate } from '../store/user-data/certificates.ts';
import type { KeptFact } from '../store/user-data/kept-facts.ts';
import type { BehindPosition, KeptCheckpoint } from '../store/user-data/team-checkpoints.ts';
import type { KeptMembership, TeamPosition } from '../store/user-data/team-log.ts';
import type { KeptRemoval } from '../store/user-data/team-removals.ts';
import type { DecidedMeanwhile } from './decided-meanwhile.ts';
import type { KeptMembers } from './kept-members.ts';
import type { TeamRemovals } from './known-removals.ts';
import type { TeamClient } from './team-client.ts';
import type { MemberPorts, TeamMembers } from './team-members.ts';

/** The ports that reading a log needs, besides the server. */
export interface PullPorts extends Pick<ReviewPorts, 'getStore' | 'getUserData' | 'now'> {
  readonly workspaceId: string;
  readonly team: string;
  readonly members: MemberPorts;
  readonly onChanged: (workspaceId: string) => void;
  readonly onFailed: (thrown: unknown) => void;
  /** Writes to this profile's audit log that the recovery key admitted a computer. */
  readonly auditAction: (
    workspaceId: string,
    action: 'team.recovered',
    details: { readonly computer: string; readonly email: string; readonly role: string },
  ) => Promise<void>;
  readonly clock: Clock;
}

/** The state of the log on this computer. It is read from the file at the start, and only `openLog` changes it. */
export interface LogState {
  position: TeamPosition;
  members: TeamMembers;
  /** The entries that cannot be applied yet, by number: parts are missing, or their time has not come. */
  waiting: Map<number, NumberedEntry>;
  removals: TeamRemovals;
  /** The members that were read before the server went back and that its log now lacks. */
  kept: KeptMembers;
  /** Up to this entry admins have confirmed a log that contradicts what was read before. */
  followed: { readonly number: number; readonly hash: string } | null;
  /** The hashes of entries that were checked and are not written yet, by number. */
  readonly recent: Map<number, string>;
  /** The entries about checkpoints. */
  checkpoints: readonly KeptCheckpoint[];
  /** Where this computer began with a checkpoint: how far it has read that, and the log before it. */
  behind: BehindPosition | null;
  /** The hashes that the server gave earlier for entries that are not read yet, by number. */
  readonly said: Map<number, string>;
  /** The server's time when its log was last read to its end, since the start; null: not yet. */
  checkedMs: number | null;
  /** Whether the server may have lost entries that this computer should send again. */
  hasLost: boolean;
  /** Removals that the server lost, and did not take at another place: an admin's computer makes them again. */
  readonly misplaced: Set<string>;
  /** How many entries were refused since the start. */
  refused: number;
  /** How many of these no member signed as they are. */
  forged: number;
  /** Since the start: the computers of members that had signed something that was refused. */
  readonly refusedOf: Set<string>;
  /** Whether the server's log may have gone back, and the team does not know yet (`rewound-logs.ts`). */
  hasWentBack: boolean;
  /** The claims that others decided since the start. */
  readonly decided: DecidedMeanwhile;
}

/** An event of a page that can be applied. */
export interface Ready {
  readonly entry: NumberedEntry;
  readonly filed: readonly FiledEntry[];
  readonly facts: readonly KeptFact[];
}

/** How far a log was checked: its position, and the members after it. */
export type Reached = Pick<LogState, 'position' | 'members'>;

/** A page after its entries were checked, before it is written. */
export interface CheckedPage extends Reached {
  /** The time until which events count. */
  readonly nowMs: number;
  readonly ready: Ready[];
  readonly memberships: KeptMembership[];
  /** The certificates in these memberships. */
  readonly certificates: KeptCertificate[];
  readonly waiting: NumberedEntry[];
  readonly checkpoints: KeptCheckpoint[];
  /** Computers with a newer membership in the log than was kept. */
  readonly superseded: string[];
  /** Entries that waited, and are refused now that they are whole. */
  readonly refused: NumberedEntry[];
  /** Removals and acknowledgements. */
  readonly removals: (Omit<KeptRemoval, 'isApplied'> & { readonly number: number })[];
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

/** The state before the first entry of a page. */
export const noneChecked = (nowMs: number, { position, members }: Reached): CheckedPage => ({
  ...{ nowMs, position, members },
  ...{ ready: [], memberships: [], certificates: [], waiting: [], superseded: [], checkpoints: [] },
  ...{ refused: [], removals: [], removedIds: new Set() },
});

/**
 * The limit of how far ahead the server's clock may be: this computer's may be behind, but a server in league with a
 * member could send any time.
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

/** The most entries that no member signed which are read since the start: a server that has more makes them itself. */
const maxForged = 1_000;

/** Counts an entry that is not used. @throws DeskError `team.serverDiffers` after very many that no member signed */
export function refuse({ state }: Pick<OpenedLog, 'state'>, entry: NumberedEntry, isByAuthor: boolean): void {
  state.refused += 1;
  const computer = headerOf(entry)?.computer;
  if (isByAuthor && computer !== undefined) state.refusedOf.add(computer);
  if (!isByAuthor) state.forged += 1;
  if (state.forged > maxForged) throw new DeskError('team.serverDiffers');
}
