/** Chromium refuses `app:`; the page is at this address instead, which no network knows. */
const pageOrigin = 'https://claimdesk.stand-in.invalid';
const appOrigin = 'app://claimdesk';

const replaceOrigin = (address: string, from: string, to: string): string =>
  address === from || address.startsWith(`${from}/`) ? to + address.slice(from.length) : address;

/** Returns the address that main receives for one that Chromium names. */
export const toAppAddress = (address: string): string => replaceOrigin(address, pageOrigin, appOrigin);

/** Where Chromium finds what main names. */
export const toPageAddress = (address: string): string => replaceOrigin(address, appOrigin, pageOrigin);
