import { lazy } from 'react';

// What carries the grid comes in a part of its own: the lock screen and the welcome do not wait for it.
export const ClaimsPage = lazy(async () => ({
  default: (await import('../features/claims/claims-page.tsx')).ClaimsPage,
}));
export const LinesPage = lazy(async () => ({
  default: (await import('../features/claims/lines-page.tsx')).LinesPage,
}));
export const MembersPage = lazy(async () => ({
  default: (await import('../features/members/members-page.tsx')).MembersPage,
}));
export const MemberPage = lazy(async () => ({
  default: (await import('../features/members/member-page.tsx')).MemberPage,
}));
export const DependentsPage = lazy(async () => ({
  default: (await import('../features/dependents/dependents-page.tsx')).DependentsPage,
}));
export const DependentPage = lazy(async () => ({
  default: (await import('../features/dependents/dependent-page.tsx')).DependentPage,
}));
