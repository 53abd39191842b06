import { expect, test } from 'vitest';
import { errorTable } from '../../../../../src/contract/error-codes.ts';
import {
  describeTeam,
  type OwnTeam,
  summarizeTeam,
} from '../../../../../src/renderer/features/team/describe-team.ts';

const team: OwnTeam = {
  ...{
    server: 'https://team.example',
    state: 'live',
    unsent: 0,
    documents: { unsent: 0, isFull: false },
    held: 0,
    refused: 0,
    refusedOf: [],
    otherLog: null,
    wentBack: null,
  },
  ...{ role: 'admin', code: null, problem: null, updatesBy: 'stream', arriving: null, earlier: null },
  ...{ formerAdmins: [], isRecoveryUnsealed: false, recovered: [] },
};
const problem = errorTable['team.refused'];

test.each<[Partial<OwnTeam>, string, string]>([
  [{ state: 'live' }, 'good', 'Team: live'],
  [
    { state: 'connecting', earlier: 'reading' },
    'running',
    'Team: connecting, earlier reviews are still being read',
  ],
  [
    { state: 'offline', unsent: 2, earlier: 'reading', problem },
    'offline',
    'Team: offline, 2 to send, earlier reviews are still being read',
  ],
  [{ earlier: 'checking', problem }, 'good', `Team: ${problem.message} ${problem.nextStep}`],
  [{ earlier: 'checking' }, 'good', 'Team: live, earlier entries are still being checked'],
  [{ state: 'live', unsent: 2 }, 'good', 'Team: live'],
  [{ state: 'connecting' }, 'running', 'Team: connecting'],
  [{ state: 'waiting', role: null, unsent: 2 }, 'none', 'Team: waiting for approval'],
  [
    { arriving: { email: 'ana@example.com', claims: 200_000 } },
    'good',
    'Team: receiving 200,000 claims from ana@example.com',
  ],
  [{ state: 'offline' }, 'offline', 'Team: offline'],
  [{ state: 'offline', unsent: 1312, problem }, 'offline', 'Team: offline, 1,312 to send'],
  [{ state: 'stopped', problem }, 'failed', `Team: ${problem.message} ${problem.nextStep}`],
])('%o in the top bar', (part, tone, text) => {
  expect(summarizeTeam({ ...team, ...part })).toEqual({ tone, text });
});

test('on its page, a team that stopped shows how much has to be sent', () => {
  expect(describeTeam({ state: 'stopped', unsent: 1, arriving: null, earlier: null })).toBe(
    'stopped, 1 to send',
  );
});
