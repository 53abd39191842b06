import type { AuditAction, AuditRecord } from '../../../contract/audit.ts';
import type { AnyEvent } from '../../../contract/events.ts';
import type { DecisionRule } from '../../../rules/decide/decision-rule.ts';
import type { ListQuery } from '../../../rules/query.ts';
import type { Spellings } from '../../../rules/review/spellings.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SettingsOfService } from '../../lib/engine-protocol.ts';
import type { Store } from '../store/threads/store.ts';
import type { UserDataStore } from '../store/threads/user-data-store.ts';
import type { RemovedForTeam } from './removed-reviews.ts';
import type { EntrySigner } from './write-entries.ts';

type Keys = Float64Array | Uint32Array;

/** The ports that reviews need from the rest of the engine. */
export interface ReviewPorts {
  readonly clock: Clock;
  /** The best known time in milliseconds: this computer's clock, corrected by the service's. */
  now(workspaceId: string): number;
  readonly isReadOnly: boolean;
  readonly emit: (event: AnyEvent) => void;
  getStore(workspaceId: string): Promise<Store>;
  getUserData(workspaceId: string): Promise<UserDataStore>;
  /** An open list of claims; its positions refer to rows of `shown`. @throws DeskError `snapshot.expired` */
  readSnapshot(
    workspaceId: string,
    snapshotId: string,
  ): Promise<{ query: ListQuery; keys: Keys; shown: Keys }>;
  /** The email of the workspace, which is stored as the author of every event. */
  findAuthor(workspaceId: string): Promise<string>;
  getSettings(workspaceId: string): Promise<SettingsOfService>;
  /** The rules of the workspace, or of its team, in the order in which they are tried. */
  readRules?(workspaceId: string): Promise<readonly DecisionRule[]>;
  /** The rules of its team that decide, in every version that ever did. */
  readDecidingRules?(workspaceId: string): Promise<readonly DecisionRule[]>;
  auditRule?(workspaceId: string, action: AuditAction, details: AuditRecord['details']): Promise<void>;
  /** Updates what is computed from claims and reviews. */
  updateFacts?(workspaceId: string): Promise<void>;
  /** The claims that pages of this computer show, and those among `claimIds` that a colleague has open. */
  findOpened?(workspaceId: string, claimIds: readonly number[]): ReadonlySet<number>;
  /** The spellings in which names that claims wait on are shown. */
  readSpellings?(workspaceId: string): Promise<Spellings>;
  findRemovedForTeam?(workspaceId: string): Promise<RemovedForTeam>;
  /** Refuses acts of users who may only read in the workspace's team. @throws DeskError `team.readOnly`, and as `requireRead` */
  requireWriter?(workspaceId: string): Promise<void>;
  /**
   * Refuses acts, and what leads to one, until the team's acts were read here; acts call it before they read any
   * review.
   * @throws DeskError `team.stillReading`
   */
  requireRead?(workspaceId: string): Promise<void>;
  /** Signs entries, and checks certificates of other computers. */
  readonly signer: EntrySigner;
}
