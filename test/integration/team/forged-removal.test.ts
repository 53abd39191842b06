import { expect, test } from 'vitest';
import { createLogChecker } from '../../../src/main/engine/team/check-log.ts';
import { scanLog } from '../../../src/main/engine/team/scan-log.ts';
import { postRemovalEntry } from '../../../src/main/engine/team/write-removal.ts';
import { createClaimTags } from '../../../src/team-protocol/claim-tags.ts';
import type { RemovalRest } from '../../../src/team-protocol/removal.ts';
import { admit, exchangeAll, openTeam } from '../../support/open-team.ts';
import { workspaceId } from '../../support/review-computer.ts';
import type { Member } from '../../support/team-member.ts';

/** Ben wrote a note on claims 1 and 2. Ana's program removes claim 1, and changes what is left as she likes. */
async function removeWith(change: (rest: RemovalRest) => RemovalRest, claimId = 1) {
  const opened = await openTeam('ana', 'ben');
  const [ana, ben] = opened.members as [Member, Member];
  await ben.act([1, 2], { kind: 'note', text: 'The member calls back.' });
  await exchangeAll(opened.members);
  const { client, log, team, computer } = await ana.sessionOf();
  const { keys } = log.state.members;
  const { touched } = await scanLog(client, keys, ([id]) => id === 1, null);
  const tagOf = createClaimTags(keys.get(1) as Uint8Array, team);
  const statement = {
    ...{
      removal: '0b7e9a3c-5d11-4f6e-9a6d-2f6a1c3e4b5d',
      rule: { kind: 'member', memberId: 7 },
      reason: 'The contract ended.',
    },
    ...{ at: new Date(client.now()).toISOString(), tags: tagOf(claimId), isLast: true },
  };
  await postRemovalEntry(
    { workspaceId, team, computer, client, log, main: ana.ports.main },
    { act: 'remove', entries: touched.map(({ id }) => id) },
    [
      { text: JSON.stringify(statement), count: 1 },
      { text: JSON.stringify(touched.flatMap(({ rests }) => rests.map(change))), count: 1, claimIds: [2] },
    ],
  );
  await ben.exchange();
  const dora = opened.open('dora');
  await admit(ana, dora);
  const checker = createLogChecker(dora.ports.main);
  for await (const line of (await dora.sessionOf()).readLog('2026-11-20T12:00:00.000Z'))
    await checker.take(line);
  return { ...opened, ana, ben, dora, verdict: checker.end() };
}

const withFields = (rest: RemovalRest, change: (fields: Record<string, string>) => object): RemovalRest => {
  const [fields = '', ...others] = rest.head.lines;
  const changed = JSON.stringify(change(JSON.parse(fields) as Record<string, string>));
  return { ...rest, head: { ...rest.head, lines: [changed, ...others] } };
};

test('what a removal leaves of an event is what its author signed, even on a computer that joins later', async () => {
  const { dora, verdict } = await removeWith((rest) => rest);
  expect(await dora.history()).toMatchObject([
    { fact: { kind: 'note', text: 'The member calls back.' }, signedBy: expect.stringMatching(/^SHA256:/) },
  ]);
  expect(verdict).toMatchObject({ isWhole: true, removals: [{ entries: 1 }] });
});

test('an admin can’t turn a colleague’s note into a payment', async () => {
  const payment = {
    kind: 'payment',
    payment: 'reimbursed',
    amount: 99_990_000,
    day: '2026-11-20',
    account: '',
  };
  const forge = (rest: RemovalRest): RemovalRest =>
    withFields(rest, (fields) => ({ ...fields, kind: 'payment', fact: JSON.stringify(payment) }));
  const { ana, ben, dora, verdict } = await removeWith(forge);
  expect(await dora.history()).toEqual([]);
  expect(dora.folds()).toEqual([]);
  expect(ben.folds().flatMap(({ payments }) => payments)).toEqual([]);
  const { refused, refusedOf } = (await ben.sessionOf()).log.state;
  expect([refused, [...refusedOf]]).toEqual([1, [ana.computer]]);
  expect(verdict).toMatchObject({ isWhole: false, findings: [{ finding: 'removal' }] });
});

test('nor can an admin apply it to another claim, or leave it with an additional claim', async () => {
  for (const line of ['[3,null,null,null]', '[2,null,null,"{}"]']) {
    const { dora, verdict } = await removeWith((rest) => ({
      ...rest,
      claims: { ...rest.claims, lines: [line] },
    }));
    expect(await dora.history()).toEqual([]);
    expect(verdict.isWhole).toBe(false);
  }
});

test('a removal that lists an entry about none of the claims that it removes is detected', async () => {
  const { verdict } = await removeWith((rest) => rest, 99);
  expect(verdict).toMatchObject({ isWhole: false, findings: [{ finding: 'removal' }] });
});
