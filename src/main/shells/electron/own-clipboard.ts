import { clipboard } from 'electron';
import { digestForClipboard } from '../../lib/clipboard-digest.ts';

/**
 * Removes what Claimdesk put on the clipboard after `clearAfterMs`, at a lock and at quit, unless it was replaced by
 * then. Only a digest is kept. `clearElsewhere` compares text that a page copied, in another process.
 */
export function createOwnClipboard(clearElsewhere: (digest: string) => Promise<void>, clearAfterMs = 60_000) {
  let ownCopy: { digest: string; isOfPage: boolean } | null = null;
  let timer: NodeJS.Timeout | undefined;
  const clear = async (): Promise<void> => {
    clearTimeout(timer);
    const expected = ownCopy;
    ownCopy = null;
    if (expected === null) return;
    if (expected.isOfPage) await clearElsewhere(expected.digest);
    else if (digestForClipboard(await clipboard.readText()) === expected.digest) clipboard.clear();
  };
  const expect = (digest: string, isOfPage: boolean): void => {
    ownCopy = { digest, isOfPage };
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
    /** Announces that the page puts the text of this digest on the clipboard. */
    expectFromPage: (digest: string): void => expect(digest, true),
    clear,
    /** Empties the clipboard if it holds this text, whichever program put it there; surrounding blanks are ignored. */
    async drop(text: string): Promise<void> {
      const isThere = text.trim() !== '' && (await clipboard.readText()).trim() === text.trim();
      if (isThere) clipboard.clear();
    },
  };
}
