import { expect, test } from 'vitest';
import { exchangeAll, openTeam } from '../../support/open-team.ts';
import { workspaceId } from '../../support/review-computer.ts';
import { decisionOf, entryOf } from '../../support/review-files.ts';
import type { Member } from '../../support/team-member.ts';

/** Reads a version of claim 1 from the claims service, as a sync does. */
async function sync({ opened, reviews }: Member, version: number): Promise<void> {
  const at = `2026-01-0${version}T10:00:00.000Z`;
  opened.ingest('claims', [{ id: 1, status: 'Processed', amount_paid: version, modifieddate: at }]);
  opened.write.markClaimsRead(at);
  await reviews.updateAfterSync(workspaceId);
}
const get = ({ reviews }: Member) => reviews.get(workspaceId, 1);
const reopenings = async (member: Member) =>
  (await member.history()).filter(({ fact }) => fact.kind === 'reopened');

/** Ana and Ben have the same record, which Ana has decided. */
async function openDecided() {
  const { members } = await openTeam('ana', 'ben', 'mallory');
  const [ana, ben, mallory] = members as [Member, Member, Member];
  for (const member of members) await sync(member, 5);
  const since = await ana.act([1], decisionOf('eligible'));
  await exchangeAll(members);
  return { members, ana, ben, mallory, since };
}

test('a colleague’s reopening shows who found it until the record here shows it, and then is one for all', async () => {
  const { members, ana, ben } = await openDecided();
  await sync(ben, 6);
  await exchangeAll(members);
  expect(await get(ben)).toMatchObject({ state: 'todo', foundBy: null });
  expect(await get(ana)).toMatchObject({
    state: 'done',
    outcome: 'eligible',
    changedAt: null,
    foundBy: { author: ben.email },
  });
  await sync(ana, 6);
  expect(await get(ana)).toMatchObject({ state: 'todo', foundBy: null });
  await exchangeAll(members);
  for (const member of [ana, ben]) {
    expect(await reopenings(member)).toMatchObject([{ author: ben.email }]);
    expect(member.folds()).toEqual(ben.folds());
  }
  // Also where the record here is newer than the one that was found.
  const [, , cleo] = members as [Member, Member, Member];
  await sync(cleo, 7);
  expect(await get(cleo)).toMatchObject({ state: 'todo', foundBy: null });
});

test('a reopening for a change that the records here lack counts only on its author’s computer', async () => {
  const { members, ana, ben, mallory, since } = await openDecided();
  const [known] = mallory.opened.read.readReviewedClaims({ claimIds: [1] });
  const values = JSON.parse(known?.reviewed ?? '{}') as { fields: object; record: object };
  const forged = { ...values, fields: { ...values.fields, amount_paid: 99 } };
  const forge = async (digest: string, reviewed: object, detail: object): Promise<void> => {
    mallory.operations.appendReopened({
      ...{ workspaceId, nowMs: mallory.ports.clock.now(), author: mallory.email, receipt: null },
      claims: [
        { claimId: 1, digest, reviewed: JSON.stringify(reviewed), detail: { since, changed: [], ...detail } },
      ],
    });
    await exchangeAll(members);
  };
  // A made-up record is forged, then the record that all have, later one that none can have yet.
  await forge('made-up', forged, { changed: ['amount_paid'] });
  await forge(known?.digest ?? '', values, { changed: ['amount_paid'], responsibility: null });
  for (const member of [ana, ben]) {
    expect(await get(member)).toMatchObject({ state: 'done', outcome: 'eligible', foundBy: null });
    expect((await reopenings(member)).length).toBe(2);
  }
  const record = { modified: '2026-03-01T10:00:00.000Z', readAt: '2026-03-01T10:00:00.000Z', uuid: null };
  await forge('newer', { ...forged, record }, { changed: ['amount_paid'] });
  expect(await get(ana)).toMatchObject({ state: 'done', foundBy: { author: mallory.email } });
  // Later changes by the service reopen the claim as usual.
  await sync(ana, 6);
  await exchangeAll(members);
  expect(await get(ana)).toMatchObject({ state: 'todo', changes: [{ name: 'amount_paid', after: 6 }] });
});

test('no one can take the ID of a colleague’s reopening ahead, and none is by Claimdesk', async () => {
  const { members, ana, ben, mallory } = await openDecided();
  await sync(ben, 6);
  await sync(mallory, 6);
  // Both find the same change; neither can know the other's ID.
  const [ofBen, ofMallory] = [await reopenings(ben), await reopenings(mallory)];
  expect(ofBen[0]?.id).not.toBe(ofMallory[0]?.id);
  expect(ofBen[0]?.author).toBe(ben.email);
  await mallory.exchange();
  await ben.exchange();
  await ana.exchange();
  expect(ben.unsent()).toBe(0);
  await sync(ana, 6);
  expect((await reopenings(ana)).length).toBe(2);
  await exchangeAll(members);
  for (const member of members) expect(member.folds()).toEqual(ana.folds());
  const byNobody = entryOf('x', { kind: 'reopened' }, { author: 'Claimdesk' });
  mallory.operations.importReviews({ workspaceId, nowMs: mallory.ports.clock.now(), entries: [byNobody] });
  mallory.file.database.prepare("UPDATE stored_events SET is_imported=0 WHERE id='x'").run();
  await exchangeAll(members);
  expect((await reopenings(ana)).map(({ author }) => author)).not.toContain('Claimdesk');
  expect(mallory.unsent()).toBe(0);
});
