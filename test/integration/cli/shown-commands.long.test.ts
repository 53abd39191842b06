import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type CliResult,
  codeOf,
  makeFolder,
  readLines,
  runCommand,
  startCli,
  waitForOutput,
} from '../../support/cli-run.ts';
import { makeOpenSshKey } from '../../support/key-fixtures.ts';
import { runInSecretService } from '../../support/secret-service.ts';
import { documents, listShownCommands, readByShell } from '../../support/shown-commands.ts';
import { givenSandbox } from '../sandbox/given-sandbox.ts';

/*
 * Every command that a document shows is typed here as it is there, after those that set up a workspace, in the order of
 * the documents, each once. A real shell reads it; what is there for something of the reader's own (ID, an address) is filled in.
 */

const root = fileURLToPath(new URL('../../..', import.meta.url));
const typedOf = (text: string): string => text.replace(/^npm run (-s )?claimdesk -- /, 'claimdesk ');

/** Not typed here, and why; each is still shown somewhere. */
const notTyped: Readonly<Record<string, string>> = {
  'npm ci && npm start': 'installs, and opens a window',
  'npm ci && npm test': 'these are the tests',
  'node src/sandbox/index.ts --port 0 --members 2000 --claims 20000 --seed 1':
    'every test that needs the sandbox starts it so, with fewer records',
  'claimdesk demo': 'lifecycle.long.test.ts runs it with fewer records',
  'node deploy/team-server.mjs code --data /var/lib/claimdesk-team':
    'team-server/operation.test.ts runs it with a folder of its own',
  'node deploy/team-server.mjs --data /var/lib/claimdesk-team --tls-cert cert.pem --tls-key key.pem --origin https://team.example.org:8443':
    'needs a certificate; team-server/operation.test.ts runs it with one of its own',
  'claimdesk team export --out team.jsonl --reason TEXT': 'needs a team; team/sessions.long.test.ts has one',
  'claimdesk family MEMBER --reason TEXT': 'workflow.long.test.ts runs it',
  'claimdesk review call MEMBER --input call.json': 'review/review-cli.long.test.ts runs it',
  'claimdesk team verify team.jsonl': 'the same',
  'claimdesk review people --from 2026-11-01 --to 2026-11-30': 'needs a team',
  'claimdesk backup set DIR': 'backup/backup-and-restore.test.ts runs it with a folder of its own',
  'claimdesk restore DIR --profile NEW': 'the same',
  'claimdesk audit token --secret-stdin': 'needs a policy; audit-cli.long.test.ts stores and deletes one',
  'claimdesk audit target': 'audit-cli.long.test.ts runs it',
  'claimdesk backup forget DIR': 'backup/backup-faults.test.ts loses a folder',
};

/** How the guide sets up a workspace, typed before all others. */
const setUp: readonly string[] = [
  'claimdesk workspace add --base-url https://claims.example.com --email you@example.com',
  'claimdesk key generate',
  'claimdesk key public ID',
  'claimdesk key check ID',
  'claimdesk sync',
];

/** Typed after all others. */
const lastCommand = 'claimdesk data remove --everything';

/** The texts that only name a command, in a sentence about it. */
const names: readonly string[] = [
  'claimdesk …',
  'claimdesk export',
  'claimdesk audit export',
  'claimdesk restore',
  'claimdesk review export',
  'claimdesk data',
  'claimdesk data remove',
  'claimdesk runs make',
  'claimdesk store',
  'claimdesk team export',
  'claimdesk team follow-log',
  'claimdesk team minimum-version',
  'claimdesk team recover',
  'claimdesk team recover --renew',
  'claimdesk team remove',
  'claimdesk team removals',
  'claimdesk team settings',
  'claimdesk team verify',
  'claimdesk team-server',
];

interface Special {
  /** Runs before the command is typed: a user's act at that point, or writing a file that it needs. */
  readonly before?: () => Promise<unknown>;
  readonly stdin?: () => string;
  /** The command asks at the terminal, where the user answers yes. */
  readonly isConfirmed?: true;
  /** The error code that the command should fail with, if any. */
  readonly code?: string;
}

const sandbox = givenSandbox('--members', '12', '--claims', '60');
let folder: Awaited<ReturnType<typeof makeFolder>>;
let profile: string;
/** The reader's own things, as commands have told them. */
const own = { keyId: '', claimId: '', connectionId: '', runId: '' };

const run = (...words: string[]): Promise<CliResult> => runCommand(words, { profile });
const newestKey = async (): Promise<string> =>
  String(readLines(await run('key', 'list', '--json')).at(-1)?.id);

/** Registers a key as a user does who pastes it on the service's page. */
async function registerKey(id: string): Promise<void> {
  const [publicKey = ''] = (await run('key', 'public', id)).lines;
  const body = new URLSearchParams({ name: id, public_key: publicKey });
  const reply = await fetch(`${sandbox.baseUrl}/settings/ssh`, { method: 'POST', body, redirect: 'manual' });
  expect(reply.status).toBe(303);
}

const email = 'sam@newco.example';
const member = {
  email,
  'first-name': 'Sam',
  'last-name': 'Ng',
  'new-employer': 'Newco',
  'system-key': 'NEWCO-1',
  vendor: 'northwind-benefits',
};
const login = {
  email,
  payer: 13,
  username: 'sam',
  field: { subscriber_number: 'A12345678' },
  secret: 'pass word',
};
const writeJson = (name: string, value: object) => writeFile(join(folder.path, name), JSON.stringify(value));

const special: Readonly<Record<string, Special>> = {
  'claimdesk key check ID': { before: () => registerKey(own.keyId) },
  'claimdesk key backup ID --out key-backup --passphrase-stdin': {
    stdin: () => 'a passphrase of a backup',
    isConfirmed: true,
  },
  'claimdesk key rotate --answer registered': {
    before: async () => registerKey(await newestKey()),
  },
  'claimdesk key rotate --answer old-deleted': {
    before: async () => {
      await sandbox.control('DELETE', '/keys');
      await registerKey(await newestKey());
    },
  },
  'claimdesk key retire ID': {
    before: async () => {
      const [made] = readLines(await run('key', 'generate', '--name', 'spare', '--json'));
      own.keyId = String(made?.id);
    },
  },
  'claimdesk connect submit --input login.json': {
    before: () => writeJson('login.json', { ...login, 'accept-terms': true, 'password-stdin': true }),
  },
  'claimdesk connect bootstrap --input member.json': {
    before: () => writeJson('member.json', member),
  },
  'claimdesk list members --input -': { stdin: () => '{"search": "sam", "reason": "A test"}' },
  'claimdesk connect code ID --input -': { stdin: () => '{"code": "123456"}', code: 'connect.notAsked' },
  'claimdesk review export --out reviews.backup --passphrase-stdin': {
    stdin: () => 'a passphrase of reviews',
  },
  "claimdesk runs make --name 'March payroll' --account HRA": {
    before: async () => {
      const listed = readLines(await run('list', 'claims', '--reason', 'A test'));
      const ids = listed.map(({ id }) => String(id));
      expect((await run('review', 'set', ...ids, '--state', 'done', '--outcome', 'eligible')).code).toBe(0);
    },
  },
  'claimdesk runs results RUN results.csv': {
    before: () => writeFile(join(folder.path, 'results.csv'), 'claim,result\nnone,paid\n'),
  },
  'claimdesk audit verify --file FILE': {
    before: () => run('audit', 'export', '--out', join(folder.path, 'FILE')),
  },
};

/** The words of a command with the reader's own things in them. */
const fill = (words: readonly string[]): string[] =>
  words.map((word, index) => {
    if (word === 'https://claims.example.com') return sandbox.baseUrl;
    if (word === 'you@example.com') return sandbox.account.email;
    if (word === '123') return own.claimId;
    if (word === 'RUN') return own.runId;
    if (word === '812') return own.connectionId;
    if (word === 'ID') return { key: own.keyId, review: own.claimId }[words[0] ?? ''] ?? own.connectionId;
    if (words[0] === 'verify' && word === 'FILE') return join(folder.path, 'claims.xlsx');
    const isFile =
      ['--out', '--file'].includes(words[index - 1] ?? '') ||
      word.endsWith('.json') ||
      word === 'claims.xlsx' ||
      word === 'results.csv';
    return isFile ? join(folder.path, word) : word;
  });

async function type(text: string): Promise<CliResult> {
  const { before, stdin, isConfirmed = false } = special[text] ?? {};
  await before?.();
  const read = readByShell(text, folder.path);
  const given = read.stdin === '' ? (stdin?.() ?? '') : read.stdin;
  const result = await runCommand([...fill(read.words), ...(isConfirmed ? ['--yes'] : [])], {
    profile,
    stdin: given,
  });
  const [first] = result.stdout.startsWith('{') ? readLines(result) : [];
  if (text === 'claimdesk key generate') own.keyId = String(first?.id);
  if (first?.run !== undefined) own.runId = String(first.run);
  if (first?.policyHolderId !== undefined) own.connectionId = String(first.policyHolderId);
  if (text === 'claimdesk sync')
    own.claimId = String(readLines(await run('list', 'claims', '--limit', '1', '--reason', 'A test'))[0]?.id);
  return result;
}

/** Whether a command is typed in the profile of this file, in the order of the documents. */
const isTyped = (text: string): boolean =>
  /^claimdesk (?!unlock |sandbox )/.test(text) && !names.includes(text) && !Object.hasOwn(notTyped, text);

const isTypedOnce = new Set<string>();

/** Types what a document shows and no document before has shown. */
const typeAll = (document: string): Promise<void> =>
  typeEach(listShownCommands(document).map(({ text }) => typedOf(text)));

async function typeEach(commands: readonly string[]): Promise<void> {
  for (const text of commands.filter((one) => isTyped(one) && one !== lastCommand)) {
    if (isTypedOnce.has(text)) continue;
    isTypedOnce.add(text);
    const result = await type(text);
    const wanted = special[text]?.code;
    expect([text, result.code, codeOf(result)], result.stderr).toEqual([
      text,
      wanted === undefined ? 0 : 1,
      wanted,
    ]);
  }
}

beforeAll(async () => {
  await sandbox.control('PUT', '/connect/settings', { stepMs: 20 });
  folder = await makeFolder();
  profile = join(folder.path, 'profile');
  await mkdir(join(folder.path, '.ssh'));
  makeOpenSshKey(join(folder.path, '.ssh'), 'id_ed25519', { type: 'ed25519' });
});
afterAll(async () => {
  await folder?.remove();
});

/** A document has up to twenty commands, each with threads of its own, beside whatever else the computer does. */
const documentTimeoutMs = 240_000;

describe('what documents show can be typed', () => {
  test(
    'what sets up a workspace',
    async () => {
      const shown = listShownCommands('docs/admin-guide.md').map(({ text }) => typedOf(text));
      expect(shown).toEqual(expect.arrayContaining([...setUp]));
      await typeEach(setUp);
      const given = { profile, stdin: sandbox.connect.secretKey };
      const connect = ['connect', 'setup', '--public-token', sandbox.connect.publicToken, '--secret-stdin'];
      expect((await runCommand(connect, given)).code).toBe(0);
    },
    documentTimeoutMs,
  );

  test.each(['README.md', 'docs/cli.md', 'docs/admin-guide.md', 'docs/data-on-this-computer.md'])(
    '%s',
    typeAll,
    documentTimeoutMs,
  );

  test('everything is removed at the end with --yes alone, as the guide says', async () => {
    const without = await type(lastCommand);
    expect(without.code).toBe(0);
    expect(existsSync(join(profile, 'secrets.json'))).toBe(true);
    expect((await run('data', 'remove', '--everything', '--yes')).code).toBe(0);
    expect(existsSync(join(profile, 'secrets.json'))).toBe(false);
  });

  test('a sample service is started, and ends on request', async () => {
    const { child, result } = startCli(['sandbox', '--port', '0', '--members', '20', '--claims', '200']);
    await waitForOutput(child, /listening/);
    child.kill('SIGTERM');
    expect((await result).code).toBe(0);
  });

  test('an unlock passphrase is set, and the recovery code opens the profile without its keychain', async () => {
    const environment = {
      node: process.execPath,
      entry: join(root, 'src/main/shells/cli/claimdesk.mjs'),
      CLAIMDESK_PROFILE: join(folder.path, 'profile-keychain'),
    };
    const typeWith = async (keyring: 'unlocked' | 'fresh', text: string) => {
      const script = `claimdesk() { "$node" "$entry" "$@" --json; }; cd "$0" && ${text}`;
      const shell = ['bash', '-c', script, folder.path];
      const { exitCode, stdout, stderr } = await runInSecretService(shell, { keyring, environment });
      expect(exitCode, stderr).toBe(0);
      return JSON.parse(stdout) as Record<string, unknown>;
    };
    await writeFile(join(folder.path, 'first'), 'a first long passphrase');
    await writeFile(join(folder.path, 'second'), 'a second long passphrase');
    // Descriptors supply what is typed at the terminal.
    const { recoveryCode } = await typeWith('unlocked', 'claimdesk unlock set --new-passphrase-fd 3 3<first');
    await writeFile(join(folder.path, 'code'), String(recoveryCode));
    const recover = 'claimdesk unlock recover --code-fd 3 --new-passphrase-fd 4 3<code 4<second';
    expect(await typeWith('fresh', recover)).toEqual({ event: 'recovered' });
  });
});

test('a planted command that does not exist fails, and so does one of another program', async () => {
  expect((await type('claimdesk store burn')).code).toBe(2);
  expect((await type('claimdesk sync --burn')).code).toBe(2);
  expect(() => readByShell('npm run burn', folder.path)).toThrow();
});

test('every command that is not typed here is still shown', () => {
  const shown = new Set(documents.flatMap(listShownCommands).map(({ text }) => typedOf(text)));
  const known = [...Object.keys(notTyped), ...names, ...Object.keys(special)];
  expect(known.filter((text) => !shown.has(text))).toEqual([]);
});

test('the script of every developer command exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
  const shown = documents.flatMap(listShownCommands).map(({ text }) => text);
  const called = shown.flatMap((text) =>
    [...text.matchAll(/npm (?:run (?:-s )?)?([\w:]+)/g)].map(([, name]) => name),
  );
  const files = shown.flatMap((text) => /^node (\S+)/.exec(text)?.[1] ?? []);
  expect(called.length + files.length).toBeGreaterThan(20);
  expect(
    called.filter((name = '') => !['ci', 'link'].includes(name) && !Object.hasOwn(scripts, name)),
  ).toEqual([]);
  expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('every command of Claimdesk, and every other one in a block, is typed here or has a reason not to be', () => {
  const typed = new Set([...isTypedOnce, lastCommand, ...names, ...Object.keys(notTyped)]);
  const isElsewhere = (text: string) => /^claimdesk (unlock (set|recover)|sandbox .+)$/.test(text);
  const left = documents
    .flatMap(listShownCommands)
    .map(({ text, isInBlock }) => ({ text: typedOf(text), isInBlock }))
    .filter(({ text, isInBlock }) => isInBlock || text.startsWith('claimdesk '))
    .filter(({ text }) => !typed.has(text) && !isElsewhere(text));
  expect(left).toEqual([]);
  expect(isTypedOnce.size).toBeGreaterThan(40);
});
