import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RotationAnswer, RotationState } from '../../../contract/rotation.ts';
import type { KeyType } from '../../../contract/ssh-keys.ts';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';

export interface Rotation {
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly refetch: () => unknown;
  /** The current state; the last one stays on screen until the page is left. */
  readonly state: RotationState | null;
  readonly begin: (type: KeyType | null) => void;
  readonly answer: (answer: RotationAnswer) => void;
  readonly resume: () => void;
  readonly forget: () => void;
  readonly isPending: boolean;
  /** Why the last request was refused. */
  readonly refusal: unknown;
}

/** The rotation of a workspace's key, from its journal: a reload continues where it was. */
export function useRotation(workspaceId: string): Rotation {
  const cache = useQueryClient();
  const running = useDeskQuery('rotation:get', { workspaceId });
  const begin = useDeskMutation('rotation:begin');
  const answer = useDeskMutation('rotation:answer');
  const resume = useDeskMutation('rotation:resume');
  /** The last state of a finished rotation, whose journal is closed and sends no more events. */
  const [ended, setEnded] = useState<RotationState | null>(null);
  const all = [begin, answer, resume];
  const reset = () => {
    for (const mutation of all) mutation.reset();
  };
  const onSuccess = (state: RotationState | null) => {
    setEnded(state?.isOver === true ? state : null);
    for (const domain of ['keys', 'workspaces'])
      void cache.invalidateQueries({ queryKey: keyPrefixes.domain(domain) });
  };
  return {
    isLoading: running.isPending,
    error: running.error,
    refetch: running.refetch,
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
