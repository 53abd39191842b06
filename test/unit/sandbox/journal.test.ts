import { expect, it } from 'vitest';
import { RequestJournal } from '../../../src/sandbox/service.ts';

const request = (requestId: string) => ({
  requestId,
  method: 'GET',
  path: '/x',
  headerNames: ['host'],
  cookie: null,
  origin: null,
  authorizationScheme: 'SSH-JWT',
});

it('keeps requests by number and ID, and forgets the oldest when there are too many', () => {
  const journal = new RequestJournal();
  for (let n = 1; n <= 20_001; n += 1) journal.open(request(`r${n}`));
  expect(journal.requestCount).toBe(20_001);
  expect(journal.listRequests().length).toBe(15_001);
  expect(journal.listRequests()[0]?.number).toBe(5001);
  expect([journal.find('r5000'), journal.find('r5001')?.number]).toEqual([undefined, 5001]);
});

it('clear forgets requests and complaints but continues counting', () => {
  const journal = new RequestJournal();
  journal.open(request('a'));
  journal.complain({ kind: 'cookie', requestId: 'a', message: 'm' });
  journal.clear();
  expect([journal.listRequests(), journal.listComplaints(), journal.find('a')]).toEqual([[], [], undefined]);
  expect(journal.open(request('b')).number).toBe(2);
});
