import { existsSync } from 'node:fs';
import { cp, readdir, readFile, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { exportColumnsOf } from '../../../src/contract/export-columns.ts';
import { exportList } from '../../../src/main/shells/cli/commands/export.ts';
import { openBench } from '../../support/engine-session.ts';
import { testBytes } from '../../support/seeds.ts';
import { canMountSmallDisk, mountSmallDisk } from '../../support/small-disk.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

// Mounting a small disk takes rights that some containers withhold.
if (canMountSmallDisk()) {
  const bench = await openBench('--members', '30', '--claims', '400', '--seed', '5');
  const disk = mountSmallDisk(40);
  afterAll(async () => {
    disk.remove();
    await bench.close();
  });

  test('on a full disk, a user can open the profile, read, export elsewhere, and remove a workspace', async () => {
    const profileDir = join(disk.path, 'profile');
    await cp(await bench.newProfile(), profileDir, { recursive: true });
    const before = await bench.open(profileDir);
    await bench.sync(before);
    const { id: workspaceId } = await before.findWorkspace();
    const [claim] = await bench.readAll(before, 'claims');
    await before.call('reviews:act', {
      workspaceId,
      target: { claimIds: [claim?.id as number] },
      act: { kind: 'decision', state: 'done', outcome: 'eligible' },
    });
    await before.close();
    disk.fill();

    const session = await bench.open(profileDir);
    expect(existsSync(join(profileDir, 'spare'))).toBe(false);
    expect(await bench.readAll(session, 'claims')).toHaveLength(400);
    const members = await bench.readAll(session, 'members');
    const outPath = join(makeTempFolder(), 'claims.csv');
    const source = { kind: 'list' as const, query: { entity: 'claims' as const } };
    await exportList(session, {
      workspaceId,
      format: 'csv',
      source,
      columns: exportColumnsOf(source).map(({ path }) => path),
      reason: 'A test',
      outPath,
      isSsnShown: false,
      onProgress: () => undefined,
    });
    expect((await readFile(outPath, 'utf8')).split('\n').length).toBeGreaterThan(400);

    const memberId = members[0]?.id as number;
    const removing = session.call('data:remove', {
      workspaceId,
      removal: { kind: 'member', memberId },
      typed: String(memberId),
    });
    await expect(removing).rejects.toMatchObject({ code: 'data.noSpace' });
    expect(await bench.readAll(session, 'members')).toHaveLength(members.length);

    await session.call('workspaces:remove', { workspaceId });
    expect(await readdir(join(profileDir, 'workspaces'))).toEqual([]);
    expect((await session.call('workspaces:list', {})).workspaces).toEqual([]);
    expect(await session.call('audit:verify', {})).toMatchObject({ isIntact: true });
    await session.close();
  });

  test('if the disk fills at any step of attaching, the document is complete or absent', async () => {
    const small = mountSmallDisk(40);
    const profileDir = join(small.path, 'profile');
    await cp(await bench.newProfile(), profileDir, { recursive: true });
    const session = await bench.open(profileDir);
    await bench.sync(session);
    const { id: workspaceId } = await session.findWorkspace();
    const claimId = (await bench.readAll(session, 'claims'))[0]?.id as number;
    const attach = (bytes: Buffer, name: string) =>
      session.call('documents:attach', {
        ...{ workspaceId, claimId, document: 'receipt', name },
        file: bytes.toString('base64'),
      });
    const first = testBytes(50_000);
    const shas = [(await attach(first, 'first')).sha256];
    const free = small.fill();
    const filler = join(small.path, 'filler');
    let refused = 0;
    for (let run = 1; run <= 40; run += 1) {
      const bytes = Buffer.concat([Buffer.from([run]), testBytes(60_000)]);
      try {
        shas.push((await attach(bytes, `run ${run}`)).sha256);
      } catch (thrown) {
        expect(thrown).toMatchObject({ code: 'disk.full' });
        refused += 1;
      }
      const { documents } = await session.call('reviews:get', { workspaceId, claimId });
      expect(documents.map(({ sha256 }) => sha256)).toEqual(shas);
      expect((await readdir(join(profileDir, 'documents'))).map(({ length }) => length)).toEqual(
        shas.map(() => 64),
      );
      // A block more each time, so that another step is the one that finds no space.
      const { size } = await stat(filler);
      await truncate(filler, Math.max(0, size - 4_096));
    }
    expect(refused).toBeGreaterThan(10);
    free();
    for (const sha256 of shas) await session.call('documents:read', { workspaceId, claimId, sha256 });
    await attach(Buffer.from('space again'), 'last');
    await session.close();
    small.remove();
  });
}
