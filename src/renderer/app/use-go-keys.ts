import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { goKeys, isForDialog, isTypingIn } from '../lib/shortcuts.ts';
import { useSingleKeys } from '../lib/use-single-keys.ts';

/** How long after `g` the letter of a page is waited for. */
const waitMs = 2000;

/** `g` and a letter go to a page. */
export function useGoKeys(): void {
  const navigate = useNavigate();
  const pressedAt = useRef(Number.NEGATIVE_INFINITY);
  useSingleKeys({
    g: () => {
      pressedAt.current = performance.now();
    },
  });
  useEffect(() => {
    // Before the keys of the page, which may have the same letter.
    const onKeyDown = (event: KeyboardEvent) => {
      const isWaiting = performance.now() - pressedAt.current < waitMs;
      pressedAt.current = Number.NEGATIVE_INFINITY;
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      const page = goKeys.find(({ key }) => key === event.key);
      if (!isWaiting || !isPlain || page === undefined) return;
      if (isTypingIn(event.target) || isForDialog(event)) return;
      event.preventDefault();
      event.stopPropagation();
      void navigate({ to: page.to });
    };
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, [navigate]);
}
