import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sideFilesOf } from '../../../src/main/engine/store/file/side-files.ts';
import { createJournal } from '../../../src/main/engine/store/user-data/journal.ts';
import { revoke } from '../../../src/main/engine/team/change-members.ts';
import { admit, exchangeAll } from '../../support/open-team.ts';
import { ownerRole, postgresPrograms, serverRole, startPostgres } from '../../support/postgres.ts';
import { findInMemory } from '../../support/process-memory.ts';
import { decisionOf } from '../../support/review-files.ts';
import { findPlain, formsOf, listFiles, readAllDecrypted } from '../../support/scan-profile.ts';
import { type Member, openMember } from '../../support/team-member.ts';
import { removeAs } from '../../support/team-removal.ts';
import { runTeamServer, startTeamServer } from '../../support/team-server-process.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

// Names, notes, amounts and claim IDs are planted in a day's work of a team. Afterwards they are looked for wherever the
// server could have put them: its database's files and dump, its log, and the memory of its process while it runs.

const postgres = await startPostgres();
/** More than a part of an entry has. */
const claimIds = Array.from({ length: 2_600 }, (_none, index) => 735_190_000 + index);
const planted = ['Zqxnote', 'Zqxpatient', 'Zqxnumber', 'Zqxaccount', 'Zqxtag', '735190003', '735190777'];
/** The server knows the emails of members: that they are found shows that the search finds. */
const emails = ['ana@example.com', 'ben@example.com'];

/** The claim of a member who is removed for the team. */
const removedId = claimIds[6] as number;

/** Which texts are in these bytes, in any encoding, also as a dump writes bytes. */
const findIn = (bytes: Buffer, texts: readonly string[]): string[] => [
  ...findPlain(bytes, texts),
  ...texts.filter((text) => bytes.includes(Buffer.from(text).toString('hex'))),
];
const inBase64 = (text: string): string[] =>
  formsOf(text)
    .slice(3)
    .map((form) => form.toString('latin1'));

/**
 * Simulates a day of three members: acts of every kind, one in parts, a removed member, a new team key, a
 * removal for the team. Returns the encrypted contents that it made the server delete, and its folder.
 */
async function workOn(origin: string, setupCode: string) {
  const folder = makeTempFolder();
  const open = (name: string): Member => openMember(folder, name, { now: Date.now }, { claimIds: [] });
  const members = ['ana', 'ben', 'cleo'].map(open) as [Member, Member, Member];
  const [ana, ben, cleo] = members;
  for (const { opened } of members)
    opened.ingest(
      'claims',
      claimIds.map((id) => ({
        id,
        status: 'Processed',
        patient_name: `Zqxpatient ${id}`,
        check_number: 'Zqxnumber',
        ...(id === removedId ? { members: [{ id: 7, first_name: 'Zqx', last_name: 'Zqxpatient' }] } : {}),
      })),
    );
  await ana.create(origin, setupCode);
  await ana.exchange();
  await admit(ana, ben, 'admin');
  await admit(ana, cleo);
  const [first = 0, second = 0] = claimIds.slice(3);
  await ana.act([first], decisionOf('eligible'));
  await ben.act([second], { kind: 'note', text: 'Zqxnote: asked twice' });
  await ben.act([first, second], { kind: 'tag', add: ['Zqxtag'], remove: [] });
  await ana.act([first], {
    ...{ kind: 'payment', payment: 'reimbursed', amount: 234_500, day: '2026-11-02', account: 'Zqxaccount' },
  });
  await ana.act(claimIds, { kind: 'flag', isFlagged: true });
  await exchangeAll(members);
  await revoke(ana.ports, await ana.sessionOf(), { email: cleo.email });
  await ben.act([first], { kind: 'note', text: 'Zqxnote: after' });
  await exchangeAll([ana, ben]);
  expect(ana.folds()).toEqual(ben.folds());
  expect(JSON.stringify(await ben.reviews.get('w', first))).toContain('Zqxnote: after');
  await ben.act([removedId], { kind: 'note', text: 'Zqxnote: removed' });
  await exchangeAll([ana, ben]);
  const { client } = await ana.sessionOf();
  const before = await client.entries(0);
  await removeAs(ana, { kind: 'member', memberId: 7 });
  await exchangeAll([ana, ben]);
  const after = new Map((await client.entries(0)).map((entry) => [entry.number, entry]));
  const deleted = before.filter(({ number }) => after.get(number)?.head.length === 0).map(({ head }) => head);
  // The note, and the flags of all claims, of which the others come with the removal.
  expect(deleted).toHaveLength(2);
  for (const member of [ana, ben]) {
    expect(member.folds()).toHaveLength(claimIds.length - 1);
    // Neither a row nor a free page of a computer's files has it.
    for (const path of listFiles(folder).filter((one) => one.endsWith('.db')))
      expect(readAllDecrypted(path, member.key), path).not.toContain('zqxnote: removed');
    const journal = createJournal(sideFilesOf(member.path).journal, member.key).read();
    expect(JSON.stringify(journal.entries)).not.toContain('Zqxnote: removed');
  }
  return deleted.map((bytes) => Buffer.from(bytes));
}

async function expectNoTrace(
  server: Awaited<ReturnType<typeof startTeamServer>>,
  stored: readonly Buffer[],
  deleted: readonly Buffer[],
): Promise<void> {
  for (const bytes of deleted)
    for (const form of [bytes, Buffer.from(bytes.toString('hex'))])
      expect(stored.filter((one) => one.includes(form))).toEqual([]);
  expect(await findInMemory(server.pid, [...planted, ...planted.flatMap(inBase64)])).toEqual([]);
  expect((await findInMemory(server.pid, emails)).sort()).toEqual(emails);
  expect(stored.flatMap((bytes) => findIn(bytes, planted))).toEqual([]);
  expect(new Set(stored.flatMap((bytes) => findIn(bytes, emails)))).toEqual(new Set(emails));
  await server.end();
  const log = server.log.join('\n');
  expect(log).toContain('ending');
  expect(findIn(Buffer.from(log), [...planted, ...emails])).toEqual([]);
}

const codeOf = async (...store: string[]): Promise<string> => {
  const { stdout } = await runTeamServer('code', ...store);
  return (JSON.parse(stdout) as { setupCode: string }).setupCode;
};

it('keeps nothing of what a team writes in the files of a folder, in its log or in memory', async () => {
  const data = join(makeTempFolder(), 'data');
  const setupCode = await codeOf('--data', data);
  const server = await startTeamServer('--data', data);
  const deleted = await workOn(server.origin, setupCode);
  await expectNoTrace(
    server,
    listFiles(data).map((path) => readFileSync(path)),
    deleted,
  );
});

it('keeps nothing of it in PostgreSQL either, or in a dump', async () => {
  const name = await postgres.createDatabase();
  const store = ['--database', postgres.address(serverRole, name)];
  const server = await startTeamServer(...store);
  const deleted = await workOn(server.origin, await codeOf(...store));
  // The owner of the tables keeps removed contents for 30 days.
  await postgres.asSuperuser(name, 'DELETE FROM removed_content');
  // PostgreSQL overwrites deleted rows when it vacuums, and its own log later.
  await postgres.asSuperuser(name, 'VACUUM FULL');
  await postgres.asSuperuser(name, 'CHECKPOINT');
  // A cache of its catalogs is made anew at any time.
  const files = listFiles(join(postgres.folder, 'data')).filter((path) => !path.endsWith('pg_internal.init'));
  const ofLog = files.filter((path) => path.includes('pg_wal')).map((path) => readFileSync(path));
  expect(ofLog.flatMap((bytes) => findIn(bytes, planted))).toEqual([]);
  const stored = [
    ...files.filter((path) => !path.includes('pg_wal')).map((path) => readFileSync(path)),
    execFileSync(
      join(postgresPrograms, 'pg_dump'),
      ['--inserts', `--dbname=${postgres.address(ownerRole, name)}`],
      { maxBuffer: 1e9 },
    ),
  ];
  await expectNoTrace(server, stored, deleted);
});
