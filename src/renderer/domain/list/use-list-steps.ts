import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { type RememberedList, useListMemory } from './list-memory.tsx';
import { isSame } from './list-settings.ts';
import { isOneWord, keptOf } from './list-steps.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Which step of the lists in this window; the settings themselves stay in memory. */
    listStep?: number;
  }
}

/** Changes of the search that follow each other faster are one step: a word is typed in several. */
const oneStepMs = 1200;

/**
 * Back and forward go through what a list showed. The address has a number only: neither a name nor what was
 * searched for is written where a browser keeps its history.
 */
export function useListSteps(list: RememberedList, isOn: boolean): void {
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
    // Arrived anew: what is shown now is what "back" comes back to.
    const arrived = steps.add(list.id, keptOf(list.plan.entity, list.getSettings()));
    current.current = arrived;
    void navigate({ to: '.', search: true, replace: true, state: { listStep: arrived } });
  }, [list, step, isOn, navigate, steps]);

  useEffect(() => {
    if (!isOn) return;
    return list.subscribe(() => {
      const kept = keptOf(list.plan.entity, list.getSettings());
      const shown = steps.find(current.current, list.id);
      if (shown !== null && isSame(shown, kept)) return;
      const isQuick = Date.now() - changedAt.current < oneStepMs;
      changedAt.current = Date.now();
      if (isQuick && shown !== null && isOneWord(shown, kept) && current.current !== undefined) {
        steps.replace(current.current, list.id, kept);
        return;
      }
      const next = steps.add(list.id, kept);
      current.current = next;
      void navigate({ to: '.', search: true, state: { listStep: next } });
    });
  }, [list, isOn, navigate, steps]);
}
