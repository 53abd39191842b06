import { readFile } from 'node:fs/promises';
import type { Settings } from '../../../contract/settings.ts';
import type { Desk } from '../../desk.ts';

/** Values that the host writes into the page for the window to read. The page is public: none is a secret. */
interface PageMarks {
  /** Browser shell: the address of the engine; empty while none runs. */
  readonly engine: string;
  readonly nonce: string;
  /** The theme from the settings, so that the first frame is drawn with it. */
  readonly theme: string;
}

/** A nonce, a loopback address or a word: no character that could end an attribute. */
const safeMark = /^[\w.:/-]*$/;

/** Replaces `__CLAIMDESK_ENGINE__` and the other placeholders. */
export const fillPage = (template: string, marks: PageMarks): string =>
  template.replaceAll(/__CLAIMDESK_(ENGINE|NONCE|THEME)__/g, (_all, name: string) => {
    const mark = marks[name.toLowerCase() as keyof PageMarks];
    if (!safeMark.test(mark)) throw new Error('A mark of the page has characters it must not have.');
    return mark;
  });

export const readFilledPage = async (path: string, marks: PageMarks): Promise<string> =>
  fillPage(await readFile(path, 'utf8'), marks);

/** The theme from the settings; the system's theme where they cannot be read. */
export async function readTheme(desk: Pick<Desk, 'call'>): Promise<string> {
  const settings = await desk.call('settings:get', {});
  return settings.ok ? (settings.value as Settings).theme : 'system';
}
