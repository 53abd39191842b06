import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Identifies a process. The system gives the same pid to other processes later, above all after a reboot, so
 * `startMark` adds when this one started (Linux: boot ID and ticks; macOS: date); null where the system does not say
 * (Windows).
 */
export type ProcessIdentity = { readonly pid: number; readonly startMark: string | null };

export async function readProcessIdentity(pid: number): Promise<ProcessIdentity> {
  return { pid, startMark: await readStartMark(pid) };
}

/**
 * Whether that very process is still running. Where this cannot be found out the answer is yes: taking the write lock of a
 * running process would damage data, while a wrong yes only delays.
 */
export async function isProcessAlive(identity: ProcessIdentity): Promise<boolean> {
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    // EPERM: the process runs and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  if (identity.startMark === null) return true;
  const startMark = await readStartMark(identity.pid);
  return startMark === null || startMark === identity.startMark;
}

/**
 * Whether two identities are of different starts of an operating system: of one computer before and after a restart, or
 * of two computers. False where the system has no mark of its start.
 */
export function isOtherBoot(a: ProcessIdentity, b: ProcessIdentity): boolean {
  const [bootA, bootB] = [a, b].map(({ startMark }) => /^(.+)\/\d+$/.exec(startMark ?? '')?.[1]);
  return bootA !== undefined && bootB !== undefined && bootA !== bootB;
}

async function readStartMark(pid: number): Promise<string | null> {
  try {
    if (process.platform === 'linux') {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
      // Field 2, the command, may hold blanks and brackets: fields are counted from the last closing bracket.
      const startTicks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
      const bootId = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
      return startTicks === undefined ? null : `${bootId}/${startTicks}`;
    }
    if (process.platform === 'darwin') {
      const { stdout } = await run('/bin/ps', ['-o', 'lstart=', '-p', String(pid)], {
        env: { LC_ALL: 'C', TZ: 'UTC' },
        timeout: 5000,
      });
      return stdout.trim() === '' ? null : stdout.trim();
    }
  } catch {
    // The start could not be read: only the pid is compared.
  }
  return null;
}
