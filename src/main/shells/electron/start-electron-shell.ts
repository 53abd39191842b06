import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { app, autoUpdater, clipboard, dialog, session, shell } from 'electron';
import { channels } from '../../../contract/channels.ts';
import { isSecureAddress } from '../../../contract/service-address.ts';
import type { Settings } from '../../../contract/settings.ts';
import { createDesk, type Desk } from '../../desk.ts';
import { systemClock } from '../../lib/clock.ts';
import { toErrorReport } from '../../lib/errors.ts';
import { createLog, type Log } from '../../lib/log.ts';
import { logFailure } from '../../lib/log-failure.ts';
import { defaultProfileDir, profilePaths } from '../../lib/paths.ts';
import { type FoundPolicy, readPolicy } from '../../lib/read-policy.ts';
import { acquireWriteLock, type WriteLock } from '../../lib/write-lock.ts';
import { findAppPaths } from '../app-paths.ts';
import { connectEngine } from '../connect-engine.ts';
import { readStart } from '../page/fill-page.ts';
import { listPageFiles } from '../page/page-files.ts';
import { startWindowSample } from '../sample-size.ts';
import { answerWindows } from './answer-windows.ts';
import { setAppMenu } from './app-menu.ts';
import { registerAppScheme, serveApp } from './app-protocol.ts';
import { chooseOpenPath, chooseSavePath } from './choose-file.ts';
import { clearInChild } from './clear-clipboard.ts';
import { createNativeConfirm } from './confirm-natively.ts';
import { guardAllContents } from './guard-contents.ts';
import { guardRequests, guardSession } from './guard-session.ts';
import { createMainWindow } from './main-window.ts';
import { createOwnClipboard } from './own-clipboard.ts';
import { watchPower } from './power-signals.ts';
import { startUtilityEngine, type UtilityEngine } from './utility-engine.ts';
import { launchSampleProcess } from './utility-sample.ts';
import { canUpdateSigned, watchUpdates } from './watch-updates.ts';

/** Turns off Chromium's own network requests: name lookups ahead of time, updates and reports. */
const quietSwitches = ['dns-prefetch-disable', 'disable-background-networking', 'no-pings'] as const;

/**
 * Switches that remove a protection: they open a debugger, accept false certificates or names, unlock the page's limits
 * or the sandbox, run another program in a child's place, or write memory, requests or TLS keys to a file.
 */
const refusedSwitches = (
  'allow-file-access-from-files allow-running-insecure-content allow-sandbox-debugging ' +
  'crash-dumps-dir disable-gpu-sandbox disable-namespace-sandbox disable-seccomp-filter-sandbox ' +
  'disable-setuid-sandbox disable-site-isolation-trials disable-web-security enable-crash-reporter ' +
  'gpu-launcher host-resolver-rules host-rules ignore-certificate-errors ' +
  'ignore-certificate-errors-spki-list js-flags load-extension log-net-log no-sandbox ' +
  'no-zygote-sandbox remote-allow-origins remote-debugging-address remote-debugging-pipe ' +
  'remote-debugging-port renderer-cmd-prefix single-process ssl-key-log-file trace-startup ' +
  'unsafely-treat-insecure-origin-as-secure utility-cmd-prefix'
).split(' ');

/**
 * Starts the app in Electron. The steps that must precede readiness (profile, single instance, sandbox, scheme) are
 * done at once; the rest follows.
 */
export async function startElectronShell(
  argv: readonly string[] = process.argv,
  policyFile?: string,
): Promise<void> {
  const { values } = parseArgs({
    args: argv.slice(1),
    options: { profile: { type: 'string' }, sample: { type: 'boolean', default: false } },
    allowPositionals: true,
    strict: false,
  });
  app.setName('Claimdesk');
  // Electron's fuses disable Node's switches, not Chromium's.
  if (app.isPackaged && refusedSwitches.some((name) => app.commandLine.hasSwitch(name))) {
    app.exit(1);
    return;
  }
  const named = typeof values.profile === 'string' ? values.profile : process.env.CLAIMDESK_PROFILE;
  if (named !== undefined && named !== '') setProfileDir(resolve(named));
  // Electron would use the Roaming folder, which Windows copies between computers.
  else if (process.platform === 'win32') setProfileDir(defaultProfileDir(process.env, process.platform));
  if (!app.requestSingleInstanceLock()) {
    app.exit(0);
    return;
  }
  app.enableSandbox();
  for (const name of quietSwitches) app.commandLine.appendSwitch(name);
  registerAppScheme();
  guardAllContents(app);
  await app.whenReady();
  const profileDir = app.getPath('userData');
  const begin = async () => ({
    policy: await readPolicy(policyFile),
    writeLock: await takeWriteLock(profileDir),
  });
  const begun = await begin().catch((thrown: unknown) => {
    const { message, nextStep, details = {} } = toErrorReport(thrown);
    const { path, problem } = details;
    const about = path !== undefined && problem !== undefined ? `${path}\n${problem}\n\n` : '';
    dialog.showErrorBox(message, `${about}${nextStep}`);
    app.exit(1);
    return null;
  });
  if (begun === null || begun.writeLock === null) return;
  await run({
    profileDir,
    writeLock: begun.writeLock,
    policy: begun.policy,
    withSample: values.sample === true,
  });
}

/** Sets the folder of the profile, creating it first because Electron requires that it exists. */
function setProfileDir(profileDir: string): void {
  mkdirSync(profileDir, { recursive: true, mode: 0o700 });
  app.setPath('userData', profileDir);
}

/**
 * Takes the write lock. If another computer left the profile open, asks the user whether to take it over; on a no, the
 * app ends.
 */
async function takeWriteLock(profileDir: string): Promise<WriteLock | null> {
  try {
    return await acquireWriteLock(profileDir);
  } catch (thrown) {
    const { code, message, details } = toErrorReport(thrown);
    if (code !== 'profile.heldElsewhere') throw thrown;
    const { response } = await dialog.showMessageBox({
      type: 'warning',
      message,
      detail: `Take it over only when Claimdesk no longer runs on ${details?.host}: two computers that write to one profile lose data.`,
      buttons: ['Quit', 'Take over'],
      defaultId: 0,
      cancelId: 0,
    });
    if (response === 1) return acquireWriteLock(profileDir, { takesOver: true });
    app.exit(1);
    return null;
  }
}

async function run(options: {
  profileDir: string;
  writeLock: WriteLock;
  policy: FoundPolicy;
  withSample: boolean;
}): Promise<void> {
  const { profileDir, writeLock, policy, withSample } = options;
  const { windowSession, engineSession } = openSessions();
  const appPaths = findAppPaths();
  const paths = profilePaths(profileDir);
  const log = createLog({ filePath: paths.log, clock: systemClock });
  const ownClipboard = createOwnClipboard(clearInChild);
  let engineProcess: UtilityEngine | null = null;
  const window = createMainWindow({
    session: windowSession,
    preloadFile: appPaths.preloadFile,
    stateFile: join(profileDir, 'window.json'),
    isReleased: app.isPackaged,
  });
  const canUpdate = app.isPackaged && canUpdateSigned(process.resourcesPath, process.platform);
  const desk = createDesk(
    {
      shell: 'electron',
      version: app.getVersion(),
      canUpdate,
      profileDir,
      environment: process.env,
      clock: systemClock,
      log,
      async startEngine(main, init) {
        const started = startUtilityEngine(engineSession);
        const engine = await connectEngine({ process: started, main, init: { ...init, windowOrigin: null } });
        engineProcess = started;
        return engine;
      },
      startSampleService: () => startWindowSample(process.env, launchSampleProcess),
      openUrl: async (url) =>
        isSecureAddress(url) &&
        shell.openExternal(url.href).then(
          () => true,
          () => false,
        ),
      writeClipboard: ownClipboard.write,
      expectOnClipboard: ownClipboard.expectFromPage,
      clearClipboard: ownClipboard.clear,
      chooseSavePath: (suggestedName, folder) => chooseSavePath(window.current, suggestedName, folder),
      chooseOpenPath: (what) => chooseOpenPath(window.current, what),
      readClipboardText: async () => clipboard.readText(),
      dropFromClipboard: ownClipboard.drop,
      confirm: createNativeConfirm(() => window.current),
      isReadOnly: false,
      policy: policy.rules,
      policySources: policy.sources,
      isPolicyFileIgnored: policy.isPolicyFileIgnored,
    },
    { watchesIdle: true },
  );
  desk.subscribe((event) => {
    window.current?.webContents.send(channels.event, event);
    if (event.name === 'lock:changed' && event.payload.isLocked) void window.replace();
  });
  const updates = canUpdate ? watchDeskUpdates(desk, log, policy.rules.updateAddress) : null;
  desk.subscribe((event) => {
    if (event.name === 'settings:changed') void updates?.applySetting();
  });
  const unwatchPower = watchPower(() => void desk.lockNow());
  serveApp(windowSession, {
    files: await listPageFiles(appPaths.rendererDir),
    readStart: () => readStart(desk),
  });
  answerWindows({ desk, window, engineProcess: () => engineProcess });
  setAppMenu({
    platform: process.platform,
    isReleased: app.isPackaged,
    lockNow: () => void desk.lockNow(),
  });

  let isEnding = false;
  app.on('second-instance', () => window.focus());
  app.on('window-all-closed', () => app.quit());
  app.on('before-quit', (event) => {
    event.preventDefault();
    if (isEnding) return;
    isEnding = true;
    unwatchPower();
    // Reads the setting first, because a closed desk does not answer.
    const updating = updates?.end();
    void Promise.all([desk.close(), window.saveState()])
      .then(() => writeLock.release())
      .then(() => {
        window.current?.hide();
        return updating;
      })
      .finally(() => app.exit(0));
  });
  log.write('shell.started');
  if (withSample) await desk.call('sample:open', {});
  await window.show();
}

/** Both sessions are kept in memory only, because no name begins with `persist:`. */
function openSessions() {
  const windowSession = session.fromPartition('claimdesk-window', { cache: false });
  const engineSession = session.fromPartition('claimdesk-engine', { cache: false });
  for (const electronSession of [windowSession, engineSession, session.defaultSession])
    guardSession(electronSession);
  for (const pageSession of [windowSession, session.defaultSession])
    guardRequests(pageSession, { isReleased: app.isPackaged });
  return { windowSession, engineSession };
}

const watchDeskUpdates = (desk: Desk, log: Log, address: string | undefined) =>
  watchUpdates({
    address,
    platform: process.platform,
    async mayUpdate() {
      const settings = await desk.call('settings:get', {});
      return settings.ok && (settings.value as Settings).installsUpdates;
    },
    load: async () => (await import('electron-updater')).default.autoUpdater,
    system: autoUpdater,
    onFailed: (thrown) => logFailure(log, 'app.failed', thrown),
  });
