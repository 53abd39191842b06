import { expect, test } from 'vitest';
import { type OpenedLog, refuse } from '../../../../../src/main/engine/team/log-state.ts';

const forged = {
  header: '',
  signature: new Uint8Array(),
  head: new Uint8Array(),
  parts: [],
  number: 1,
  hash: '',
};

test('a server that has made up more entries than chance explains is read no further; a member’s own faults only count', () => {
  const state = { refused: 0, forged: 0, refusedOf: new Set<string>() };
  const log = { state } as unknown as OpenedLog;
  for (let count = 0; count < 1_500; count += 1) refuse(log, forged, true);
  for (let count = 0; count < 1_000; count += 1) refuse(log, forged, false);
  expect(() => refuse(log, forged, false)).toThrow(expect.objectContaining({ code: 'team.serverDiffers' }));
  expect(state.refused).toBe(2_501);
});
