import { readFile } from 'node:fs/promises';
import type { Output } from '../../../contract/procedures.ts';
import type { Settings } from '../../../contract/settings.ts';
import type { Desk } from '../../desk.ts';

/** Values that the host writes into the page for the window to read. The page is public: none is a secret. */
interface PageValues {
  /** Browser shell: the address of the engine; empty while none runs. */
  readonly engine: string;
  readonly nonce: string;
  /** The theme from the settings, so that the first frame is drawn with it. */
  readonly theme: string;
  /** `active` if the window begins with a workspace's records; empty on the first start and while locked. */
  readonly workspace: string;
}

/** A nonce, a loopback address or a word: no character that could end an attribute. */
const safeValue = /^[\w.:/-]*$/;

/** Replaces `__CLAIMDESK_ENGINE__` and the other placeholders. */
export const fillPage = (template: string, values: PageValues): string =>
  template.replaceAll(/__CLAIMDESK_(ENGINE|NONCE|THEME|WORKSPACE)__/g, (_all, name: string) => {
    const value = values[name.toLowerCase() as keyof PageValues];
    if (!safeValue.test(value)) throw new Error('A value of the page has characters that it must not have.');
    return value;
  });

export const readFilledPage = async (path: string, values: PageValues): Promise<string> =>
  fillPage(await readFile(path, 'utf8'), values);

/** The settings for the first frame; the system's theme if they can't be read. */
export async function readStart(desk: Pick<Desk, 'call'>): Promise<Pick<PageValues, 'theme' | 'workspace'>> {
  const settings = await desk.call('settings:get', {});
  const workspaces = await desk.call('workspaces:list', {});
  return {
    theme: settings.ok ? (settings.value as Settings).theme : 'system',
    workspace:
      workspaces.ok && (workspaces.value as Output<'workspaces:list'>).activeId !== null ? 'active' : '',
  };
}
