import { describe, expect, it } from 'vitest';
import { isAddressAllowed, isCidr } from '../../../../src/sandbox/auth/cidr.ts';

describe('isAddressAllowed', () => {
  it.each([
    ['127.0.0.1', ['127.0.0.0/8'], true],
    ['::ffff:127.0.0.1', ['127.0.0.0/8'], true],
    ['128.0.0.1', ['127.0.0.0/8'], false],
    ['10.1.2.3', ['192.0.2.0/24', '10.1.2.3/32'], true],
    ['::1', ['::1/128'], true],
    ['::1', ['127.0.0.0/8'], false],
    ['127.0.0.1', [], false],
  ])('%s in %j: %s', (address, ranges, isAllowed) => {
    expect(isAddressAllowed(address, ranges)).toBe(isAllowed);
  });
});

it.each([
  ['10.0.0.0/8', true],
  ['::/0', true],
  ['10.0.0.0', false],
  ['10.0.0.0/33', false],
  ['::/129', false],
  ['10.0.0/8', false],
  ['x/8', false],
])('%s is a range: %s', (text, is) => {
  expect(isCidr(text)).toBe(is);
});
