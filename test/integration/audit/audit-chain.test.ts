import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { opened, openTestAudit, revealed } from '../../support/audit-log.ts';

/** Six entries, the third and the sixth of acts that anchor. */
async function givenLog() {
  const audit = openTestAudit();
  for (const id of [1, 2, 3, 4, 5, 6]) await audit.log.append(id % 3 === 0 ? revealed(id) : opened(id));
  return audit;
}
const keptOf = async ({ anchors }: { anchors: { get(account: string): Promise<Buffer | null> } }) =>
  JSON.parse((await anchors.get('audit-anchor/p'))?.toString('utf8') ?? 'null') as { seq: number } | null;

test('entries are chained under a key of the profile, say whose account it was, and are found intact', async () => {
  const audit = await givenLog();
  const { entries, total } = await audit.log.list({ offset: 0, limit: 10 });
  expect([total, entries.at(-1)?.actor]).toEqual([6, 'dana']);
  expect(entries.every(({ hash }) => /^hmac:[0-9a-f]{64}$/.test(hash))).toBe(true);
  expect(await audit.log.verify()).toEqual({
    isIntact: true,
    entries: 6,
    from: 1,
    firstBad: null,
    reason: null,
  });
  expect((await audit.secrets.get('audit-key/p'))?.length).toBe(32);
});

test.each<[string, string, string, number]>([
  ['an altered entry', "UPDATE audit SET details='{}' WHERE seq=2", 'altered', 2],
  ['another actor', "UPDATE audit SET actor='kim' WHERE seq=4", 'altered', 4],
  ['an entry taken out', 'DELETE FROM audit WHERE seq=3', 'missing', 3],
  ['the oldest taken out', 'DELETE FROM audit WHERE seq<3', 'missing', 1],
  ['the end cut off', 'DELETE FROM audit WHERE seq>4', 'endMissing', 5],
  ['everything taken out', 'DELETE FROM audit', 'logMissing', 1],
  [
    'entries numbered again',
    'DELETE FROM audit WHERE seq=3; UPDATE audit SET seq=seq-1 WHERE seq>3',
    'altered',
    3,
  ],
])('%s is detected', async (_name, sql, reason, firstBad) => {
  const audit = await givenLog();
  await audit.kill();
  audit.tamper(sql);
  expect(await audit.log.verify()).toMatchObject({ isIntact: false, reason, firstBad });
});

test('a chain that was made again without the key is noticed', async () => {
  const audit = await givenLog();
  await audit.kill();
  const hash = createHash('sha256').update('1').digest('hex');
  audit.tamper(
    'DELETE FROM audit',
    `INSERT INTO audit (seq, at, action, details, hash)
     VALUES (1, '2026-01-01T00:00:00.000Z', 'desk.locked', '{}', '${hash}')`,
  );
  writeFileSync(audit.anchorPath, JSON.stringify({ seq: 1, hash }));
  expect(await audit.log.verify()).toMatchObject({ isIntact: false, reason: 'altered', firstBad: 1 });
});

test('an older copy of the whole profile is told by the anchor in the keychain, however much is written after it', async () => {
  const audit = await givenLog();
  await audit.close();
  const copy = join(audit.folder, 'copy');
  const names = ['ours.db', 'ours.db-wal', 'audit-anchor.json', 'ours.db.journal', 'ours.db.marks'];
  const all = (from: string, to: string): void => {
    for (const name of names) if (existsSync(join(from, name))) cpSync(join(from, name), join(to, name));
  };
  all(audit.folder, copy);
  for (const id of [7, 8, 9]) await audit.log.append(revealed(id));
  await audit.close();
  rmSync(join(audit.folder, 'ours.db-wal'), { force: true });
  all(copy, audit.folder);
  expect(await audit.log.verify()).toMatchObject({ isIntact: false, reason: 'endMissing', firstBad: 7 });
  // Adding as many entries again does not make it look whole, nor does anchoring them.
  for (const id of [7, 8, 9, 10]) await audit.log.append(revealed(id + 100));
  await audit.close();
  expect(await audit.log.verify()).toMatchObject({ isIntact: false, reason: 'altered', firstBad: 9 });
});

test('a deleted log is not intact, nor is one without its anchors or key', async () => {
  const audit = await givenLog();
  await audit.close();
  const key = (await audit.secrets.get('audit-key/p')) as Buffer;
  const kept = (await audit.anchors.get('audit-anchor/p')) as Buffer;
  await audit.anchors.delete('audit-anchor/p');
  expect(await audit.log.verify()).toMatchObject({ isIntact: false, reason: 'anchorMissing', firstBad: 6 });
  // Writing on does not heal it.
  await audit.log.append(revealed(7));
  expect(await audit.log.verify()).toMatchObject({ reason: 'anchorMissing' });
  await audit.anchors.set('audit-anchor/p', kept);
  expect(await audit.log.verify()).toMatchObject({ isIntact: true });
  await audit.kill();
  await audit.secrets.delete('audit-key/p');
  expect(await audit.log.verify()).toMatchObject({ isIntact: false, reason: 'keyMissing', firstBad: 1 });
  await expect(audit.log.append(revealed(8))).rejects.toMatchObject({ code: 'keychain.entryMissing' });
  await audit.secrets.set('audit-key/p', key);
  const note = readFileSync(audit.anchorPath);
  rmSync(audit.anchorPath);
  expect(await audit.log.verify()).toMatchObject({ isIntact: false, reason: 'anchorMissing' });
  writeFileSync(audit.anchorPath, note);
  await audit.kill();
  for (const name of ['ours.db', 'ours.db-wal', 'ours.db-shm', 'ours.db.check', 'audit-anchor.json'])
    rmSync(join(audit.folder, name), { force: true });
  expect(await audit.log.verify()).toMatchObject({ isIntact: false, reason: 'logMissing', entries: 0 });
});

test('the newest entry is anchored before important actions and at the end, not at every entry', async () => {
  const audit = openTestAudit();
  expect(await audit.log.verify()).toMatchObject({ isIntact: true, entries: 0 });
  await audit.log.append(opened(1));
  expect(await keptOf(audit)).toMatchObject({ seq: 0 });
  await audit.log.append(revealed(2));
  expect(await keptOf(audit)).toMatchObject({ seq: 2 });
  await audit.log.append(opened(3));
  expect(await keptOf(audit)).toMatchObject({ seq: 2 });
  await audit.close();
  expect(await keptOf(audit)).toMatchObject({ seq: 3 });
  expect(audit.troubles).toEqual([]);
});

test('after a restore, a user accepts what was found; that is an entry, and the log is verified from there', async () => {
  const audit = await givenLog();
  await audit.close();
  audit.tamper('DELETE FROM audit WHERE seq>3');
  const found = await audit.log.verify();
  expect(found).toMatchObject({ reason: 'endMissing', firstBad: 4 });
  await expect(audit.log.accept({ reason: 'altered', firstBad: 4 })).rejects.toMatchObject({
    code: 'audit.notConfirmed',
  });
  expect(await audit.log.accept(found)).toMatchObject({ isIntact: true, from: 7 });
  const { entries } = await audit.log.list({ offset: 0, limit: 1 });
  expect(entries[0]).toMatchObject({
    seq: 7,
    action: 'audit.accepted',
    actor: 'dana',
    details: { found: 'endMissing', firstBad: 4, entries: 3 },
  });
  await audit.log.append(revealed(8));
  expect(await audit.log.verify()).toMatchObject({ isIntact: true, from: 7, entries: 5 });
  await expect(audit.log.accept(found)).rejects.toMatchObject({ code: 'audit.notConfirmed' });
  await audit.kill();
  audit.tamper("UPDATE audit SET details='{}' WHERE seq=8");
  expect(await audit.log.verify()).toMatchObject({ isIntact: false, reason: 'altered', firstBad: 8 });
});

test('if the key or the whole log was lost, accepting starts a new chain with a key', async () => {
  const audit = await givenLog();
  await audit.close();
  await audit.secrets.delete('audit-key/p');
  const found = await audit.log.verify();
  expect(await audit.log.accept(found)).toMatchObject({ isIntact: true, from: 7 });
  await audit.close();
  for (const name of ['ours.db', 'ours.db-wal', 'ours.db-shm', 'ours.db.journal'])
    rmSync(join(audit.folder, name), { force: true });
  rmSync(join(audit.folder, 'backups'), { recursive: true, force: true });
  rmSync(join(audit.folder, 'ours.db.check'), { force: true });
  rmSync(join(audit.folder, 'ours.db.page1'), { force: true });
  const lost = await audit.log.verify();
  expect(lost.reason).toBe('logMissing');
  expect(await audit.log.accept(lost)).toMatchObject({ isIntact: true, from: 8, entries: 1 });
});

test('entries that a team witnessed reveal a log that was cut back with both of its anchors', async () => {
  const audit = await givenLog();
  const { entries } = await audit.log.list({ offset: 0, limit: 10 });
  const [newest, fourth] = [6, 4].map((seq) => entries.find((one) => one.seq === seq)) as [
    (typeof entries)[number],
    (typeof entries)[number],
  ];
  const cut = JSON.stringify({ seq: fourth.seq, hash: fourth.hash });
  await audit.kill();
  audit.tamper('DELETE FROM audit WHERE seq>4');
  writeFileSync(audit.anchorPath, cut);
  await audit.anchors.set('audit-anchor/p', Buffer.from(cut));
  expect(await audit.log.verify()).toMatchObject({ isIntact: true, entries: 4 });
  await audit.kill();
  const fact = JSON.stringify({ kind: 'computer', audit: { seq: newest.seq, hash: newest.hash } });
  audit.tamper(
    `INSERT INTO team_facts VALUES ('w', 'computer', 3, 'id', '${newest.at}', 'dana', 'c', 'admin', 1, '${fact}')`,
  );
  const found = await audit.log.verify();
  expect(found).toMatchObject({ isIntact: false, reason: 'endMissing', firstBad: 5 });
  // A user accepts it: the next number is above every one that is known anywhere.
  expect(await audit.log.accept(found)).toMatchObject({ isIntact: true, from: 7 });
});
