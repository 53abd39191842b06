import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { exportList } from '../../../src/main/shells/cli/commands/export.ts';
import type { Session } from '../../../src/main/shells/cli/session.ts';
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

  test('on a read-only disk nothing is listed or exported without an audit entry; a copy of the profile opens, and its audit log continues', async () => {
    const profileDir = join(disk.path, 'profile');
    await cp(await bench.newProfile(), profileDir, { recursive: true });
    const before = await bench.open(profileDir);
    await bench.sync(before);
    const { id: workspaceId } = await before.findWorkspace();
    await before.close();
    disk.setReadOnly(true);
    await expect(bench.open(profileDir)).rejects.toMatchObject({ code: 'disk.readOnly' });
    const session = await bench.open(profileDir, { writes: false });
    const auditListed = async (opened: Session) =>
      (await opened.getEngine()).auditListed({
        workspaceId,
        source: { kind: 'list', query: { entity: 'claims' } },
        rows: 50,
        reason: 'A test',
      });
    await expect(auditListed(session)).rejects.toMatchObject({ code: 'disk.readOnly' });
    const outPath = join(await bench.newProfile(), 'claims.csv');
    const exported = exportList(session, {
      workspaceId,
      format: 'csv',
      source: { kind: 'list', query: { entity: 'claims' } },
      columns: ['id'],
      reason: 'A test',
      outPath,
      isSsnShown: false,
      onProgress: () => undefined,
    });
    await expect(exported).rejects.toMatchObject({ code: 'disk.readOnly' });
    expect(existsSync(outPath)).toBe(false);
    await session.close();
    const copyDir = await bench.newProfile();
    await cp(profileDir, copyDir, { recursive: true, force: true });
    const copy = await bench.open(copyDir);
    await auditListed(copy);
    expect(await bench.readAll(copy, 'claims')).toHaveLength(50);
    const { entries } = await copy.call('audit:list', { offset: 0, limit: 5 });
    expect(entries.map(({ action }) => action)).toContain('records.listed');
    expect(await copy.call('audit:verify', {})).toMatchObject({ isIntact: true });
    await copy.close();
  });
}
