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
  '/changes',
  '/sync',
] as const;
export type Screen = (typeof screens)[number];

/** The screen of an address, without the ID of an open record, which is stored only in the encrypted files. */
export function screenOf(pathname: string): Screen | null {
  return screens.find((screen) => pathname === screen || pathname.startsWith(`${screen}/`)) ?? null;
}

export function keepLastScreen(storage: Pick<Storage, 'setItem'>, pathname: string): void {
  const screen = screenOf(pathname);
  if (screen !== null) storage.setItem(storageKey, screen);
}

/** The last screen of the window; claims where it is unknown. */
export function readLastScreen(storage: Pick<Storage, 'getItem'>): Screen {
  return screenOf(storage.getItem(storageKey) ?? '') ?? '/claims';
}
