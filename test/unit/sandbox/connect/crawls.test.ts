import { expect, it } from 'vitest';
import { SandboxClock } from '../../../../src/sandbox/clock.ts';
import { Crawls, FIRST_CLAIMS } from '../../../../src/sandbox/connect/connect.ts';
import { createDemoDirectory } from '../../../../src/sandbox/connect/demo-directory.ts';
import { Realm } from '../../../../src/sandbox/connect/realm.ts';
import { DEFAULT_SETTINGS } from '../../../../src/sandbox/connect/settings.ts';

function begin() {
  const clock = new SandboxClock(20_777);
  const realm = new Realm('demo', createDemoDirectory(clock));
  const crawls = new Crawls(clock, () => DEFAULT_SETTINGS);
  const person = { userId: 1, memberId: 2, firstName: 'Dana', lastName: 'Reyes' };
  const connection = realm.addConnection(person, 15, 'dana');
  connection.loginProblem = 'valid';
  crawls.begin(connection, realm);
  return { clock, realm, crawls, connection, claims: () => realm.directory.claimsOf(connection.id).count };
}

it('a crawl ends when its time has passed, by the server’s clock', () => {
  const { clock, crawls, connection, claims } = begin();
  clock.setSkewSeconds(29);
  crawls.clockMoved();
  expect([connection.lastCrawlEnd, claims()]).toEqual([null, 0]);
  clock.setSkewSeconds(31);
  crawls.clockMoved();
  expect([connection.lastCrawlEnd, claims()]).toEqual([expect.any(String), FIRST_CLAIMS]);
});

it('a running one continues when another is begun', () => {
  const { clock, realm, crawls, connection, claims } = begin();
  clock.setSkewSeconds(20);
  crawls.begin(connection, realm);
  clock.setSkewSeconds(31);
  crawls.clockMoved();
  expect(claims()).toBe(FIRST_CLAIMS);
});

it('a login that broke in the meantime fetches nothing', () => {
  const { clock, crawls, connection, claims } = begin();
  connection.loginProblem = 'locked';
  clock.setSkewSeconds(31);
  crawls.clockMoved();
  expect([connection.lastCrawlEnd, claims()]).toEqual([null, 0]);
});
