import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory, of a few megabytes, that can be filled and made read-only. */
export interface SmallDisk {
  readonly path: string;
  setReadOnly(isReadOnly: boolean): void;
  /** Fills it to the last block. Returns the function that frees the space again. */
  fill(): () => void;
  remove(): void;
}

/** Whether this process may mount. */
export function canMountSmallDisk(): boolean {
  try {
    mountSmallDisk(1).remove();
    return true;
  } catch {
    return false;
  }
}

/** A folder instead of a file system of its own. */
export function plainFolder(): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'claimdesk-disk-'));
  const refuse = (): never => {
    throw new Error('This is no disk of its own.');
  };
  return {
    path,
    setReadOnly: refuse,
    fill: refuse,
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

export function mountSmallDisk(megabytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'claimdesk-disk-'));
  const type = ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'claimdesk-test'];
  try {
    execFileSync('mount', [...type, path], { stdio: 'ignore' });
  } catch (thrown) {
    rmSync(path, { recursive: true });
    throw thrown;
  }
  const remount = (option: string): void =>
    void execFileSync('mount', ['-o', `remount,${option}`, path], { stdio: 'ignore' });
  return {
    path,
    setReadOnly: (isReadOnly) => remount(isReadOnly ? 'ro' : 'rw'),
    fill() {
      const filler = join(path, 'filler');
      let size = megabytes * 1_048_576;
      for (const block of [1_048_576, 65_536, 4_096]) {
        for (;;) {
          try {
            writeFileSync(filler, Buffer.alloc(block), { flag: 'a' });
            size -= block;
            if (size < -block) break;
          } catch {
            break;
          }
        }
      }
      return () => rmSync(filler);
    },
    remove() {
      execFileSync('umount', ['-l', path], { stdio: 'ignore' });
      rmSync(path, { recursive: true, force: true });
    },
  };
}
