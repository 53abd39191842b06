import { expect, test } from 'vitest';
import { isAppOrigin, isAppPage } from '../../../../../src/main/shells/electron/app-address.ts';

test.each(['app://claimdesk/', 'app://claimdesk/#/claims/12'])('%s is our page', (address) => {
  expect(isAppPage(address)).toBe(true);
});

test.each([
  'app://claimdesk/index.html',
  'app://claimdesk/?a=1',
  'app://claimdesk.evil/',
  'app://evil/',
  'app://user@claimdesk/',
  'app://claimdesk:81/',
  'https://claimdesk/',
  'file:///claimdesk/',
  'javascript:app://claimdesk/',
  'about:blank',
  'nonsense',
  '',
])('%s is not', (address) => {
  expect(isAppPage(address)).toBe(false);
});

test('a file of ours has our origin, and is not the page', () => {
  expect(isAppOrigin('app://claimdesk/assets/a.js')).toBe(true);
  expect(isAppPage('app://claimdesk/assets/a.js')).toBe(false);
});
