import { existsSync } from 'node:fs';
import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { exportColumnsOf } from '../../../src/contract/export-columns.ts';
import { exportList } from '../../../src/main/shells/cli/commands/export.ts';
import { openBench } from '../../support/engine-session.ts';
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

  test('on a full disk a person opens the profile, reads, exports elsewhere, and removes a workspace', async () => {
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
}
