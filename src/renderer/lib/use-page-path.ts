import { useLocation } from '@tanstack/react-router';

/** The path on screen, the same for all records of a kind: a step to the next one draws nothing again. */
export const usePagePath = (): string =>
  useLocation({ select: ({ pathname }) => pathname.replace(/\/\d+/, '/0') });
