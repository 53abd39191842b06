import { randomUUID } from 'node:crypto';
import { chmod, mkdir, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const ampersands: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Pure: a page that redirects to an address without a script and without sending a referrer. */
export function redirectPage(url: URL): string {
  const href = url.href.replaceAll(/[&<>"']/g, (character) => ampersands[character] ?? '');
  return [
    '<!doctype html>',
    '<meta charset="utf-8">',
    '<meta name="referrer" content="no-referrer">',
    // The address is in quotes, because it may hold the characters that would end it.
    `<meta http-equiv="refresh" content="0; url=&quot;${href}&quot;">`,
    '<title>Claimdesk</title>',
    `<p><a rel="noreferrer" href="${href}">Continue</a></p>`,
    '',
  ].join('\n');
}

/**
 * Files that redirect the system's browser to an address, because every user of a computer can read the arguments of a
 * program. Each is in a folder that only this user can access, with mode 0600, for `lifeMs` at most.
 */
export function createRedirectFiles(folder: string, lifeMs: number) {
  const timers = new Map<string, NodeJS.Timeout>();
  const remove = async (path: string): Promise<void> => {
    clearTimeout(timers.get(path));
    timers.delete(path);
    await unlink(path).catch(() => undefined);
  };
  return {
    /** Writes one. @throws the system's error where the folder cannot be written */
    async write(url: URL): Promise<string> {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await chmod(folder, 0o700);
      const path = join(folder, `${randomUUID()}.html`);
      await writeFile(path, redirectPage(url), { mode: 0o600, flag: 'wx' });
      timers.set(path, setTimeout(() => void remove(path), lifeMs).unref());
      return path;
    },
    remove,
    /** Removes all redirect files, also those that a killed process left. */
    async clear(): Promise<void> {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    },
  };
}

export type RedirectFiles = ReturnType<typeof createRedirectFiles>;
