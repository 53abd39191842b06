import { useLocation } from '@tanstack/react-router';

/** Returns the path on screen, which is the same for all records of a kind: a step to the next one draws nothing again. */
export const usePagePath = (): string =>
  useLocation({ select: ({ pathname }) => pathname.replace(/\/\d+/, '/0') });
