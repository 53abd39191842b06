import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { KeySource, SshKey } from '../../../contract/ssh-keys.ts';
import { useBridge } from '../../lib/desk-context.tsx';
import { reportOf } from '../../lib/desk-error.ts';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';

/** A chosen key, with a description for the screen. The private key itself is shown nowhere. */
export interface GivenKey {
  readonly source: KeySource;
  readonly label: string;
  /** It was pasted into this page, so the clipboard still contains it. */
  readonly wasPasted: boolean;
}

const passphraseCodes: ReadonlySet<string> = new Set(['key.passphraseNeeded', 'key.wrongPassphrase']);

/**
 * One import: the key is sent to main once; where only its passphrase is missing, main keeps it and the second
 * attempt sends the passphrase alone.
 */
export function useImportKey(workspaceId: string | undefined, onImported: (key: SshKey) => void) {
  const { shell } = useBridge();
  const cache = useQueryClient();
  const send = useDeskMutation('keys:import');
  const [heldId, setHeldId] = useState<string | null>(null);
  const error = send.error === null ? null : reportOf(send.error);

  // Awaited, not a callback: an import can show the next screen, which unmounts this one.
  const run = async (given: GivenKey, name: string, passphrase: string, isNew = false): Promise<void> => {
    const source: KeySource = heldId === null || isNew ? given.source : { kind: 'held', sourceId: heldId };
    try {
      const key = await send.mutateAsync({
        source,
        ...(passphrase === '' ? {} : { passphrase }),
        ...(name.trim() === '' ? {} : { name: name.trim() }),
        ...(workspaceId === undefined ? {} : { workspaceId }),
      });
      if (key === null) return;
      setHeldId(null);
      // Electron's main process clears the clipboard itself.
      if (given.wasPasted && shell === 'browser') await emptyClipboard();
      await cache.invalidateQueries({ queryKey: keyPrefixes.domain('workspaces') });
      onImported(key);
    } catch (thrown) {
      const { code, details } = reportOf(thrown);
      const sourceId = details?.sourceId;
      if (typeof sourceId === 'string') setHeldId(sourceId);
      else if (code === 'key.sourceMissing') setHeldId(null);
    }
  };
  /** Another key was chosen: main drops the one that it keeps. */
  const forget = () => {
    setHeldId(null);
    send.reset();
  };
  return {
    run,
    forget,
    error,
    isPending: send.isPending,
    wantsPassphrase: (error !== null && passphraseCodes.has(error.code)) || heldId !== null,
  };
}

/** Where the shell cannot clear the clipboard, the page overwrites what was pasted from it; this may fail. */
async function emptyClipboard(): Promise<void> {
  await navigator.clipboard?.writeText('').catch(() => undefined);
}
