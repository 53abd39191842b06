import { useState } from 'react';
import type { DeskBridge } from '../../../contract/bridge.ts';
import { useBridge } from '../../lib/desk-context.tsx';
import { useWorkspace } from '../../lib/workspace-context.tsx';

/** Texts typed on claims' pages that are not saved yet. They end with the window, as a lock ends it. */
const draftsOf = new WeakMap<DeskBridge, Map<string, string>>();

/**
 * A text that is being typed for a claim; null: nothing is. It is kept until it is saved or discarded, so that leaving the
 * claim, or its page, loses none. `field`: what it is typed into.
 */
export function useDraft(claimId: number, field: string): [string | null, (text: string | null) => void] {
  const { id: workspaceId } = useWorkspace();
  const bridge = useBridge();
  const drafts = draftsOf.get(bridge) ?? new Map<string, string>();
  draftsOf.set(bridge, drafts);
  const key = `${workspaceId} ${claimId} ${field}`;
  const [of, setOf] = useState({ key, text: drafts.get(key) ?? null });
  if (of.key !== key) setOf({ key, text: drafts.get(key) ?? null });
  const write = (text: string | null): void => {
    if (text === null) drafts.delete(key);
    else drafts.set(key, text);
    setOf({ key, text });
  };
  return [of.text, write];
}
