/**
 * Runs inside a session bus: rotates once to count the acts, then kills a rotation at every act and resumes it,
 * each in a profile of its own. Prints one JSON line a place at the end.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listKeychainAccounts } from '../../support/keychain-entries.ts';
import { type RotationRun, rotateToTheEnd } from './rotation-desk.ts';

export type KillOutcome = {
  killPoint: string;
  killedBy: string | null;
  between: { keyIds: string[]; workspaceKeyId: string; oldKeyId: string | null };
  run: RotationRun;
  end: {
    keyIds: string[];
    workspaceKeyId: string;
    rotations: unknown[];
    accounts: string[];
    tempFiles: string[];
  };
};

/** One service for each that runs at once: what one rotation deletes there is no business of another's probe. */
type Service = { baseUrl: string; email: string };
const services = JSON.parse(process.argv[2] ?? '[]') as Service[];
const program = fileURLToPath(new URL('rotation-steps.ts', import.meta.url));

/** Resolves to the signal that ended it. */
function runAndKill(
  { baseUrl, email }: Service,
  profileDir: string,
  killPoint: string,
): Promise<string | null> {
  const child = spawn(process.execPath, [program, profileDir, baseUrl, email, ...killPoint.split(':')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve) => child.on('close', (_code, signal) => resolve(signal)));
}

function look(profileDir: string) {
  const read = (name: string) => JSON.parse(readFileSync(join(profileDir, name), 'utf8'));
  const names = ['.', 'keys'].flatMap((folder) => readdirSync(join(profileDir, folder)));
  return {
    keyIds: names
      .filter((name) => /^ed25519-.*\.json$/.test(name))
      .map((name) => name.slice(0, -'.json'.length)),
    workspaceKeyId: read('workspaces.json').workspaces[0].keyId as string,
    profileId: read('profile.json').id as string,
    tempFiles: names.filter((name) => name.endsWith('.tmp')),
    rotations: () => read('rotations.json').rotations as { oldKeyId: string }[],
  };
}

/** The profile's ID, and all of the outcome but the accounts in the keychain. */
async function killAndResume(service: Service, killPoint: string) {
  const profileDir = await mkdtemp(join(tmpdir(), 'claimdesk-rotation-'));
  try {
    const killedBy = await runAndKill(service, profileDir, killPoint);
    const { keyIds, workspaceKeyId, rotations } = look(profileDir);
    const between = { keyIds, workspaceKeyId, oldKeyId: null as string | null };
    // Killed before its first act there is no journal yet.
    if (killPoint !== '1:before') between.oldKeyId = rotations()[0]?.oldKeyId ?? null;
    const run = await rotateToTheEnd({ profileDir, ...service }, (act) => act());
    const end = look(profileDir);
    const { profileId, ...files } = end;
    return { profileId, killPoint, killedBy, between, run, end: { ...files, rotations: end.rotations() } };
  } finally {
    await rm(profileDir, { recursive: true, force: true });
  }
}

async function countActs(service: Service): Promise<number> {
  const profileDir = await mkdtemp(join(tmpdir(), 'claimdesk-rotation-'));
  let acts = 0;
  await rotateToTheEnd({ profileDir, ...service }, (act) => {
    acts += 1;
    return act();
  });
  await rm(profileDir, { recursive: true, force: true });
  return acts;
}

// After one act is before the next: nothing lies between them.
const [firstService] = services;
if (firstService === undefined) throw new Error('There is no service.');
const acts = await countActs(firstService);
const queue = ['1:before', ...Array.from({ length: acts }, (_, index) => `${index + 1}:after`)];
const outcomes: Awaited<ReturnType<typeof killAndResume>>[] = [];
await Promise.all(
  services.map(async (service) => {
    for (let killPoint = queue.shift(); killPoint !== undefined; killPoint = queue.shift())
      outcomes.push(await killAndResume(service, killPoint));
  }),
);
// Entries are read once no process deletes any: the Secret Service may end when it is asked for one that is being deleted.
const accounts = listKeychainAccounts();
for (const { profileId, end, ...outcome } of outcomes) {
  const ofProfile = accounts.filter((account) => account.includes(profileId));
  const whole: KillOutcome = { ...outcome, end: { ...end, accounts: ofProfile } };
  process.stdout.write(`${JSON.stringify(whole)}\n`);
}
