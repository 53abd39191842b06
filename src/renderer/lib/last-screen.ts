const storageKey = 'claimdesk-last-screen';

/** Screens that a window may begin with. */
export const screens = [
  '/claims',
  '/members',
  '/dependents',
  '/lines',
  '/employers',
  '/tenants',
  '/insights',
  '/sync',
] as const;
export type Screen = (typeof screens)[number];

/** The screen that an address belongs to: which record was open is not written down outside the records. */
export function screenOf(pathname: string): Screen | null {
  return screens.find((screen) => pathname === screen || pathname.startsWith(`${screen}/`)) ?? null;
}

export function keepLastScreen(storage: Pick<Storage, 'setItem'>, pathname: string): void {
  const screen = screenOf(pathname);
  if (screen !== null) storage.setItem(storageKey, screen);
}

/** Where the window was last; claims where nothing is known. */
export function readLastScreen(storage: Pick<Storage, 'getItem'>): Screen {
  return screenOf(storage.getItem(storageKey) ?? '') ?? '/claims';
}
