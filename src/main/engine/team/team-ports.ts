import type { AuditAction, AuditRecord } from '../../../contract/audit.ts';
import type { TeamFact } from '../../../rules/review/event-kinds.ts';
import type { Clock } from '../../lib/clock.ts';
import type { MainCalls } from '../../lib/engine-protocol.ts';
import type { RemovedForTeam } from '../review/removed-reviews.ts';
import type { ReviewPorts } from '../review/review-ports.ts';
import type { Transport } from '../service/transport.ts';
import type { RemovingPorts } from './apply-removals.ts';
import type { LogLine } from './log-lines.ts';
import type { TeamLog } from './pull-log.ts';
import type { FindLeftOut } from './read-log.ts';
import type { TeamClient } from './team-client.ts';
import type { News } from './wait-for-news.ts';
import type { WantedRemoval } from './write-removal.ts';

/** The ports that the team of a workspace needs from the rest of the engine. */
export interface TeamPorts extends RemovingPorts, Pick<ReviewPorts, 'now'> {
  readonly main: MainCalls;
  readonly clock: Clock;
  /** Also removes from backups elsewhere what another computer removed. */
  readonly backups: {
    keepRemoved(
      removed: {
        readonly workspaceId: string;
        readonly documents: readonly { readonly sha256: string }[];
      },
      act: () => Promise<void>,
    ): Promise<void>;
  };
  readonly transportOf: (workspaceId: string) => Transport;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly onChanged: (workspaceId: string) => void;
  /** Called when another computer opened or left a claim. */
  readonly onLeases: (workspaceId: string) => void;
  /** Updates lists and reviews after events were added. */
  readonly updateReviews: (workspaceId: string) => Promise<void>;
  readonly onFailed: (thrown: unknown) => void;
  /** Appends an event about no claim; returns its ID. */
  readonly appendTeamFact: (workspaceId: string, fact: TeamFact) => Promise<string>;
  /** Writes an entry of this profile's audit log about the workspace. */
  readonly auditAction: (
    workspaceId: string,
    action: AuditAction,
    details: AuditRecord['details'],
  ) => Promise<void>;
  /** The newest entry of this profile's audit log; null: it is empty. */
  readonly readAuditEnd: () => Promise<{ seq: number; hash: string } | null>;
  /** Called when the settings of the team that apply on this computer have changed. */
  readonly onSettings: (workspaceId: string) => void;
}

/** A document as its events describe it. */
export interface WantedDocument {
  readonly sha256: string;
  readonly bytes: number;
}

export interface TeamDocuments {
  /** Runs one at a time: a call while one is in progress waits for that. */
  readonly tend: (signal?: AbortSignal) => Promise<void>;
  /** Waits for what is in progress. */
  readonly end: () => Promise<void>;
  /** How many documents still have to be sent, and whether the server is too full for them. */
  readonly status: () => Promise<{ readonly unsent: number; readonly isFull: boolean }>;
}

/** The connection of a workspace to its team, while the engine runs. */
export interface TeamSession {
  readonly workspaceId: string;
  readonly server: string;
  readonly team: string;
  /** This computer's ID. */
  readonly computer: string;
  readonly client: TeamClient;
  readonly log: TeamLog;
  /**
   * Reads new entries and sends unsent ones, once. `known`: the head that the server returned last, if the previous
   * exchange succeeded; without it, the server is asked for its head, and its log is compared.
   * @throws DeskError `team.*`, `store.*`
   */
  readonly exchange: (known?: News | null) => Promise<void>;
  /**
   * Removes for the team (`write-removal.ts`), between two exchanges: an exchange after a part of it was sent would
   * complete it a second time.
   * @throws DeskError `team.*`
   */
  readonly removeForTeam: (removal: WantedRemoval) => Promise<string>;
  /** Reads some of what precedes the checkpoint that this computer began with; returns whether there is more. */
  readonly readBehind: () => Promise<boolean>;
  /** Makes or confirms a checkpoint where one is due (`write-checkpoint.ts`); returns whether it sent anything. */
  readonly tendCheckpoints: (every?: number) => Promise<boolean>;
  /** Sends, fetches and erases documents (`team-documents.ts`). */
  readonly documents: TeamDocuments;
  /** Fetches a document that was attached elsewhere; null: it has not arrived. @throws DeskError `team.*`, `disk.*` */
  readonly fetchDocument: (document: WantedDocument) => Promise<Uint8Array | null>;
  /** Which claims were removed for the team, as far as its log was read. */
  readonly isRemoved: () => RemovedForTeam;
  /** The server's log as lines (`readLog`). @throws DeskError `team.*` */
  readonly readLog: (exportedAt: string, findLeftOut?: FindLeftOut) => AsyncGenerator<LogLine>;
}
