import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type SecretServiceOptions = {
  /**
   * `unlocked`: a login collection that is open. `locked`: the same, locked before the program starts. `fresh`: the
   * daemon without any collection, as on a new account. `absent`: a bus without a Secret Service.
   */
  keyring?: 'unlocked' | 'locked' | 'fresh' | 'absent';
  environment?: Record<string, string>;
  timeoutMs?: number;
};

export type ProgramResult = { exitCode: number | null; stdout: string; stderr: string };

/** The daemon returns before it has registered its name on the bus. */
const waitForDaemon = `for attempt in $(seq 1 200); do
  dbus-send --session --print-reply --dest=org.freedesktop.secrets / org.freedesktop.DBus.Peer.Ping >/dev/null 2>&1 && break
  sleep 0.05
done`;

const lockLogin = `dbus-send --session --print-reply --dest=org.freedesktop.secrets /org/freedesktop/secrets \\
  org.freedesktop.Secret.Service.Lock array:objpath:/org/freedesktop/secrets/collection/login >/dev/null`;
const startUnlocked = `printf 'test-password' | gnome-keyring-daemon --unlock --components=secrets >/dev/null
${waitForDaemon}`;

/** A bus that starts no services, so that `absent` has none, and no prompt program is started. */
const busConfig = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`;

/** Each of them ends when the program ends. `set -e`: a missing daemon fails the test and does not skip it. */
const preludes = {
  unlocked: startUnlocked,
  locked: `${startUnlocked}\n${lockLogin}`,
  fresh: `gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1 </dev/null\n${waitForDaemon}`,
  absent: ':',
} as const;

/**
 * Runs a program with the real Secret Service: a session bus and a gnome-keyring of its own, and a new HOME, because an
 * older login keyring would have another password. All of them end with the program. Rejects where dbus or
 * gnome-keyring is not installed.
 */
export async function runInSecretService(
  command: readonly string[],
  { keyring = 'unlocked', environment = {}, timeoutMs = 60_000 }: SecretServiceOptions = {},
): Promise<ProgramResult> {
  const home = await mkdtemp(join(tmpdir(), 'claimdesk-keyring-'));
  try {
    const script = `set -e\nmkdir -p "$XDG_DATA_HOME" "$XDG_RUNTIME_DIR"\nchmod 700 "$XDG_RUNTIME_DIR"\n${preludes[keyring]}\nexec "$@"`;
    const configPath = join(home, 'bus.conf');
    await writeFile(configPath, busConfig);
    return await runProgram(
      ['dbus-run-session', `--config-file=${configPath}`, '--', 'bash', '-c', script, 'bash', ...command],
      {
        ...process.env,
        HOME: home,
        XDG_DATA_HOME: join(home, 'data'),
        XDG_CONFIG_HOME: join(home, 'config'),
        XDG_CACHE_HOME: join(home, 'cache'),
        XDG_RUNTIME_DIR: join(home, 'run'),
        DISPLAY: undefined,
        WAYLAND_DISPLAY: undefined,
        CLAIMDESK_VAULT_PASSPHRASE: undefined,
        ...environment,
      },
      timeoutMs,
    );
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Runs a program to its end, or kills it after `timeoutMs`. Rejects if it cannot be started. */
export function runProgram(
  command: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
  timeoutMs = 60_000,
): Promise<ProgramResult> {
  const [file = '', ...args] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    const timer = setTimeout(() => {
      // The whole group: the bus and the daemon as well.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, timeoutMs);
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on('close', (exitCode) => {
      clearTimeout(timer);
      resolve({ exitCode, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() });
    });
  });
}
