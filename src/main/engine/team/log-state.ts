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
  /** The entry up to which admins have confirmed a log that contradicts what was read before. */
  followed: { readonly number: number; readonly hash: string } | null;
  /** The hashes of entries that were checked but not written yet, by number. */
  readonly recent: Map<number, string>;
  /** The entries about checkpoints. */
  checkpoints: readonly KeptCheckpoint[];
  /** If this computer began with a checkpoint: how far it has read the checkpoint, and the log before it. */
  behind: BehindPosition | null;
  /** The hashes that the server gave earlier for entries that are not read yet, by number. */
  readonly said: Map<number, string>;
  /** The server's time when its log was last read to its end, since the start; null: not yet. */
  checkedMs: number | null;
  /** Whether the server may have lost entries that this computer should send again. */
  hasLost: boolean;
  /** Removals that the server lost and did not accept at another position: an admin's computer makes them again. */
  readonly misplaced: Set<string>;
  /** How many entries were refused since the start. */
  refused: number;
  /** How many of these no member signed in this form. */
  forged: number;
  /** The computers of members that have signed something that was refused, since the start. */
  readonly refusedOf: Set<string>;
  /** Whether the server's log may have gone back without the team knowing it yet (`rewound-logs.ts`). */
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
  /** Computers whose membership in the log is newer than the kept one. */
  readonly superseded: string[];
  /** Entries that waited and, now that they are complete, are refused. */
  readonly refused: NumberedEntry[];
  /** Removals and acknowledgements. */
  readonly removals: (Omit<KeptRemoval, 'isApplied'> & { readonly number: number })[];
  /** Events whose content these removals remove. */
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
 * How far ahead the server's clock may be trusted: this computer's clock may be behind, but a server that conspires
 * with a member could send any time.
 */
export const maxTrustedMs = 7 * 86_400_000;

/**
 * The time until which events count: this computer's clock as the claims service corrects it, or the server's clock
 * where that is ahead, within `maxTrustedMs`. An event that is ahead of it would be the newest one until then, so it
 * waits for its time.
 */
export async function readNow({ ports, client }: Pick<OpenedLog, 'ports' | 'client'>): Promise<number> {
  const knownMs = await readKnownTime(ports, ports.workspaceId);
  return Math.max(knownMs, Math.min(client.now(), knownMs + maxTrustedMs));
}

export const isAhead = (header: EntryHeader | null, nowMs: number): boolean =>
  header !== null && Date.parse(header.at) > nowMs + maxAheadMs;

/** The most entries that no member signed that are read since the start: a server that sends more makes them itself. */
const maxForged = 1_000;

/** Counts an entry that is not used. @throws DeskError `team.serverDiffers` after very many that no member signed */
export function refuse({ state }: Pick<OpenedLog, 'state'>, entry: NumberedEntry, isByAuthor: boolean): void {
  state.refused += 1;
  const computer = headerOf(entry)?.computer;
  if (isByAuthor && computer !== undefined) state.refusedOf.add(computer);
  if (!isByAuthor) state.forged += 1;
  if (state.forged > maxForged) throw new DeskError('team.serverDiffers');
}
