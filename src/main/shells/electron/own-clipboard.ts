import { createHash } from 'node:crypto';
import { clipboard } from 'electron';

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64');

/**
 * What we put on the clipboard goes after `clearAfterMs`, at lock and at quit, unless something else is
 * there by then. Only a digest of it is kept.
 */
export function createOwnClipboard(clearAfterMs = 60_000) {
  let ownDigest: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  const clear = async (): Promise<void> => {
    clearTimeout(timer);
    const expected = ownDigest;
    ownDigest = null;
    if (expected !== null && digestOf(await clipboard.readText()) === expected) clipboard.clear();
  };
  return {
    async write(text: string): Promise<boolean> {
      await clipboard.writeText(text);
      ownDigest = digestOf(text);
      clearTimeout(timer);
      timer = setTimeout(() => void clear(), clearAfterMs);
      timer.unref();
      return true;
    },
    clear,
    /** Empties the clipboard if it holds this text, whoever put it there; blanks around it do not count. */
    async drop(text: string): Promise<void> {
      const isThere = text.trim() !== '' && (await clipboard.readText()).trim() === text.trim();
      if (isThere) clipboard.clear();
    },
  };
}
