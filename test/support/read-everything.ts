import { expect } from 'vitest';
import { createJournal } from '../../src/main/engine/store/user-data/journal.ts';
import { readProfileSecret } from './profile-secret.ts';
import { listFiles, readAllDecrypted } from './scan-profile.ts';

/** Everything that can be had from the files of a profile with its keys. */
export async function readEverything(profileDir: string, workspaceId: string): Promise<string> {
  const texts: string[] = [];
  for (const path of listFiles(profileDir)) {
    if (path.endsWith('.db')) {
      const account = path.includes(workspaceId) ? workspaceId : 'ours';
      texts.push(
        readAllDecrypted(path, await readProfileSecret(profileDir, `database-key/{profile}/${account}`)),
      );
    }
    if (path.endsWith('.journal')) {
      const key = await readProfileSecret(profileDir, 'database-key/{profile}/ours');
      texts.push(JSON.stringify(createJournal(path, key).read().entries).toLowerCase());
    }
    expect(path, 'nothing unreadable lies about').not.toMatch(/kept-aside|\.next|\.tmp$/);
  }
  return texts.join('\n');
}
