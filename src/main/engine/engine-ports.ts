import type { AuditVerdict } from '../../contract/audit.ts';
import type { AnyEvent } from '../../contract/events.ts';
import type { Policy } from '../../contract/policy.ts';
import type { Result } from '../../contract/result.ts';
import type { AnchorStore } from '../keychain/anchor-store.ts';
import type { SecretStore } from '../keychain/secret-store.ts';
import type { Clock } from '../lib/clock.ts';
import type { EngineControl, EngineHost } from '../lib/engine-protocol.ts';
import type { Log } from '../lib/log.ts';
import type { Transport } from './service/transport.ts';

/** What the engine needs from its shell: all that differs between shells, and in tests. */
export interface EnginePorts {
  readonly profileDir: string;
  readonly host: EngineHost;
  /** The store of the database keys; the sample's keys come from the host. */
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
  /** Opens ahead of time what a window will need first; an error is reported to the later call that needs it. */
  openAhead(workspaceId: string): void;
  /**
   * Records `reason` in the audit log before the command line prints fields of an open list.\n@throws DeskError
   * `policy.reasonNeeded`
   */
  explainList(wanted: {
    workspaceId: string;
    snapshotId: string;
    reason?: string | undefined;
  }): Promise<void>;
  /**
   * Whole records of an open list as JSON text, for the command line. `reason` is recorded in the audit log once per
   * list.
   * @throws DeskError `policy.ssnMasked`, `policy.reasonNeeded`
   */
  readRecordTexts(wanted: {
    workspaceId: string;
    snapshotId: string;
    offset: number;
    limit: number;
    isSsnShown: boolean;
    reason?: string | undefined;
  }): Promise<string[]>;
  /** The audit log as JSON lines, for the command line. */
  readAuditLines(): AsyncIterable<string[]>;
  /** @throws DeskError `audit.notAFile` */
  verifyAuditFile(path: string): Promise<AuditVerdict>;
  subscribe(listener: (event: AnyEvent) => void): () => void;
}
