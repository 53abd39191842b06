import { clipboard } from 'electron';
import { digestForClipboard } from '../../lib/clipboard-digest.ts';

/**
 * What we put on the clipboard goes after `clearAfterMs`, at lock and at quit, unless something else is
 * there by then. Only a digest of it is kept; what a page copied is looked at by `clearElsewhere`, not here.
 */
export function createOwnClipboard(clearElsewhere: (digest: string) => Promise<void>, clearAfterMs = 60_000) {
  let own: { digest: string; isOfPage: boolean } | null = null;
  let timer: NodeJS.Timeout | undefined;
  const clear = async (): Promise<void> => {
    clearTimeout(timer);
    const expected = own;
    own = null;
    if (expected === null) return;
    if (expected.isOfPage) await clearElsewhere(expected.digest);
    else if (digestForClipboard(await clipboard.readText()) === expected.digest) clipboard.clear();
  };
  const expect = (digest: string, isOfPage: boolean): void => {
    own = { digest, isOfPage };
    clearTimeout(timer);
    timer = setTimeout(() => void clear(), clearAfterMs);
    timer.unref();
  };
  return {
    async write(text: string): Promise<boolean> {
      await clipboard.writeText(text);
      expect(digestForClipboard(text), false);
      return true;
    },
    /** The page puts the text of this digest there. */
    expectFromPage: (digest: string): void => expect(digest, true),
    clear,
    /** Empties the clipboard if it holds this text, whoever put it there; blanks around it do not count. */
    async drop(text: string): Promise<void> {
      const isThere = text.trim() !== '' && (await clipboard.readText()).trim() === text.trim();
      if (isThere) clipboard.clear();
    },
  };
}
