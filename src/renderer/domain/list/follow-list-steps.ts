import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { isSameJson } from '../../../contract/same-value.ts';
import { type RememberedList, useListMemory } from './list-memory.tsx';
import { isSearchOnly, keptOf } from './list-steps.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The step of the lists in this window; the settings themselves stay in memory. */
    listStep?: number;
  }
}

/** Changes of the search within this time are one step, since a word is typed in several. */
const oneStepMs = 1200;

/**
 * Makes back and forward restore what a list showed. The address has only a number: no name and no search is written
 * to a browser's history. Draws nothing, so that a step of the address alone does not draw the list again.
 */
export function FollowListSteps({ list, isOn }: { list: RememberedList; isOn: boolean }): null {
  const navigate = useNavigate();
  const { steps } = useListMemory();
  const step = useLocation({ select: (location) => location.state.listStep });
  const current = useRef(step);
  const changedAt = useRef(0);

  useEffect(() => {
    if (!isOn) return;
    const known = steps.find(step, list.id);
    const isOther = step !== current.current;
    current.current = step;
    if (known !== null) {
      if (isOther) list.change(known);
      return;
    }
    // A new visit: what is shown now is what "back" restores.
    const arrived = steps.add(list.id, keptOf(list.plan.entity, list.getSettings()));
    current.current = arrived;
    void navigate({ to: '.', search: true, replace: true, state: { listStep: arrived } });
  }, [list, step, isOn, navigate, steps]);

  useEffect(() => {
    if (!isOn) return;
    return list.subscribe(() => {
      const kept = keptOf(list.plan.entity, list.getSettings());
      const shown = steps.find(current.current, list.id);
      if (shown !== null && isSameJson(shown, kept)) return;
      const isQuick = Date.now() - changedAt.current < oneStepMs;
      changedAt.current = Date.now();
      if (isQuick && shown !== null && isSearchOnly(shown, kept) && current.current !== undefined) {
        steps.replace(current.current, list.id, kept);
        return;
      }
      const next = steps.add(list.id, kept);
      current.current = next;
      void navigate({ to: '.', search: true, state: { listStep: next } });
    });
  }, [list, isOn, navigate, steps]);
  return null;
}
