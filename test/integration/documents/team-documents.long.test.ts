import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { firstDocumentPart } from '../../../src/team-protocol/document-parts.ts';
import { createLog } from '../../../src/team-server/log.ts';
import { startServer } from '../../../src/team-server/server.ts';
import { openSqliteDatabase } from '../../../src/team-server/store/sqlite-database.ts';
import { runUntilKilled } from '../../support/killed-program.ts';
import { testBytes } from '../../support/seeds.ts';
import { openTeamSessions } from '../../support/team-sessions.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';

const program = fileURLToPath(new URL('../../support/team-sync-program.ts', import.meta.url));
const records = ['--members', '4', '--claims', '12', '--seed', '49'] as const;

test('if the sender is killed at any moment after its event, a document arrives complete, and each part once', async () => {
  const folder = makeTempFolder();
  const team = await openTeamSessions(folder, records, { limits: { documentBytes: 1 } });
  const { bench, here, there, empty, workspaceId, all, folders } = team;
  const [claimId = 0] = all;
  const bytes = Buffer.from(testBytes(5_900_000));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await here.call('documents:attach', {
    ...{ workspaceId, claimId, document: 'receipt', name: 'receipt.bin', file: bytes.toString('base64') },
  });
  for (const session of [here, there]) await session.call('team:sync', { workspaceId });
  const read = () => there.call('documents:read', { workspaceId, claimId, sha256 });
  await expect(read()).rejects.toMatchObject({ code: 'document.notArrived' });
  await here.close();
  await team.server.close();
  const database = await openSqliteDatabase(folder);
  const server = await startServer({
    ...{ database, port: team.server.port, tls: null, origin: null, metricsToken: null },
    log: createLog({ write: () => true }, Date.now),
  });
  try {
    const count = async (): Promise<number> => {
      const [row] = await database.all<{ parts: number }>(
        'SELECT count(*) AS parts FROM parts WHERE part>=$1',
        [firstDocumentPart],
      );
      return Number(row?.parts);
    };
    const ends = new Set<number>();
    let isDone = false;
    for (let killAfterMs = 100; !isDone; killAfterMs += 150) {
      ({ isDone } = await runUntilKilled([program, folders[0] as string], killAfterMs));
      ends.add(await count());
    }
    expect(await count()).toBe(6);
    expect(ends.size).toBeGreaterThan(1);
    expect(Buffer.from((await read()).file, 'base64').equals(bytes)).toBe(true);
  } finally {
    for (const session of [there, empty]) await session.close();
    await server.close();
    await bench.close();
  }
});
