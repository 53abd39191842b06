import type { AnyEvent } from '../../../contract/events.ts';
import { noticeTable } from '../../../contract/notices.ts';
import { type Input, type Output, type ProcedureName, procedures } from '../../../contract/procedures.ts';
import type { Result } from '../../../contract/result.ts';
import { type SavePurpose, saveExtensions } from '../../../contract/save-target.ts';
import { describeStoreProgress } from '../../../contract/store.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import type { DeskPorts, EngineHandle } from '../../desk/desk-state.ts';
import { createDesk, type Desk } from '../../desk.ts';
import type { Engine, EngineCaller } from '../../engine/engine-ports.ts';
import type { Transport } from '../../engine/service/transport.ts';
import type { createUndiciTransport } from '../../engine/service/undici-transport.ts';
import { anchorsBeginInKeychain, openAnchorStore } from '../../keychain/anchor-store.ts';
import { openMainSecrets } from '../../keychain/main-secrets.ts';
import type { Keychain } from '../../keychain/profile-key-ports.ts';
import type { SecretStore } from '../../keychain/secret-store.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { DeskError, fromErrorReport } from '../../lib/errors.ts';
import { findNotices } from '../../lib/find-notices.ts';
import { createLog } from '../../lib/log.ts';
import { narrowProfile } from '../../lib/narrow-profile.ts';
import { findProfileDir, profilePaths } from '../../lib/paths.ts';
import { requireProfilePath } from '../../lib/profile-folder.ts';
import { readPolicy } from '../../lib/read-policy.ts';
import { acquireWriteLock } from '../../lib/write-lock.ts';
import { findWorkspace } from '../../workspaces/workspace-lookup.ts';
import { readAppVersion } from '../app-paths.ts';
import { confirmOnTerminal } from './confirm-on-terminal.ts';
import type { Options } from './parse-command.ts';
import { askHidden, readFromDescriptor } from './read-passphrase.ts';

/** The time without output at the start, and between two lines. */
const gapMs = 2_000;

/** Returns a function that prints the progress of long work on a file, at most every two seconds. */
export function createProgressLines(write: (line: string) => void, clock: Clock): (event: AnyEvent) => void {
  let lastMs: number | null = null;
  return (event) => {
    if (event.name !== 'store:progress' && event.name !== 'store:opening') return;
    const progress = event.name === 'store:progress' ? event.payload : event.payload.progress;
    if (progress === null) return;
    lastMs ??= clock.now();
    if (clock.now() - lastMs < gapMs) return;
    lastMs = clock.now();
    write(describeStoreProgress(progress));
  };
}

/** A desk and its engine in this process, for one command. */
export interface Session {
  /** Calls a procedure in main or in the engine. @throws DeskError as reported */
  call<P extends ProcedureName>(name: P, input: Input<P>, caller?: EngineCaller): Promise<Output<P>>;
  getEngine(): Promise<Engine>;
  /** The workspace of `--workspace`, or the only one. @throws DeskError `workspace.*` */
  findWorkspace(): Promise<Workspace>;
  /** Registers a path that an export may write to, and resolves to the ID by which the engine refers to it. */
  addSaveTarget(path: string, purpose: SavePurpose): Promise<string>;
  close(): Promise<void>;
}

export interface SessionOptions {
  readonly options: Options;
  /** Whether the command changes the profile and therefore takes its write lock. */
  readonly writes: boolean;
  /** Demo: replaces the system's keychain. */
  readonly secrets?: SecretStore;
  /** Tests: replaces the system's keychain. */
  readonly keychain?: Keychain;
  /** For the demo: opens the profile in place of the system's keychain and the user's passphrase. */
  readonly passphrase?: string | undefined;
  readonly askPassphrase?: NonNullable<DeskPorts['askPassphrase']>;
  readonly profileDir?: string;
  /** For tests: replaces the terminal. */
  readonly confirm?: NonNullable<DeskPorts['confirm']>;
  /** See EnginePorts. */
  readonly random?: () => number;
  /** For tests: replaces every source of this computer's policy. */
  readonly policyFile?: string;
}

/** @throws DeskError `policy.damaged`, `profile.noHome`, `profile.notFolder`, `profile.busy`, `profile.heldElsewhere`, `profile.unwritable` */
export async function openSession(sessionOptions: SessionOptions): Promise<Session> {
  const { environment, profileDir } = findProfile(sessionOptions);
  const isQuiet = sessionOptions.options.json === true;
  const {
    rules: policy,
    sources: policySources,
    isPolicyFileIgnored,
  } = await readPolicy(sessionOptions.policyFile);
  if (!isQuiet)
    for (const notice of await findNotices({ environment, profileDir, isPolicyFileIgnored }))
      printLine(noticeTable[notice]);
  const writeLock = sessionOptions.writes ? await acquireWriteLock(profileDir) : null;
  if (writeLock === null) {
    await requireProfilePath(profileDir);
    await narrowProfile(profileDir);
  }
  const log = createLog({
    filePath: sessionOptions.writes ? profilePaths(profileDir).log : null,
    clock: systemClock,
  });
  const { transport, closeTransport } = createLateTransport(environment);
  let engine: Engine | null = null;
  let savePath: string | null = null;

  const desk: Desk = createDesk(
    {
      shell: 'cli',
      version: readAppVersion(),
      profileDir,
      environment,
      clock: systemClock,
      log,
      startEngine: async (main): Promise<EngineHandle> => {
        const { createEngine } = await import('../../engine/engine.ts');
        const secrets = sessionOptions.secrets ?? openMainSecrets(profileDir, main);
        engine = createEngine({
          profileDir,
          main,
          secrets,
          anchors: openAnchorStore(
            secrets,
            sessionOptions.passphrase === undefined && anchorsBeginInKeychain(secrets, environment),
          ),
          transport,
          clock: systemClock,
          log,
          isReadOnly: !sessionOptions.writes,
          policy,
          ...(sessionOptions.random === undefined ? {} : { random: sessionOptions.random }),
        });
        if (!isQuiet) engine.subscribe(createProgressLines(printLine, systemClock));
        return { ...engine, onEnded: () => undefined };
      },
      startSampleService: () => Promise.reject(new DeskError('usage.invalid')),
      openUrl: async () => false,
      writeClipboard: async () => false,
      clearClipboard: async () => undefined,
      chooseSavePath: async () => savePath,
      confirm:
        sessionOptions.confirm ??
        ((question) => confirmOnTerminal(question, { isYes: sessionOptions.options.yes === true })),
      isReadOnly: !sessionOptions.writes,
      policy,
      policySources,
      isPolicyFileIgnored,
      askPassphrase:
        sessionOptions.askPassphrase ??
        (async (mayPrompt) =>
          sessionOptions.passphrase ?? (await findGivenPassphrase(sessionOptions.options, mayPrompt))),
    },
    {
      ...(sessionOptions.secrets === undefined ? {} : { secrets: sessionOptions.secrets }),
      ...(sessionOptions.keychain === undefined ? {} : { keychain: sessionOptions.keychain }),
    },
  );

  const getEngine = async (): Promise<Engine> => {
    await desk.getEngine();
    return engine as unknown as Engine;
  };

  const session: Session = {
    async call(name, input, caller) {
      const isMain = procedures[name].answeredBy === 'main';
      const result = (
        isMain ? await desk.call(name, input) : await (await getEngine()).call(name, input, caller)
      ) as Result<Output<typeof name>>;
      if (result.ok) return result.value;
      throw fromErrorReport(result.error);
    },
    getEngine,
    async findWorkspace() {
      const { workspaces } = await session.call('workspaces:list', {});
      return findWorkspace(workspaces, sessionOptions.options.workspace);
    },
    async addSaveTarget(path, purpose) {
      savePath = path;
      const target = await session.call('files:chooseSaveTarget', {
        purpose,
        suggestedName: `claimdesk${saveExtensions[purpose]}`,
      });
      return (target as NonNullable<typeof target>).targetId;
    },
    async close() {
      const unlock = await desk.call('unlock:getState', {});
      if (unlock.ok && (unlock.value as Output<'unlock:getState'>).isPassphraseShort)
        printLine('The unlock passphrase has fewer than 12 characters. Change it: claimdesk unlock change');
      await desk.close();
      await closeTransport();
      await writeLock?.release();
    },
  };
  return session;
}

const printLine = (line: string): void => void process.stderr.write(`${line}\n`);

/** Loaded at the first request: most commands make none. */
function createLateTransport(environment: NodeJS.ProcessEnv) {
  let network: Promise<ReturnType<typeof createUndiciTransport>> | null = null;
  const transport: Transport = async (request) => {
    network ??= import('../../engine/service/undici-transport.ts').then((loaded) =>
      loaded.createUndiciTransport(environment),
    );
    return (await network).transport(request);
  };
  return { transport, closeTransport: async () => (await network)?.close() };
}

const read = new Map<string, Promise<string>>();

/**
 * Finds the unlock passphrase of a command: from the given descriptor, else from the environment, else typed
 * by the user if `mayPrompt`. A descriptor is read once.
 * @throws DeskError `usage.invalid`
 */
export async function findGivenPassphrase(options: Options, mayPrompt: boolean): Promise<string | null> {
  const descriptor = options['passphrase-fd'];
  if (descriptor !== undefined) {
    const reading = read.get(descriptor) ?? readFromDescriptor(descriptor, '--passphrase-fd');
    read.set(descriptor, reading);
    return reading;
  }
  const given = process.env.CLAIMDESK_VAULT_PASSPHRASE;
  if (given !== undefined && given !== '') return given;
  return mayPrompt ? askHidden('Unlock passphrase: ') : null;
}

export function findProfile(sessionOptions: Pick<SessionOptions, 'options' | 'profileDir'>): {
  environment: NodeJS.ProcessEnv;
  profileDir: string;
} {
  const environment = process.env;
  const named = sessionOptions.profileDir ?? sessionOptions.options.profile;
  return { environment, profileDir: findProfileDir(named, environment, process.platform) };
}
