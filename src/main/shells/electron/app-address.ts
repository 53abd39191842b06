/** The window's own address. `app:` is registered as a standard, secure scheme of this app alone. */
export const appScheme = 'app';
const appHost = 'claimdesk';
export const appUrl = `${appScheme}://${appHost}/`;

/** Pure: whether an address is the window's page itself, ignoring its hash. */
export function isAppPage(address: string): boolean {
  const url = URL.parse(address);
  return isAppOrigin(address) && url?.pathname === '/' && url.search === '';
}

/**
 * Pure: whether an address has the window's origin. Node's `origin` of an unknown scheme is "null", so scheme and host
 * are compared.
 */
export function isAppOrigin(address: string): boolean {
  const url = URL.parse(address);
  if (url === null) return false;
  const hasUser = url.username !== '' || url.password !== '';
  return url.protocol === `${appScheme}:` && url.host === appHost && !hasUser;
}
