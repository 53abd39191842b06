import type { AuditAction, AuditRecord } from '../../../contract/audit.ts';
import type { EventPayload } from '../../../contract/events.ts';
import type { SamplePerson } from '../../../contract/sample-person.ts';
import type { Log } from '../../lib/log.ts';
import { createSerialQueue, type SerialQueue } from '../../lib/serial-queue.ts';
import type { EmployerChoice, MemberWithEmail } from '../store/query/employer-choices.ts';
import { createIntegration, type IntegrationPorts, type WorkspaceIntegration } from './integration.ts';
import type { PlannedMember } from './plan-member.ts';
import type { ValidationEntry } from './validation-entry.ts';
import type { SignInEntry } from './watch-patient-access.ts';

/** The facts about employers and members in the records of the workspace. */
export interface ConnectRecords {
  listEmployers(): Promise<readonly EmployerChoice[]>;
  findMembers(email: string): Promise<readonly MemberWithEmail[]>;
  /** Whether the data API has an employer's key; null if it cannot be asked now. */
  hasEmployerKey(key: NonNullable<PlannedMember['keyToCheck']>): Promise<boolean | null>;
}

interface WorkspaceConnectPorts extends IntegrationPorts {
  readonly isReadOnly: boolean;
  readonly log: Log;
  readonly records: ConnectRecords;
  getSamplePeople(): Promise<readonly SamplePerson[]>;
  openUrl(url: string): Promise<boolean>;
  emit(what: EventPayload<'connect:changed'>['what'], policyHolderId?: number | null): void;
  audit(action: AuditAction, details: AuditRecord['details']): Promise<void>;
}

/** The state and functions that all Connect use cases of a workspace share. Watches continue in a later instance. */
export interface WorkspaceConnect extends WorkspaceConnectPorts {
  readonly integration: WorkspaceIntegration;
  /** The validations, by scope and policy holder. */
  readonly validations: Map<string, ValidationEntry>;
  /** The sign-ins, by scope and email. */
  readonly signIns: Map<string, SignInEntry>;
  /** Logins that are being sent. A second click must not send one again, which can lock accounts. */
  readonly submitting: Set<string>;
  /** Verdicts that are being stored. */
  readonly verdictWrites: Set<Promise<void>>;
  /** Employers' keys that the data API has, so that the bootstrap need not check them again after the plan. */
  readonly acceptedKeys: Set<string>;
  /** Adds the sample's people, by the sample's token, and so once per start of its service. */
  readonly samplePeople: Map<string, Promise<void>>;
  /** Hash of the terms last read for a member, by email. */
  readonly shownTerms: Map<string, string>;
  /** Looks for validations that were started elsewhere, one after the other. */
  readonly lookQueue: SerialQueue;
  isStopped: boolean;
}

export const createWorkspaceConnect = (ports: WorkspaceConnectPorts): WorkspaceConnect => ({
  ...ports,
  integration: createIntegration(ports),
  validations: new Map(),
  signIns: new Map(),
  submitting: new Set(),
  verdictWrites: new Set(),
  acceptedKeys: new Set(),
  samplePeople: new Map(),
  shownTerms: new Map(),
  lookQueue: createSerialQueue(),
  isStopped: false,
});

export const nowText = ({ clock }: Pick<WorkspaceConnect, 'clock'>): string =>
  new Date(clock.now()).toISOString();

/** Ends all watching and waits for pending writes. */
export async function stopConnect(connect: WorkspaceConnect): Promise<void> {
  connect.isStopped = true;
  const entries = [...connect.validations.values(), ...connect.signIns.values()];
  await Promise.all(entries.map(({ watch }) => watch.stop()));
  await Promise.all(connect.verdictWrites);
  connect.validations.clear();
  connect.signIns.clear();
  await connect.file.close();
}
