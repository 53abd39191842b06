import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openBench } from '../../support/engine-session.ts';
import { canMountSmallDisk, mountSmallDisk } from '../../support/small-disk.ts';

// Mounting a small disk takes rights that some containers withhold.
if (canMountSmallDisk()) {
  const bench = await openBench('--members', '10', '--claims', '50', '--seed', '5');
  const disk = mountSmallDisk(40);
  afterAll(async () => {
    disk.remove();
    await bench.close();
  });

  test('on a read-only disk nothing is listed without an audit entry; a copy of the profile opens', async () => {
    const profileDir = join(disk.path, 'profile');
    await cp(await bench.newProfile(), profileDir, { recursive: true });
    const before = await bench.open(profileDir);
    await bench.sync(before);
    const { id: workspaceId } = await before.findWorkspace();
    await before.close();
    disk.setReadOnly(true);
    await expect(bench.open(profileDir)).rejects.toMatchObject({ code: 'disk.readOnly' });
    const session = await bench.open(profileDir, { writes: false });
    const listed = (await session.getEngine()).noteListed({
      workspaceId,
      source: { kind: 'list', query: { entity: 'claims' } },
      rows: 50,
      reason: 'A test',
    });
    await expect(listed).rejects.toMatchObject({ code: 'disk.readOnly' });
    await session.close();
    const copyDir = await bench.newProfile();
    await cp(profileDir, copyDir, { recursive: true, force: true });
    const copy = await bench.open(copyDir);
    expect(await bench.readAll(copy, 'claims')).toHaveLength(50);
    await copy.close();
  });
}
