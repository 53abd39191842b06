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

/** What a shell gives the engine: everything that differs between shells, and in tests. */
export interface EnginePorts {
  readonly profileDir: string;
  readonly host: EngineHost;
  /** Where the database keys lie; the sample's come from the host. */
  readonly secrets: SecretStore;
  /** Where the newest audit entry is noted. */
  readonly anchors: AnchorStore;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly log: Log;
  readonly isReadOnly: boolean;
  readonly policy: Policy;
  /** Jitter of the waits between tries, from 0 to 1; tests give a small fixed one. */
  readonly random?: () => number;
}

/** Who calls: a window sees masked SSNs; the command line may ask for them. */
export interface EngineCaller {
  readonly isSsnShown?: boolean;
}

export interface Engine extends EngineControl {
  /** Answers a procedure of the contract; never rejects. */
  call(name: string, input: unknown, caller?: EngineCaller): Promise<Result<unknown>>;
  /** Opens in advance what a window will ask for first; a failure is reported to the call that asks for it. */
  openAhead(workspaceId: string): void;
  /**
   * Before fields of an open list are printed by the command line: `reason` is written down.
   * @throws DeskError `policy.reasonNeeded`
   */
  explainList(wanted: {
    workspaceId: string;
    snapshotId: string;
    reason?: string | undefined;
  }): Promise<void>;
  /**
   * Whole records of an open list as JSON text, for the command line. `reason` is written down, once a list.
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
  /** The audit log as lines of JSON, for the command line. */
  readAuditLines(): AsyncIterable<string[]>;
  /** @throws DeskError `audit.notAFile` */
  verifyAuditFile(path: string): Promise<AuditVerdict>;
  subscribe(listener: (event: AnyEvent) => void): () => void;
}
