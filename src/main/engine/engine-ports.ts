import type { AuditVerdict } from '../../contract/audit.ts';
import type { AnyEvent } from '../../contract/events.ts';
import type { ExportSource } from '../../contract/export.ts';
import type { Policy } from '../../contract/policy.ts';
import type { Result } from '../../contract/result.ts';
import type { TeamVerdict } from '../../contract/team.ts';
import type { AnchorStore } from '../keychain/anchor-store.ts';
import type { SecretStore } from '../keychain/secret-store.ts';
import type { Clock } from '../lib/clock.ts';
import type { EngineControl, MainCalls } from '../lib/engine-protocol.ts';
import type { Log } from '../lib/log.ts';
import type { Transport } from './service/transport.ts';

/** The ports that the engine gets from its shell: everything that differs between shells, and in tests. */
export interface EnginePorts {
  readonly profileDir: string;
  readonly main: MainCalls;
  /** The store of the database keys; the sample's keys come from main. */
  readonly secrets: SecretStore;
  /** Stores the hash of the newest audit entry. */
  readonly anchors: AnchorStore;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly log: Log;
  readonly isReadOnly: boolean;
  readonly policy: Policy;
  /** The random part of waits between attempts, from 0 to 1; tests use a small fixed value. */
  readonly random?: () => number;
}

/** Who calls a procedure: a window gets masked SSNs; the command line may ask for whole ones. */
export interface EngineCaller {
  readonly isSsnShown?: boolean;
}

export interface Engine extends EngineControl {
  /** Answers a procedure of the contract; never rejects. */
  call(name: string, input: unknown, caller?: EngineCaller): Promise<Result<unknown>>;
  /**
   * Opens ahead of time what a window needs first, and updates it; the call that needs it fails with the same error.
   */
  openAhead(workspaceId: string): void;
  /**
   * Writes the audit entry for what the command line is about to print. Without `columns`, whole records are printed;
   * `recordId` where it is one record with what belongs to it.
   * @throws DeskError `export.reasonMissing` where the columns identify people, `policy.reasonNeeded`,
   *   `policy.ssnMasked`, `export.unknownColumn`
   */
  auditListed(listing: {
    workspaceId: string;
    /** `connections`: carrier logins of members, which identify them by email. */
    source: ExportSource | { readonly kind: 'connections' };
    columns?: readonly string[];
    rows: number;
    recordId?: number;
    isSsnShown?: boolean;
    reason?: string | undefined;
  }): Promise<void>;
  /**
   * Whole records of an open list as JSON text, for the command line, which calls `auditListed` first.
   * @throws DeskError `policy.ssnMasked`
   */
  readRecordTexts(request: {
    workspaceId: string;
    snapshotId: string;
    offset: number;
    limit: number;
    isSsnShown: boolean;
  }): Promise<string[]>;
  /** The audit log as JSON lines, for the command line. */
  readAuditLines(): AsyncIterable<string[]>;
  /**
   * Stores the value of the header `Authorization` for the audit target; blank: none. For the command line: a window
   * never has it.
   * @throws DeskError `keychain.*`, `vault.*`
   */
  setAuditToken(token: string): Promise<void>;
  /**
   * Restores a backup into this profile, which must be new. `secret`: the recovery code or passphrase of the backups;
   * `before`: a time; null: the newest of all backups that the secret opens. Returns the folder of the backup as
   * `from`.
   * @throws DeskError `restore.notEmpty`, `backup.*`, `store.newer`, `disk.*`, `keychain.*`, `vault.*`
   */
  verifyAuditFile(path: string): Promise<AuditVerdict>;
  /**
   * Restores a backup into this profile, which must be new. `secret`: the recovery code or passphrase of the backups;
   * `before`: a time; null: the newest backup that the secret opens.
   * @throws DeskError `restore.notEmpty`, `backup.*`, `store.newer`, `disk.*`, `keychain.*`, `vault.*`
   */
  restore(request: { folder: string; secret: string; before: string | null }): Promise<{
    at: string;
    from: string;
    events: number;
    documents: number;
    auditEntries: number;
  }>;
  /** Needs neither a workspace nor a key. @throws DeskError `team.notALog` */
  verifyTeamFile(path: string): Promise<TeamVerdict>;
  subscribe(listener: (event: AnyEvent) => void): () => void;
}
