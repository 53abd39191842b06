import { afterAll } from 'vitest';
import { openBench } from './engine-session.ts';

/** A session of a profile that has synced, shared by all tests of the file; closed after the last of them. */
export async function openSynced(...sandboxArgs: string[]) {
  const bench = await openBench(...sandboxArgs);
  const profileDir = await bench.newProfile();
  const session = await bench.open(profileDir);
  afterAll(async () => {
    await session.close();
    await bench.close();
  });
  await bench.sync(session);
  return { bench, session, profileDir, workspaceId: (await session.findWorkspace()).id };
}
