import { useLocation, useRouter } from '@tanstack/react-router';

/**
 * Leaves this page for a part of the settings, after something that took time. Who opened another page meanwhile stays
 * there.
 */
export function useLeaveFor(section: string): () => Promise<void> {
  const router = useRouter();
  const path = useLocation({ select: ({ pathname }) => pathname });
  return async () => {
    if (router.latestLocation.pathname !== path) return;
    await router.navigate({ to: '/settings/$section', params: { section } });
  };
}
