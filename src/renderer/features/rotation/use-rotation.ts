import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RotationAnswer, RotationState } from '../../../contract/rotation.ts';
import type { KeyType } from '../../../contract/workspace.ts';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';

export interface Rotation {
  readonly isLoading: boolean;
  readonly error: unknown;
  /** Where it stands; the end stays on show until the page is left. */
  readonly state: RotationState | null;
  readonly begin: (type: KeyType | null) => void;
  readonly answer: (answer: RotationAnswer) => void;
  readonly resume: () => void;
  readonly forget: () => void;
  readonly isPending: boolean;
  /** What was just asked for and refused. */
  readonly refusal: unknown;
}

/** The rotation of a workspace's key, as it is journalled: a reload finds it where it was. */
export function useRotation(workspaceId: string): Rotation {
  const cache = useQueryClient();
  const running = useDeskQuery('rotation:get', { workspaceId });
  const begin = useDeskMutation('rotation:begin');
  const answer = useDeskMutation('rotation:answer');
  const resume = useDeskMutation('rotation:resume');
  /** A journal that is over is closed, and nobody tells of it any more. */
  const [ended, setEnded] = useState<RotationState | null>(null);
  const all = [begin, answer, resume];
  const reset = () => {
    for (const one of all) one.reset();
  };
  const onSuccess = (state: RotationState | null) => {
    setEnded(state?.isOver === true ? state : null);
    for (const domain of ['keys', 'workspaces']) {
      void cache.invalidateQueries({ queryKey: keyPrefixes.domain(domain) });
    }
  };
  return {
    isLoading: running.isPending,
    error: running.error,
    state: ended ?? running.data ?? null,
    begin(type) {
      reset();
      begin.mutate({ workspaceId, ...(type === null ? {} : { type }) }, { onSuccess });
    },
    answer(given) {
      reset();
      answer.mutate({ workspaceId, answer: given }, { onSuccess });
    },
    resume() {
      reset();
      resume.mutate({ workspaceId }, { onSuccess });
    },
    forget: () => setEnded(null),
    isPending: all.some(({ isPending }) => isPending),
    refusal: all.find(({ error }) => error !== null)?.error ?? null,
  };
}
