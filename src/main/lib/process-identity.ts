import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Who a process is. A pid alone is given out again, after a reboot above all; `startMark` is what the system
 * tells about its start (Linux: boot id and ticks; macOS: date), null where it tells nothing (Windows).
 */
export type ProcessIdentity = { readonly pid: number; readonly startMark: string | null };

export async function readProcessIdentity(pid: number): Promise<ProcessIdentity> {
  return { pid, startMark: await readStartMark(pid) };
}

/** Whether that very process lives still. In doubt yes: taking from a live one is worse than asking to wait. */
export async function isProcessAlive(identity: ProcessIdentity): Promise<boolean> {
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    // EPERM: it lives and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  if (identity.startMark === null) return true;
  const startMark = await readStartMark(identity.pid);
  return startMark === null || startMark === identity.startMark;
}

async function readStartMark(pid: number): Promise<string | null> {
  try {
    if (process.platform === 'linux') {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
      // The command in field 2 may hold blanks and brackets: count from the last closing one.
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
    // Not told: the pid alone has to do.
  }
  return null;
}
