import { latePart } from '../../lib/late-part.tsx';

// The pages of a claim are in a separate module, because lists also show a claim beside them.
export const ClaimPage = latePart(async () => (await import('./claim-page.tsx')).ClaimPage);
export const ComparePage = latePart(async () => (await import('./compare-page.tsx')).ComparePage);
