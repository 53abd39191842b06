import { expect, test } from 'vitest';
import { describeRenderFault } from '../../../../src/renderer/lib/render-fault.ts';

const at = new Date('2026-11-22T01:33:00Z');

test('has the class, our files and the screen, but no message and no ID', () => {
  const error = new TypeError('Cannot read María López');
  error.stack = [
    'TypeError: Cannot read María López',
    '    at ClaimPage (http://localhost:4000/assets/claim-page-Ab12.js:10:5)',
    '    at React (https://other.example/react.js:1:1)',
  ].join('\n');
  expect(describeRenderFault(error, '#/claims/20000314?list=x', at).split('\n')).toEqual([
    'Claimdesk error window.fault',
    'Error: TypeError',
    'Page: /claims/{id}',
    'at assets/claim-page-Ab12.js:10:5',
    'Time: 2026-11-22T01:33:00.000Z',
  ]);
});

test('accepts what is not an error', () => {
  expect(describeRenderFault('María', '', at)).not.toContain('María');
});
