import type { AppInfo } from '../../contract/app-info.ts';
import type { AuditRecord } from '../../contract/audit.ts';
import type { AnyEvent } from '../../contract/events.ts';
import type { Policy } from '../../contract/policy.ts';
import type { SamplePerson } from '../../contract/sample-person.ts';
import type { SavePurpose } from '../../contract/save-target.ts';
import type { Workspace } from '../../contract/workspace.ts';
import type { Clock } from '../lib/clock.ts';
import type { EngineControl, EngineInit, MainCalls } from '../lib/engine-protocol.ts';
import { DeskError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { isAddressAllowed } from '../lib/policy-file.ts';
import type { SampleConnect } from '../lib/sample-service.ts';
import type { DeskSecrets } from '../lock/desk-secrets.ts';
import type { SettingsFile } from '../workspaces/settings-file.ts';
import type { Space } from './spaces.ts';

/** The engine as main holds it: no record comes through here. */
export interface EngineHandle extends EngineControl {
  /** Stops answering windows; only where windows call the engine at an address. */
  closeToWindows?(): Promise<void>;
  /** Calls `listener` once when the engine has ended; `wasWanted` is false after a crash. */
  onEnded(listener: (wasWanted: boolean) => void): void;
}

/** The sample service that runs as a child. */
export interface SampleService {
  readonly baseUrl: string;
  readonly email: string;
  /** Registers a public key on the sample's page for SSH keys, as a user would. */
  register(name: string, publicKey: string): Promise<void>;
  /** Deletes a key on that page; a key that is not registered is no error. */
  deleteKey(publicKey: string): Promise<void>;
  /** The Connect integration of the sample; null where it has none. */
  getConnect(): SampleConnect | null;
  getPeople(): readonly SamplePerson[];
  /** Advances the sample by one day, with new and changed claims. @throws DeskError `sandbox.failed` */
  nextDay(claimIds: readonly number[]): Promise<void>;
  countDaysLeft(): number;
  /** Starts a team server that stores in this folder, and makes a set-up code. @throws DeskError `sandbox.failed` */
  startTeam(folder: string): Promise<{ server: string; setupCode: string }>;
  /**
   * Has a simulated colleague ask to join that server's team, who decides these claims once admitted.
   * @throws DeskError `sandbox.failed`
   */
  addColleague(invitation: string, claimIds: readonly number[]): Promise<{ computer: string }>;
  /** Stops listening, as a service that is out of reach does; start() brings it back at the same address. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** A question to the user, shown outside the page. */
export interface Question {
  readonly message: string;
  readonly detail: string;
  /** The label of the button that confirms. */
  readonly action: string;
}

/** The parts that differ between shells. */
export interface DeskPorts {
  readonly shell: AppInfo['shell'];
  readonly version: string;
  readonly profileDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly log: Log;
  readonly startEngine: (main: MainCalls, init: Omit<EngineInit, 'windowOrigin'>) => Promise<EngineHandle>;
  readonly startSampleService: () => Promise<SampleService>;
  /** Opens an address in the system's browser; false where the shell cannot. */
  readonly openUrl: (url: URL) => Promise<boolean>;
  /** Puts text on the clipboard and removes it later; false where the shell cannot. */
  readonly writeClipboard: (text: string) => Promise<boolean>;
  /**
   * Announces that the page puts the text of this digest on the clipboard, so that main removes it later. Absent where
   * the shell cannot.
   */
  readonly expectOnClipboard?: (digest: string) => void;
  /** Clears the clipboard if it still holds what Claimdesk put there. */
  readonly clearClipboard: () => Promise<void>;
  /** Asks the user where to save, beginning in `folder`; null when they cancel. */
  readonly chooseSavePath: (suggestedName: string, folder?: string) => Promise<string | null>;
  /** Asks the user which file or folder to open; null when they cancel. Absent where the shell cannot. */
  readonly chooseOpenPath?: (what: 'openFile' | 'openDirectory') => Promise<string | null>;
  /** The text on the clipboard. Absent where the shell cannot. */
  readonly readClipboardText?: () => Promise<string>;
  /** Empties the clipboard if it holds this text. Absent where the shell cannot. */
  readonly dropFromClipboard?: (text: string) => Promise<void>;
  /** Asks the user in a dialog outside the page; false when they refuse. Absent if the shell has none. */
  readonly confirm?: (question: Question) => Promise<boolean>;
  /** True when another process writes this profile. */
  readonly isReadOnly: boolean;
  /** Whether this copy fetches new versions of itself. Absent where the shell cannot. */
  readonly canUpdate?: boolean;
  /** The policy that an administrator has set on this computer. */
  readonly policy: Policy;
  /** Where each of its rules was set. */
  readonly policySources?: AppInfo['policySources'];
  readonly isPolicyFileIgnored?: boolean;
  /**
   * Command line: the unlock passphrase, read from a descriptor or, if `mayPrompt`, typed by the user; null
   * where there is none.
   */
  readonly askPassphrase?: (mayPrompt: boolean) => Promise<string | null>;
}

/** The state that the handlers of main share. */
export interface DeskState {
  readonly ports: DeskPorts;
  readonly secrets: DeskSecrets;
  readonly settings: SettingsFile;
  readonly real: Space;
  sample: { space: Space; service: SampleService; isRunning: boolean } | null;
  activeSampleId: string | null;
  isLocked: boolean;
  readonly emit: (event: AnyEvent) => void;
  /** The engine, started when first needed. @throws DeskError `app.locked` */
  readonly getEngine: () => Promise<EngineHandle>;
  readonly endEngine: () => Promise<void>;
  /** Where people chose to save, and what for. */
  readonly saveTargets: Map<string, { path: string; purpose: SavePurpose }>;
  /** Key files that wait for their passphrase. */
  readonly heldKeyFiles: Map<string, Uint8Array>;
  /**
   * Records in the audit log what main is about to do, for actions that must not happen unrecorded.
   *
   * @throws DeskError
   * `audit.unwritable` where the entry could not be written: the caller must not do it then
   */
  readonly recordFirst: (record: AuditRecord) => Promise<void>;
  /** Records in the audit log what main did. Never rejects: the action itself cannot be undone by a failed entry. */
  readonly audit: (record: AuditRecord) => Promise<void>;
}

/** The space a workspace belongs to. @throws DeskError `workspace.unknown` */
export async function spaceOf(state: DeskState, workspaceId: string): Promise<Space> {
  const { sample, real } = state;
  if (sample !== null && (await sample.space.book.list()).some(({ id }) => id === workspaceId))
    return sample.space;
  await real.book.get(workspaceId);
  return real;
}

const notAllowed = {
  allowedServices: 'policy.serviceNotAllowed',
  teamServers: 'team.serverNotAllowed',
} as const;

/**
 * Whether the policy lets a service, or the server of a team, be used with this profile, given whether it has a
 * passphrase. Those of the sample are always allowed.
 * @throws DeskError `policy.serviceNotAllowed`, `team.serverNotAllowed`, `policy.passphraseNeeded`
 */
export function requireAllowed(
  { ports, secrets }: DeskState,
  { isSample }: Pick<Space, 'isSample'>,
  address: string,
  rule: keyof typeof notAllowed = 'allowedServices',
): void {
  if (isSample) return;
  if (!isAddressAllowed(ports.policy, rule, address)) throw new DeskError(notAllowed[rule]);
  if (ports.policy.requireUnlockPassphrase === true && !secrets.needsPassphrase())
    throw new DeskError('policy.passphraseNeeded');
}

/** The workspaces of the sample and of the profile, and the one that windows show. */
export async function listWorkspaces({
  sample,
  real,
  activeSampleId,
}: DeskState): Promise<{ workspaces: Workspace[]; activeId: string | null }> {
  const ofSample = (await sample?.space.book.list()) ?? [];
  const workspaces = [
    ...ofSample.map((workspace) => ({ ...workspace, isSample: true })),
    ...(await real.book.list()),
  ];
  const sampleIsActive = activeSampleId !== null && ofSample.some(({ id }) => id === activeSampleId);
  return { workspaces, activeId: sampleIsActive ? activeSampleId : await real.book.getActiveId() };
}

/** Notifies the windows that the workspaces changed. */
export async function emitWorkspaces(state: DeskState): Promise<void> {
  const { activeId } = await listWorkspaces(state);
  state.emit({ name: 'workspaces:changed', payload: { activeId } });
}

/** The space that holds a key. @throws DeskError `key.unknown` */
export async function spaceOfKey(state: DeskState, keyId: string): Promise<Space> {
  for (const space of [state.sample?.space, state.real]) {
    if (space === undefined) continue;
    if ((await space.keyRing.list()).some(({ id }) => id === keyId)) return space;
    if ((await space.keyRing.listDamaged()).includes(keyId)) return space;
  }
  throw new DeskError('key.unknown');
}

/** Whether only the sample is in use: there is then no secret of the person's to unlock and nothing to record. */
export const isSampleOnly = async ({ sample, real }: DeskState): Promise<boolean> =>
  sample !== null && (await real.book.list()).length === 0;
