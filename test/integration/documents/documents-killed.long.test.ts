import { createHash } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bench, openBench } from '../../support/engine-session.ts';
import { runUntilKilled } from '../../support/killed-program.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

type Session = Awaited<ReturnType<Bench['open']>>;
const supportFile = (name: string) => fileURLToPath(new URL(`../../support/${name}`, import.meta.url));
const program = ['--import', supportFile('kill-at-step.ts'), supportFile('document-program.ts')];

let bench: Bench;
let filled: string;
let workspaceId: string;
let claimId: number;
let otherId: number;
let memberId: number;
/** A member's claim has `kept`, and so has another claim; the member's claim alone has `removed`. */
const bytes = {
  kept: Buffer.from('Receipt that two claims have'),
  removed: Buffer.from('Receipt of the member alone'),
  attached: Buffer.from('Receipt that is attached while the process is killed'),
};
const sha256Of = (of: keyof typeof bytes) => createHash('sha256').update(bytes[of]).digest('hex');
const attach = (session: Session, id: number, of: keyof typeof bytes) =>
  session.call('documents:attach', {
    ...{ workspaceId, claimId: id, document: 'receipt', name: `${of}.txt` },
    file: bytes[of].toString('base64'),
  });
const read = async (session: Session, id: number, of: keyof typeof bytes) => {
  const { file } = await session.call('documents:read', { workspaceId, claimId: id, sha256: sha256Of(of) });
  return Buffer.from(file, 'base64').toString();
};
const namesOf = async (session: Session, id: number) =>
  (await session.call('reviews:get', { workspaceId, claimId: id })).documents.map(({ name }) => name);
const filesOf = (profileDir: string) => readdirSync(join(profileDir, 'documents'));

beforeAll(async () => {
  bench = await openBench('--members', '8', '--claims', '40', '--seed', '49');
  filled = await bench.newProfile();
  const session = await bench.open(filled);
  await bench.sync(session);
  workspaceId = (await session.findWorkspace()).id;
  const claims = (await bench.readAll(session, 'claims')) as {
    id: number;
    members: { id: number }[] | null;
  }[];
  const claim = claims.find(({ members }) => members?.length === 1);
  claimId = claim?.id as number;
  memberId = claim?.members?.[0]?.id as number;
  otherId = claims.find(({ members }) => members?.every(({ id }) => id !== memberId))?.id as number;
  await session.close();
});
afterAll(() => bench.close());

/** Runs the program on copies of a profile, killed before its first step, its second one, and so on until it ends. */
async function killAtEveryStep(
  from: string,
  args: readonly string[],
  check: (session: Session, profileDir: string, isDone: boolean) => Promise<void>,
): Promise<number> {
  for (let step = 1; ; step += 1) {
    const profileDir = `${from}-${step}`;
    await cp(from, profileDir, { recursive: true });
    const { isDone } = await runUntilKilled([...program, profileDir, String(step), ...args], null);
    const session = await bench.open(profileDir);
    await check(session, profileDir, isDone);
    await session.close();
    await rm(profileDir, { recursive: true, force: true });
    if (isDone) return step;
  }
}

test('if attaching is killed at any step, the document is complete or absent, and no other file is left', async () => {
  const path = join(makeTempFolder(), 'receipt.txt');
  writeFileSync(path, bytes.attached);
  const outcomes = new Set<string>();
  const steps = await killAtEveryStep(
    filled,
    ['attach', String(claimId), path],
    async (session, profileDir, isDone) => {
      const names = await namesOf(session, claimId);
      outcomes.add(`${names.length}`);
      if (isDone) expect(names).toEqual(['receipt.txt']);
      if (names.length > 0) expect(await read(session, claimId, 'attached')).toBe(bytes.attached.toString());
      if (existsSync(join(profileDir, 'documents')))
        expect(filesOf(profileDir).map(({ length }) => length)).toEqual(names.map(() => 64));
      await attach(session, claimId, 'attached');
      expect(await read(session, claimId, 'attached')).toBe(bytes.attached.toString());
      expect(filesOf(profileDir)).toHaveLength(1);
    },
  );
  expect([...outcomes].sort()).toEqual(['0', '1']);
  // The marker, the file and the folder each have steps of their own, and so has the event.
  expect(steps).toBeGreaterThan(12);
});

test('if a removal is killed at any step, others’ documents are kept, and what was removed is removed in the end', async () => {
  const from = `${filled}-documents`;
  await cp(filled, from, { recursive: true });
  const before = await bench.open(from);
  await attach(before, claimId, 'kept');
  await attach(before, otherId, 'kept');
  await attach(before, claimId, 'removed');
  await before.close();
  const steps = await killAtEveryStep(
    from,
    ['remove', String(memberId)],
    async (session, profileDir, isDone) => {
      expect(await read(session, otherId, 'kept')).toBe(bytes.kept.toString());
      const names = await namesOf(session, claimId).catch(({ code }) => {
        expect(code).toBe('record.unknown');
        return [];
      });
      if (isDone) expect(names).toEqual([]);
      if (names.length > 0) expect(await read(session, claimId, 'removed')).toBe(bytes.removed.toString());
      await session
        .call('data:remove', { workspaceId, removal: { kind: 'member', memberId }, typed: String(memberId) })
        .catch(() => undefined);
      expect(filesOf(profileDir)).toHaveLength(1);
      expect(await read(session, otherId, 'kept')).toBe(bytes.kept.toString());
    },
  );
  expect(steps).toBeGreaterThan(1);
});

test('if Remove is killed at any step, the document is complete or absent, and no other file is left', async () => {
  const from = `${filled}-to-erase`;
  await cp(filled, from, { recursive: true });
  const before = await bench.open(from);
  await attach(before, claimId, 'kept');
  await attach(before, otherId, 'kept');
  await attach(before, claimId, 'removed');
  await attach(before, claimId, 'removed');
  await before.close();
  const all = filesOf(from);
  for (const of of ['kept', 'removed'] as const) {
    const outcomes = new Set<number>();
    const steps = await killAtEveryStep(
      from,
      ['erase', String(claimId), sha256Of(of)],
      async (session, profileDir, isDone) => {
        expect(await read(session, otherId, 'kept')).toBe(bytes.kept.toString());
        const isThere = (await namesOf(session, claimId)).includes(`${of}.txt`);
        outcomes.add(isThere ? 1 : 0);
        if (isDone) expect(isThere).toBe(false);
        if (isThere) expect(await read(session, claimId, of)).toBe(bytes[of].toString());
        const left = of === 'kept' || isThere ? all.length : all.length - 1;
        for (const folder of [profileDir, join(profileDir, 'backups')])
          expect(filesOf(folder).map(({ length }) => length)).toEqual(Array(left).fill(64));
      },
    );
    expect(outcomes.size).toBe(2);
    expect(steps).toBeGreaterThan(4);
  }
});
