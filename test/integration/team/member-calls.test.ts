import { expect, test } from 'vitest';
import { subjectOfMember } from '../../../src/rules/review/member-subject.ts';
import type { RemovalRule } from '../../../src/team-protocol/removal.ts';
import { exchangeAll, openTeam } from '../../support/open-team.ts';
import { workspaceId } from '../../support/review-computer.ts';
import type { Member } from '../../support/team-member.ts';
import { claimsOfTwo, removeAs } from '../../support/team-removal.ts';

const people = [7, 8].map((id) => ({
  ...{ id, first_name: 'Zqx', last_name: `Member ${id}` },
  employer: { id: id * 10, name: `Employer ${id}` },
}));

async function openWorking() {
  const { members } = await openTeam('ana', 'ben', 'cleo');
  for (const { opened } of members) {
    opened.ingest('members', people);
    opened.ingest('claims', claimsOfTwo);
  }
  return members as [Member, Member, Member];
}
const logCall = (by: Member, memberId: number, text: string) =>
  by.act([subjectOfMember(memberId)], { kind: 'note', text });
const callsOf = async ({ reviews }: Member, memberId: number) =>
  (await reviews.get(workspaceId, subjectOfMember(memberId))).notes;
const textsOf = async (member: Member, memberId: number) =>
  (await callsOf(member, memberId)).map(({ text }) => text).sort();

test('colleagues see a call with its linked claims, and only its author can correct it', async () => {
  const [ana, ben, cleo] = await openWorking();
  await logCall(ana, 7, 'Asked about a denial.');
  expect(ana.unsent()).toBe(1);
  await logCall(ben, 7, 'Called back.');
  await exchangeAll([ana, ben, cleo]);
  expect(await textsOf(cleo, 7)).toEqual(['Asked about a denial.', 'Called back.']);
  const call = (await callsOf(cleo, 7)).find(({ author }) => author === 'ana@example.com');
  expect(call).toMatchObject({ claimIds: [4, 2, 1] });
  expect((await cleo.reviews.get(workspaceId, 4)).notes).toEqual(
    (await callsOf(cleo, 7)).map((note) => ({ ...note, memberId: 7 })),
  );
  const noteId = call?.id as string;
  await expect(ben.act([subjectOfMember(7)], { kind: 'deleteNote', noteId })).rejects.toMatchObject({
    code: 'review.notYours',
  });
  await ana.act([subjectOfMember(7)], { kind: 'editNote', noteId, text: 'Asked about two denials.' });
  await exchangeAll([ana, ben, cleo]);
  for (const one of [ana, ben, cleo])
    expect(await textsOf(one, 7)).toEqual(['Asked about two denials.', 'Called back.']);
});

test('a call can be corrected and deleted even if its member is no longer here', async () => {
  const [ana] = await openWorking();
  await logCall(ana, 7, 'First');
  await logCall(ana, 7, 'Second');
  const [first, second] = (await callsOf(ana, 7)).map(({ id }) => id) as [string, string];
  ana.opened.database.prepare('DELETE FROM members WHERE id=7').run();
  await ana.act([subjectOfMember(7)], { kind: 'editNote', noteId: first, text: 'Corrected' });
  await ana.act([subjectOfMember(7)], { kind: 'deleteNote', noteId: second });
  expect(await textsOf(ana, 7)).toEqual(['Corrected']);
  await expect(logCall(ana, 7, 'Third')).rejects.toMatchObject({ code: 'record.unknown' });
});

test.each<RemovalRule>([
  { kind: 'member', memberId: 7 },
  { kind: 'employer', employerId: 70 },
])(
  'a removal for the team, %j, removes calls with the member, including one that was not sent',
  async (rule) => {
    const [ana, ben, cleo] = await openWorking();
    await logCall(ana, 7, 'Zqxcall of seven');
    await logCall(ben, 8, 'Zqxcall of eight');
    await exchangeAll([ana, ben, cleo]);
    await logCall(cleo, 7, 'Zqxaway');
    await removeAs(ana, rule);
    await exchangeAll([ana, ben, cleo]);
    for (const one of [ana, ben, cleo]) {
      expect(await textsOf(one, 8), one.name).toEqual(['Zqxcall of eight']);
      expect(await textsOf(one, 7), one.name).toEqual([]);
      expect(one.unsent(), one.name).toBe(0);
      const history = JSON.stringify(await one.history());
      for (const removed of ['Zqxcall of seven', 'Zqxaway']) expect(history, one.name).not.toContain(removed);
    }
  },
);
