import { lazy } from 'react';

const importClaimPage = () => import('./claim-page.tsx');

/** The pages of a claim: their code is loaded after the first list is shown, or with the first claim. */
export const ClaimPage = lazy(async () => ({ default: (await importClaimPage()).ClaimPage }));
export const ComparePage = lazy(async () => ({ default: (await import('./compare-page.tsx')).ComparePage }));

/** The page itself shows a failure to load. */
export const loadClaimsAhead = (): void => void importClaimPage().catch(() => undefined);
