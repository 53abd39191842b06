import { expect, onTestFinished, test } from 'vitest';
import type { ReviewAct } from '../../../src/rules/review/event-kinds.ts';
import { exchangeAll, openTeam } from '../../support/open-team.ts';
import { openComputer, workspaceId } from '../../support/review-computer.ts';
import type { Member } from '../../support/team-member.ts';
import { claimsOfTwo } from '../../support/team-removal.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';

const declined = {
  ...{ kind: 'decision', state: 'done', outcome: 'notEligible' },
  ...{ onWhom: null, reason: null, reminder: null },
} as const satisfies ReviewAct;
const received = {
  ...{ kind: 'appeal', direction: 'received', asker: 'member', level: 1 },
  ...{ day: '2026-02-01', due: null, reason: 'The visit was preventive.' },
} as const satisfies ReviewAct;
const answerOf = (appealId: string, more: Partial<Extract<ReviewAct, { kind: 'answerAppeal' }>> = {}) =>
  ({
    ...{ kind: 'answerAppeal', appealId, answer: 'upheld', day: '2026-03-01' },
    ...{ letterDay: null, reason: 'The plan excludes it.', ...more },
  }) as const satisfies ReviewAct;

function openAlone() {
  let nowMs = Date.parse('2026-03-01T12:00:00Z');
  const { opened, reviews, file } = openComputer(makeTempFolder(), 'ada', { now: () => (nowMs += 1000) });
  onTestFinished(() => file.close());
  opened.ingest(
    'claims',
    [1, 2].map((id) => ({ id, status: 'Processed', patient_responsibility: 50 })),
  );
  const act = (claimId: number, one: ReviewAct) => reviews.act(workspaceId, { claimIds: [claimId] }, one);
  const change = async (claim: object) => {
    opened.ingest('claims', [claim]);
    await reviews.updateAfterSync(workspaceId);
  };
  return { reviews, change, act, get: (claimId: number) => reviews.get(workspaceId, claimId) };
}

test('an appeal is due by the employer’s rules, and its answer reopens the claim if it overturns the decision', async () => {
  const { act, get, reviews } = openAlone();
  await act(1, declined);
  await act(1, received);
  const { appeals } = await get(1);
  const [appeal] = appeals;
  expect(appeal).toMatchObject({ due: '2026-04-02', deciders: ['ada@example.com'], answered: null });
  const id = appeal?.id as string;
  await expect(act(2, answerOf(id))).rejects.toMatchObject({ code: 'appeal.unknown' });
  const { eventId } = await act(1, answerOf(id, { answer: 'overturned' }));
  expect(await get(1)).toMatchObject({ state: 'todo', outcome: null, reason: 'The plan excludes it.' });
  expect((await get(1)).appeals[0]?.answered).toMatchObject({ answer: 'overturned', day: '2026-03-01' });
  await expect(act(1, answerOf(id))).rejects.toMatchObject({ code: 'appeal.unknown' });
  await reviews.undo(workspaceId, eventId as string);
  expect(await get(1)).toMatchObject({ state: 'done', outcome: 'notEligible' });
  expect((await get(1)).appeals).toEqual(appeals);
  await act(1, answerOf(id));
  expect(await get(1)).toMatchObject({ state: 'done', outcome: 'notEligible' });
});

test('a decision that was overturned is not offered again after the claim changed', async () => {
  const { act, get, change } = openAlone();
  await act(1, declined);
  await act(1, received);
  const id = (await get(1)).appeals[0]?.id as string;
  await expect(act(1, answerOf(id, { day: '2026-01-31' }))).rejects.toMatchObject({ code: 'usage.invalid' });
  await act(1, answerOf(id, { answer: 'partly' }));
  await change({ id: 1, status: 'Processed', patient_responsibility: 80 });
  expect(await get(1)).toMatchObject({ state: 'todo', changedAt: expect.any(String), ifKept: null });
});

test('the carrier’s answer changes no decision, and impossible days are refused', async () => {
  const { act, get } = openAlone();
  const sent = { ...received, direction: 'sent', asker: 'us', due: '2026-02-20' } as const;
  await act(1, declined);
  await act(1, sent);
  const id = (await get(1)).appeals[0]?.id as string;
  await act(1, answerOf(id, { answer: 'overturned' }));
  expect(await get(1)).toMatchObject({ state: 'done', outcome: 'notEligible' });
  const code = 'usage.invalid';
  await expect(act(2, { ...sent, due: '2026-01-31' })).rejects.toMatchObject({ code });
  await expect(act(2, { ...received, asker: 'us' })).rejects.toMatchObject({ code });
  await act(2, received);
  const second = (await get(2)).appeals[0]?.id as string;
  await expect(act(2, answerOf(second, { letterDay: '2026-02-27' }))).rejects.toMatchObject({ code });
});

test('in a team, an appeal is answered once, by a member who did not decide the claim', async () => {
  const { members } = await openTeam('ana', 'ben', 'cleo');
  const [ana, ben, cleo] = members as [Member, Member, Member];
  for (const { opened } of members) opened.ingest('claims', claimsOfTwo);
  const get = async ({ reviews }: Member) => reviews.get(workspaceId, 1);
  await ana.act([1], declined);
  await exchangeAll([ana, ben, cleo]);
  await ben.act([1], received);
  await exchangeAll([ana, ben, cleo]);
  const id = (await get(ana)).appeals[0]?.id as string;
  await expect(ana.act([1], answerOf(id))).rejects.toMatchObject({ code: 'appeal.decidedByYou' });
  await ben.act([1], answerOf(id));
  await cleo.act([1], answerOf(id, { answer: 'overturned' }));
  await exchangeAll([ana, ben, cleo]);
  const [first, ...others] = await Promise.all([ana, ben, cleo].map(get));
  expect(first?.appeals[0]?.answered).not.toBeNull();
  for (const other of others) expect(other.appeals).toEqual(first?.appeals);
});
