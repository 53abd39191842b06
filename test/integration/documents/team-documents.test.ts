import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { filePartBytes } from '../../../src/contract/document-procedures.ts';
import type { Session } from '../../../src/main/shells/cli/session.ts';
import { openPostgresDatabase } from '../../../src/team-server/store/postgres-database.ts';
import { openSqliteDatabase } from '../../../src/team-server/store/sqlite-database.ts';
import { serverRole, startPostgres } from '../../support/postgres.ts';
import { findPlain, listFiles } from '../../support/scan-profile.ts';
import { testBytes } from '../../support/seeds.ts';
import { openTeamSessions } from '../../support/team-sessions.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';

const postgres = await startPostgres();
const records = ['--members', '6', '--claims', '24', '--seed', '49'] as const;
const secret = 'Zqxreceipt for a Zqxpatient';
const bytesOf = (length: number, text: string): Buffer =>
  Buffer.concat([Buffer.from(`${secret} ${text}`), testBytes(length), Buffer.from(secret)]);
const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const patience = { timeout: 30_000, interval: 50 };

describe.each([
  [
    'PostgreSQL',
    async () => openPostgresDatabase(postgres.address(serverRole, await postgres.createDatabase())),
  ],
  ['SQLite', async (folder: string) => openSqliteDatabase(folder)],
])('documents of a team on %s', (_name, openDatabase) => {
  test('are sent after their events, opened by bytes elsewhere, limited by the quota, and removed with a claim', async () => {
    const folder = makeTempFolder();
    const database = await openDatabase(folder);
    const team = await openTeamSessions(folder, records, { database, limits: { documentBytes: 4_000_000 } });
    const { bench, here, there, empty, workspaceId, all, server, folders, remove } = team;
    let reopened: Session | null = null;
    const attach = async (session: Session, claimId: number, bytes: Buffer) => {
      expect(bytes.length).toBeLessThan(filePartBytes);
      const file = bytes.toString('base64');
      const sent = { workspaceId, claimId, document: 'receipt', name: 'receipt.bin', file } as const;
      return session.call('documents:attach', sent);
    };
    const read = async (session: Session, claimId: number, bytes: Buffer): Promise<Buffer> => {
      const of = { workspaceId, claimId, sha256: sha256Of(bytes) };
      return Buffer.from((await session.call('documents:read', of)).file, 'base64');
    };
    const documentsOf = async (session: Session) =>
      (await session.call('team:getStatus', { workspaceId }))?.documents;
    const sync = async (...sessions: Session[]): Promise<void> => {
      for (const session of sessions) await session.call('team:sync', { workspaceId });
    };
    const countOn = async (): Promise<number> => {
      const [row] = await database.all<{ count: number }>(
        'SELECT count(*) AS count FROM parts WHERE part>=1000000',
      );
      return Number(row?.count);
    };
    const filesOf = (profile: string): string[] =>
      existsSync(join(profile, 'documents')) ? readdirSync(join(profile, 'documents')) : [];
    try {
      const claims = (await bench.readAll(here, 'claims')) as {
        id: number;
        members: { id: number }[] | null;
      }[];
      const memberId = claims.find(({ members }) => members?.length === 1)?.members?.[0]?.id as number;
      const isOf = ({ members }: (typeof claims)[number]) =>
        members?.some(({ id }) => id === memberId) === true;
      const claimId = claims.find(isOf)?.id as number;
      const otherId = claims.find((claim) => !isOf(claim))?.id as number;
      expect(all).toContain(otherId);

      const first = bytesOf(2_500_000, 'first');
      await attach(here, claimId, first);
      await sync(here, there, empty);
      expect(await documentsOf(here)).toEqual({ unsent: 0, isFull: false });
      expect(await countOn()).toBe(3);
      expect(filesOf(folders[1] as string)).toEqual([]);
      expect((await read(there, claimId, first)).equals(first)).toBe(true);
      expect(filesOf(folders[1] as string)).toHaveLength(1);

      // One part of the second still has room: it is not there until the others are.
      const second = bytesOf(1_900_000, 'second');
      await attach(here, otherId, second);
      await sync(here, there, empty);
      await vi.waitFor(
        async () => expect(await documentsOf(here)).toEqual({ unsent: 1, isFull: true }),
        patience,
      );
      expect(await countOn()).toBe(4);
      await expect(read(there, otherId, second)).rejects.toMatchObject({ code: 'document.notArrived' });
      expect((await read(here, otherId, second)).equals(second)).toBe(true);

      await remove({ kind: 'member', memberId });
      await sync(here, there, empty);
      expect(await countOn()).toBe(1);
      await vi.waitFor(() => expect(filesOf(folders[1] as string)).toEqual([]), patience);

      // After a restart the rest is sent.
      await here.close();
      reopened = await bench.open(folders[0] as string);
      await sync(reopened);
      await vi.waitFor(
        async () => expect(await documentsOf(reopened as Session)).toEqual({ unsent: 0, isFull: false }),
        patience,
      );
      expect(await countOn()).toBe(2);
      expect((await read(there, otherId, second)).equals(second)).toBe(true);

      // All at once, where that was chosen.
      await empty.call('settings:set', { keepsTeamDocuments: [workspaceId] });
      await sync(empty);
      expect(filesOf(folders[2] as string)).toHaveLength(1);

      // Who attached it removes it, everywhere.
      await reopened.call('documents:remove', { workspaceId, claimId: otherId, sha256: sha256Of(second) });
      await sync(reopened, there, empty);
      for (const profile of folders) await vi.waitFor(() => expect(filesOf(profile)).toEqual([]), patience);

      // Whoever is no member any more gets nothing.
      const third = bytesOf(10_000, 'third');
      await attach(reopened, otherId, third);
      await sync(reopened, there);
      const members = (await there.call('team:listMembers', { workspaceId })).members;
      const own = (await there.call('team:listMembers', { workspaceId })).members.flatMap(
        ({ computers }) => computers,
      );
      expect(members).toHaveLength(1);
      const mine = own.find(({ isThis }) => isThis)?.computer as string;
      await reopened.call('team:revoke', { workspaceId, computer: mine });
      await expect(read(there, otherId, third)).rejects.toMatchObject({ code: 'team.notMember' });

      for (const path of [...folders, folder].flatMap((one) => listFiles(one)))
        expect(findPlain(readFileSync(path), [secret, 'Zqxreceipt', sha256Of(second)]), path).toEqual([]);
      const contents = await database.all<{ content: Uint8Array }>('SELECT content FROM parts');
      for (const { content } of contents) expect(findPlain(Buffer.from(content), [secret])).toEqual([]);
    } finally {
      await reopened?.close();
      await there.close();
      await empty.close();
      if (reopened === null) await here.close();
      await server.close();
      await bench.close();
    }
  }, 300_000);
});
