import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, makeFolder, runCli, runCommand } from '../../support/cli-run.ts';
import { findPlain, listFiles } from '../../support/scan-profile.ts';
import { walkCarrierPage } from '../sandbox/carrier-walk.ts';
import { type Sandbox, startSandbox } from '../sandbox/start-sandbox.ts';

const email = 'sam@newco.example';
const canary = 'Carrier-Canary-0815!';
let sandbox: Sandbox;
let folder: Awaited<ReturnType<typeof makeFolder>>;

/** Runs `claimdesk connect …` with this on stdin; `onLine` receives each line of stdout as it arrives. */
async function connect(
  args: readonly string[],
  stdin = '',
  onLine: (line: Record<string, unknown>) => void = () => undefined,
) {
  const ended = await runCommand(['connect', ...args], {
    profile: folder.path,
    stdin,
    onLine: (line) => {
      if (line.startsWith('{')) onLine(parse(line));
    },
  });
  return { ...ended, lines: ended.lines.filter((line) => line.startsWith('{')).map(parse) };
}
const parse = (line: string): Record<string, unknown> => JSON.parse(line) as Record<string, unknown>;

beforeAll(async () => {
  sandbox = await startSandbox('--members', '5', '--claims', '5');
  await sandbox.control('PUT', '/connect/settings', { stepMs: 100 });
  folder = await makeFolder();
  const added = await runCli(['workspace', 'add', '--base-url', sandbox.baseUrl, '--email', 'a@b.example'], {
    profile: folder.path,
  });
  expect(added.code).toBe(0);
});
afterAll(async () => {
  await sandbox?.stop();
  await folder?.remove();
});

test('a connection is made by commands, with secrets only from stdin', async () => {
  const { publicToken, secretKey } = sandbox.connect;
  const setup = await connect(['setup', '--public-token', publicToken, '--secret-stdin'], `${secretKey}\n`);
  expect(setup.lines[0]).toMatchObject({ publicToken, hasSecret: true });
  const minted = await connect(['mint', '--json']);
  expect(minted.lines).toEqual([
    { event: 'minted', mintedAt: expect.any(String), requestId: expect.any(String) },
  ]);
  const member = ['bootstrap', '--email', email, '--first-name', 'Sam', '--last-name', 'Ng'];
  const keys = ['--system-key', 'NEWCO-1', '--vendor', 'northwind-benefits'];
  const details = ['--date-of-birth', '1985-04-12', '--phone', '555 0100', '--member-key', 'M1'];
  const name = 'Newly Founded, Inc.';
  // No employer is made of a name alone, and none without being said before.
  const typed = await connect([...member, ...keys, '--employer', name]);
  expect(codeOf({ ...typed, lines: [] })).toBe('connect.employerUnknown');
  const sentence = `Creates new employer ${name}, and member Sam Ng under it.`;
  const planned = await connect([...member, ...keys, '--new-employer', name, '--plan']);
  expect(planned.lines).toEqual([expect.objectContaining({ event: 'plan', isMemberKnown: false, sentence })]);
  const brought = await connect([...member, ...keys, ...details, '--new-employer', name]);
  expect(brought.stderr).toContain(sentence);
  expect(brought.lines[0]).toMatchObject({ member: { email, memberSystemKey: 'M1' } });
  const employers = await connect(['employers']);
  expect(employers.lines).toEqual([expect.objectContaining({ name, systemKey: 'NEWCO-1' })]);
  const id = String(employers.lines[0]?.id);
  const again = await connect([...member, '--employer', id, '--json']);
  expect(again.lines).toEqual([
    expect.objectContaining({ event: 'plan', isMemberKnown: true }),
    expect.objectContaining({ member: expect.objectContaining({ email }) }),
  ]);
  expect((await connect(['payers', '--email', email])).lines.length).toBeGreaterThanOrEqual(7);
  expect((await connect(['terms', '--email', email])).stdout).toContain('<h1>');

  const submit = [
    'submit',
    '--email',
    email,
    '--payer',
    '13',
    '--username',
    'sam-cli',
    '--password-stdin',
    '--accept-terms',
  ];
  const wrong = await connect([...submit, '--field', 'subscriber_number=1'], `${canary}\n`);
  expect(wrong.code).toBe(1);
  expect(codeOf({ ...wrong, lines: [] })).toBe('connect.invalid');
  expect(wrong.stderr).toContain('field.subscriber_number');
  // The arguments contain no personal data.
  const login = {
    email,
    payer: 13,
    username: 'sam-cli',
    field: { subscriber_number: 'A12345678' },
    secret: canary,
  };
  const submitted = await connect(
    ['submit', '--input', '-', '--password-stdin', '--accept-terms'],
    JSON.stringify(login),
  );
  const connection = String(submitted.lines[0]?.policyHolderId);
  const watched = await connect(['watch', connection]);
  expect(watched.code).toBe(0);
  expect(watched.lines.at(-1)).toMatchObject({ phase: 'ended', outcome: 'connected' });
  const unsaid = await connect(['fix', '--email', email, '--reason', '.']);
  expect(codeOf({ ...unsaid, lines: [] })).toBe('usage.invalid');
  const fixed = await connect(['fix', '--email', email, '--json', '--reason', 'A call']);
  expect(fixed.lines).toEqual([expect.objectContaining({ policyHolderId: Number(connection), email })]);
  for (const path of listFiles(folder.path))
    expect(findPlain(await readFile(path), [canary, 'sam-cli', secretKey, email]), path).toEqual([]);
});

test('a connection can be shown alone, and so can the new carrier of a migrating one', async () => {
  const login = ['--email', email, '--payer', '11', '--username', 'sam-move-fast', '--password-stdin'];
  const born = ['--field', 'date_of_birth=1985-04-12'];
  const submitted = await connect(['submit', ...login, ...born, '--accept-terms'], canary);
  const id = String(submitted.lines[0]?.policyHolderId);
  const early = await connect(['new-carrier', id]);
  expect(codeOf({ ...early, lines: [] })).toBe('connect.newCarrierUnknown');
  await sandbox.control('PUT', `/connect/policy-holders/${id}`, {
    loginProblem: 'migrating',
    correctionMessage: 'Your plan moves to our new website.',
  });
  expect(codeOf({ ...(await connect(['show', id])), lines: [] })).toBe('export.reasonMissing');
  expect((await connect(['show', id, '--reason', 'A call'])).lines).toEqual([
    expect.objectContaining({
      loginProblem: 'migrating',
      correctionMessage: 'Your plan moves to our new website.',
      nextStep: 'Connect the member to the new carrier.',
      claimsSynced: 0,
    }),
  ]);
  const found = await connect(['new-carrier', id]);
  expect(found.lines).toEqual([{ id: 19, name: 'Northern Mutual Online' }]);
  expect(found.stderr).toContain('--payer 19');
});

test('two-factor works over several commands, and the login is sent once', async () => {
  const submit = [
    'submit',
    '--email',
    email,
    '--payer',
    '16',
    '--username',
    'sam-two',
    '--password-stdin',
    '--accept-terms',
  ];
  const submitted = await connect(submit, canary);
  const id = String(submitted.lines[0]?.policyHolderId);
  const ref = [id, '--email', email];
  let status: Awaited<ReturnType<typeof connect>>;
  do status = await connect(['status', ...ref]);
  while (status.lines[0]?.phase === 'working');
  const methods = status.lines[0]?.methods as string[];
  expect((await connect(['method', id, methods[1] ?? '', '--email', email])).code).toBe(0);
  do status = await connect(['status', ...ref]);
  while (status.lines[0]?.phase === 'working');
  expect(status.lines[0]).toMatchObject({ phase: 'enterCode' });
  expect((await connect(['code', id, '--input', '-'], '{"code":"123456"}')).code).toBe(0);
  expect((await connect(['watch', ...ref])).code).toBe(0);
  const late = await connect(['code', id, '123456']);
  expect(late.stderr).toContain('connect.notAsked');
});

test('what the carrier’s form requires is reported before anything is sent; a validation that stalls ends', async () => {
  const submit = ['submit', '--email', email, '--password-stdin', '--accept-terms', '--payer'];
  const wrong = await connect([...submit, '12', '--username', 'sam'], canary);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain(
    '--field security_question_first_choice=…, --field security_question_first=…',
  );
  const { lines } = await connect([...submit, '18', '--username', 'sam-single-rests'], canary);
  const id = String(lines[0]?.policyHolderId);
  let status: Awaited<ReturnType<typeof connect>>;
  do status = await connect(['status', id, '--email', email]);
  while (status.lines[0]?.phase === 'working');
  expect((await connect(['code', id, '123456'])).code).toBe(0);
  const watched = await connect(['watch', id, '--email', email]);
  expect(watched.lines.at(-1)).toMatchObject({ phase: 'ended', outcome: 'connected' });
  expect(watched.code).toBe(0);
});

test('a form with conditions is asked for and checked as in the window, and sent completely', async () => {
  const submit = [
    'submit',
    '--email',
    email,
    '--payer',
    '21',
    '--username',
    'sam-form-fast',
    '--accept-terms',
  ];
  const withSecret = [...submit, '--password-stdin'];
  const none = await connect(submit);
  expect(none.code).toBe(2);
  expect(none.stderr).toContain('--field sign_in=…, --field plan=…, --field agree=…');
  const pin = ['--field', 'sign_in=pin', '--field', 'plan:=null'];
  const unsaid = await connect([...submit, ...pin, '--field', 'agree=true']);
  expect(unsaid.stderr).toContain('pin on stdin (--password-stdin)');
  for (const shown of ['pin=4711', 'pin:=4711'])
    expect((await connect([...withSecret, ...pin, '--field', shown], '4711')).stderr).toContain('on stdin');
  // The command never agrees for the member.
  expect((await connect([...withSecret, ...pin], '4711')).stderr).toContain('--field agree=…');
  const agreed = [...pin, '--field', 'agree=true'];
  const wrong = await connect([...withSecret, ...agreed, '--field', 'portal=bluestem'], '47');
  expect(codeOf({ ...wrong, lines: [] })).toBe('connect.invalid');
  expect(wrong.stderr).toContain('field.portal Enter a web address');
  expect(wrong.stderr).toContain('field.pin The carrier expects this in another form.');
  expect(wrong.stderr).not.toContain('bluestem');
  const card = await connect([...withSecret, ...agreed, '--field', 'payer_id=P-7'], '4711');
  expect(card.stderr).toContain('--field card_date=…');
  const before = (await seenSubmits()).length;
  const more = ['payer_id=P-7', 'card_date=2024-02-29', 'user_email=sam@at-the-carrier.example'];
  const all = [...withSecret, ...agreed, ...more.flatMap((one) => ['--field', one])];
  const sent = await connect(all, '4711');
  expect(sent.code, sent.stderr).toBe(0);
  expect((await seenSubmits()).length).toBe(before + 1);
  expect(sent.lines[0]).toMatchObject({ payerId: 21, payerName: 'Test Form Carrier', email });
});

/** Connections of this service have no word for a login that works, and no claims for an hour. */
const reticent = { acceptedProblem: 'null', crawlMs: 3_600_000 };
const usual = {
  acceptedProblem: 'valid',
  crawlMs: 30_000,
  endedValidations: 'kept',
  failureResult: 'object',
};

/** Once the stream is heard, three minutes pass at the service at once, which is enough for its end. */
const passTime = (line: Record<string, unknown>): void => {
  if (line.watchedBy === 'stream') void sandbox.control('POST', '/clock', { skewSeconds: 180 });
};

test.each([
  // The end is reported by polling once, in the first command; or by the stream once, in the second.
  ['decides at once', 'sam-once-fast', true],
  ['takes its time', 'sam-later', false],
])('a carrier that %s and accepts: connected, and exit 0', async (_name, username, isAtOnce) => {
  const endedValidations = isAtOnce ? 'kept' : 'forgotten';
  // The carrier takes no step by itself before its end can be heard, however long the commands take here.
  const stepMs = isAtOnce ? 100 : 60_000;
  await sandbox.control('PUT', '/connect/settings', { ...usual, ...reticent, endedValidations, stepMs });
  const submit = ['submit', '--email', email, '--payer', '15', '--username', username, '--password-stdin'];
  const submitted = await connect([...submit, '--accept-terms'], canary);
  expect(submitted.code, submitted.stderr).toBe(0);
  const connected = { state: 'SUCCESS', outcome: 'connected', loginProblem: null };
  if (isAtOnce) expect(submitted.lines).toEqual([expect.objectContaining(connected)]);
  const id = String(submitted.lines[0]?.policyHolderId);
  const watched = await connect(['watch', id], '', passTime);
  expect(watched.lines.at(-1)).toMatchObject(connected);
  expect(watched.code).toBe(0);
  await sandbox.control('POST', '/clock', { skewSeconds: 0 });
  if (isAtOnce) {
    const shown = await connect(['show', id, '--reason', 'A call']);
    expect(shown.lines[0]).toMatchObject({ sentence: 'Connected. Claims haven’t arrived yet.' });
  }
  await sandbox.control('PUT', `/connect/policy-holders/${id}`, { loginProblem: 'locked' });
  const locked = await connect(['watch', id]);
  expect(locked.lines.at(-1)).toMatchObject({ loginProblem: 'locked', outcome: 'attention' });
  expect(locked.code).toBe(1);
  await sandbox.control('PUT', '/connect/settings', usual);
});

test.each([
  ['at once', 'sam-invalid-fast'],
  ['after a while, in a sentence alone', 'sam-invalid-later'],
])('if a carrier refuses %s, its message is shown, with exit code 1', async (_name, username) => {
  const stepMs = username.endsWith('fast') ? 100 : 60_000;
  await sandbox.control('PUT', '/connect/settings', { ...usual, failureResult: 'text', stepMs });
  const submit = ['submit', '--email', email, '--payer', '15', '--username', username, '--password-stdin'];
  const submitted = await connect([...submit, '--accept-terms'], canary);
  expect(submitted.code).toBe(username.endsWith('fast') ? 1 : 0);
  const watched = await connect(['watch', String(submitted.lines[0]?.policyHolderId)], '', passTime);
  expect(watched.lines.at(-1)).toMatchObject({
    outcome: 'failed',
    message: 'The carrier did not accept this username and password.',
  });
  expect(watched.code).toBe(1);
  await sandbox.control('POST', '/clock', { skewSeconds: 0 });
  await sandbox.control('PUT', '/connect/settings', usual);
});

const seenSubmits = async (): Promise<unknown[]> => {
  const { data } = await sandbox.control<{ data: { path: string; method: string }[] }>('GET', '/requests');
  return data.filter(({ method, path }) => method === 'POST' && path.endsWith('/policy_holder'));
};

test('for a sign-in on the carrier’s page, its address is printed and the result awaited', async () => {
  const args = ['interop', '--email', email, '--payer', '17', '--accept-terms', '--json'];
  const { code, lines } = await connect(args, '', (line) => {
    if (line.phase === 'ready')
      void walkCarrierPage(String(line.authorizationUrl), { username: 'sam-page', decision: 'allow' });
  });
  expect(lines.map(({ phase }) => phase)).toEqual(['ready', 'connected']);
  expect(code).toBe(0);
});

test.each([
  [['setup'], 'public-token'],
  [['setup', '--public-token', 'p', '--tenant-label', 'l'], 'tenant-key'],
  [['submit', '--email', email, '--payer', '15', '--username', 'u', '--password-stdin'], 'accept-terms'],
  [['submit', '--email', email, '--payer', '15', '--username', 'u', '--accept-terms'], 'password-stdin'],
  [
    [
      'submit',
      '--email',
      email,
      '--payer',
      '15',
      '--username',
      'u',
      '--password-stdin',
      '--accept-terms',
      '--field',
      'password=x',
    ],
    'stdin',
  ],
  [['payers'], 'email'],
  [['bootstrap', '--email', email, '--first-name', 'S', '--last-name', 'N'], '--new-employer'],
  [
    [
      'bootstrap',
      '--email',
      email,
      '--first-name',
      'S',
      '--last-name',
      'N',
      '--employer',
      '1',
      '--confirm',
      'all',
    ],
    'same-name',
  ],
  [['watch', 'x'], 'whole number'],
  [['show', 'x'], 'whole number'],
  [['new-carrier', 'x'], 'whole number'],
  [['dance'], 'setup'],
])('connect %j is wrong usage', async (args, word) => {
  const { code, stderr, stdout } = await connect(args, 'p\n');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(word);
});
