import { describe, expect, test } from 'vitest';
import { type PolicyComputer, readPolicy } from '../../../../src/main/lib/read-policy.ts';

const machineKey = String.raw`HKEY_LOCAL_MACHINE\Software\Policies\Claimdesk`;
const userKey = String.raw`HKEY_CURRENT_USER\Software\Policies\Claimdesk`;
const above = (key: string): string => key.slice(0, key.lastIndexOf('\\'));
const windowsFile = String.raw`C:\ProgramData\Claimdesk\policy.json`;

/** What reg.exe prints for a key: its name, its values and the keys below it, between empty lines. */
const printKey = (key: string, values: readonly string[], below: readonly string[] = []): string =>
  ['', ...(values.length > 0 ? [key, ...values.map((line) => `    ${line}`), ''] : []), ...below, ''].join(
    '\r\n',
  );

type Printed = string | Buffer | null | Error;

/** A computer that answers with recorded outputs: of reg.exe by key, null for exit code 1; of scripts; files by path. */
function computerWith(options: {
  platform: NodeJS.Platform;
  keys?: Readonly<Record<string, Printed>>;
  files?: Readonly<Record<string, string>>;
  plutil?: (input: string) => Printed;
  script?: ((script: string) => Printed) | undefined;
}) {
  const calls: string[] = [];
  const computer: PolicyComputer = {
    platform: options.platform,
    userName: 'ana',
    person: null,
    async run(file, args, input) {
      calls.push([file, ...args].join(' '));
      const answer = file.endsWith('powershell.exe')
        ? options.script?.(args.at(-1) ?? '')
        : input === undefined
          ? options.keys?.[args[1] ?? '']
          : options.plutil?.(input.toString());
      if (answer instanceof Error) throw answer;
      return typeof answer === 'string' ? Buffer.from(answer, 'utf8') : (answer ?? null);
    },
    readFile: (path) => {
      const text = options.files?.[path];
      return text === undefined ? null : Buffer.from(text);
    },
  };
  return { computer, calls };
}

/** A Windows computer: each key is listed in the one above it where `keys` has it. */
function windowsWith(
  keys: Readonly<Record<string, Printed>>,
  files: Readonly<Record<string, string>> = {},
  script?: (script: string) => Printed,
) {
  const parents = [machineKey, userKey].map((key): [string, string] => {
    const others = [String.raw`${above(key)}\Microsoft`, String.raw`${above(key)}\Zażółć`];
    return [above(key), printKey(above(key), [], key in keys ? [...others, key] : others)];
  });
  return computerWith({
    platform: 'win32',
    keys: { ...Object.fromEntries(parents), ...keys },
    files,
    script,
  });
}

const damaged = (path: string, problem: string) =>
  expect.objectContaining({ code: 'policy.damaged', details: { path, problem } });
const unreadable =
  'The registry key can’t be read, neither by reg.exe nor by Windows PowerShell. Users need to be able to run one of them.';

describe('the registry', () => {
  test('returns every type of a rule: numbers, true and false, lists, and texts', async () => {
    const { computer, calls } = windowsWith({
      [machineKey]: printKey(machineKey, [
        '(Default)    REG_SZ    (value not set)',
        'allowedServices    REG_MULTI_SZ    https://claims.example.com|https://other.example',
        'teamServers    REG_MULTI_SZ    ',
        'maxLockMinutes    REG_DWORD    0x5',
        'allowSsnExport    REG_DWORD    0x0',
        'requireExportReason    REG_DWORD    0x1',
      ]),
    });
    expect((await readPolicy(undefined, computer)).rules).toEqual({
      allowedServices: ['https://claims.example.com', 'https://other.example'],
      teamServers: [],
      maxLockMinutes: 5,
      allowSsnExport: false,
      requireExportReason: true,
    });
    for (const call of calls)
      expect(call).toMatch(/^C:\\Windows\\System32\\reg\.exe query HKEY_\S+ \/se \|$/);
  });

  test('is the same in another language, which only names the value without a name otherwise', async () => {
    const german = '(Standard)    REG_SZ    (Wert nicht gesetzt)';
    const { computer } = windowsWith({
      [machineKey]: printKey(machineKey, [german, 'maxLockMinutes    REG_DWORD    0xa']),
    });
    expect((await readPolicy(undefined, computer)).rules).toEqual({ maxLockMinutes: 10 });
  });

  test.each([
    ['empty', '\r\n'],
    ['with the name alone', `\r\n${machineKey}\r\n\r\n`],
    ['in other letters', `\r\n${machineKey.toUpperCase()}\r\n    maxLockMinutes    REG_DWORD    0x5\r\n\r\n`],
  ])('a key: %s', async (_what, printed) => {
    const { rules } = await readPolicy(undefined, windowsWith({ [machineKey]: printed }).computer);
    expect(rules).toEqual(printed.includes('0x5') ? { maxLockMinutes: 5 } : {});
  });

  test('a missing key sets nothing, even if no program has rules', async () => {
    expect((await readPolicy(undefined, windowsWith({}).computer)).rules).toEqual({});
    const none = computerWith({
      platform: 'win32',
      keys: Object.fromEntries(
        ['HKEY_LOCAL_MACHINE', 'HKEY_CURRENT_USER'].map((hive) => [
          String.raw`${hive}\Software`,
          printKey(hive, [], [String.raw`${hive}\Software\Classes`]),
        ]),
      ),
    });
    expect((await readPolicy(undefined, none.computer)).rules).toEqual({});
  });

  test.each<[string, Printed]>([
    ['access denied', null],
    ['no answer in time', new Error('SIGTERM')],
    ['more than any policy has', new RangeError('stdout maxBuffer length exceeded')],
    ['a program that is not there', Object.assign(new Error('spawn'), { code: 'ENOENT' })],
    ['a line that is no value', printKey(machineKey, ['maxLockMinutes REG_DWORD 0x5'])],
    ['a text of several lines', printKey(machineKey, ['teamServers    REG_SZ    a\r\nb'])],
    ['a message', 'Zugriff verweigert\r\n'],
  ])('one that can’t be read opens nothing: %s', async (_what, printed) => {
    for (const key of [machineKey, userKey]) {
      const answer = typeof printed === 'string' ? printed.replaceAll(machineKey, key) : printed;
      const { computer } = windowsWith({ [key]: answer });
      await expect(readPolicy(undefined, computer)).rejects.toEqual(damaged(key, unreadable));
    }
  });

  test.each<[string, Readonly<Record<string, Printed>>]>([
    [
      'the key above, which is listed',
      {
        [above(above(machineKey))]: printKey(above(above(machineKey)), [], [above(machineKey)]),
      },
    ],
    ['every key', {}],
  ])('if access is denied to %s, nothing opens', async (_what, keys) => {
    const { computer } = computerWith({ platform: 'win32', keys: { [above(userKey)]: '\r\n', ...keys } });
    await expect(readPolicy(undefined, computer)).rejects.toEqual(damaged(machineKey, unreadable));
  });

  test.each([
    ['maxLockMinute', 'REG_DWORD    0x5', 'There is no rule named “maxLockMinute”.'],
    ['maxLockMinutes', 'REG_SZ    5', 'The value of “maxLockMinutes” isn’t valid.'],
    ['maxLockMinutes', 'REG_DWORD    0x0', 'The value of “maxLockMinutes” isn’t valid.'],
    ['maxLockMinutes', 'REG_QWORD    0x5', 'The value of “maxLockMinutes” isn’t valid.'],
    ['allowSsnExport', 'REG_DWORD    0x2', 'The value of “allowSsnExport” isn’t valid.'],
    ['allowSsnExport', 'REG_BINARY    00', 'The value of “allowSsnExport” isn’t valid.'],
    [
      'allowedServices',
      'REG_EXPAND_SZ    https://%COMPUTERNAME%',
      'The value of “allowedServices” isn’t valid.',
    ],
    [
      'allowedServices',
      'REG_MULTI_SZ    https://bücher.example',
      'The value of “allowedServices” isn’t valid.',
    ],
  ])('a rule that does not match the table opens nothing: %s, %s', async (name, value, problem) => {
    const { computer } = windowsWith({ [userKey]: printKey(userKey, [`${name}    ${value}`]) });
    await expect(readPolicy(undefined, computer)).rejects.toEqual(damaged(userKey, problem));
  });

  test('a key below it is not a rule', async () => {
    const printed = printKey(
      machineKey,
      ['maxLockMinutes    REG_DWORD    0x5'],
      [String.raw`${machineKey}\backup`],
    );
    await expect(readPolicy(undefined, windowsWith({ [machineKey]: printed }).computer)).rejects.toEqual(
      damaged(machineKey, 'There is no rule named “backup”.'),
    );
  });
});

describe('where IT prevents access to registry editing tools, so that reg.exe ends with 1 for every key', () => {
  const readBy = (script: (script: string) => Printed) =>
    readPolicy(undefined, computerWith({ platform: 'win32', script }).computer);

  test('PowerShell reads the keys, by fixed scripts', async () => {
    const scripts: string[] = [];
    const values =
      '{"(default)":"","maxLockMinutes":5,"allowSsnExport":0,"teamServers":["https://team.example.com"]}';
    const { rules } = await readBy((script) => {
      scripts.push(script);
      return script.includes(machineKey) ? `[${values}]\r\n` : '[]\r\n';
    });
    expect(rules).toEqual({
      maxLockMinutes: 5,
      allowSsnExport: false,
      teamServers: ['https://team.example.com'],
    });
    expect(scripts).toEqual([expect.stringContaining(machineKey), expect.stringContaining(userKey)]);
  });

  test.each<[string, Printed]>([
    ['is refused as well', null],
    ['is not there', new Error('ENOENT')],
    ['prints nothing', ''],
  ])('nothing opens if PowerShell %s', async (_what, printed) => {
    await expect(readBy(() => printed)).rejects.toEqual(damaged(machineKey, unreadable));
  });

  test('a text with letters that a console alters isn’t valid', async () => {
    await expect(readBy(() => '[{"allowedServices":["https://b\u00fccher.example"]}]')).rejects.toEqual(
      damaged(machineKey, 'The value of “allowedServices” isn’t valid.'),
    );
  });
});

describe('a policy file on Windows', () => {
  const readWith = (text: string, owner: Printed) =>
    readPolicy(undefined, windowsWith({}, { [windowsFile]: text }, () => owner).computer);

  test.each<[string, string, Printed]>([
    ['another user', '{"maxLockMinutes":5}', 'O:S-1-5-21-1-2-3-1001G:S-1-5-21-1-2-3-513D:AI'],
    ['another user, though it is damaged', 'anything', 'O:S-1-5-21-1-2-3-1001G:BAD:'],
    ['one that is hidden', '{"maxLockMinutes":5}', null],
  ])('is ignored if its owner is %s, and that is shown', async (_what, text, owner) => {
    expect(await readWith(text, owner)).toEqual({ rules: {}, sources: {}, isPolicyFileIgnored: true });
  });

  test('opens nothing if PowerShell can’t be run', async () => {
    await expect(readWith('{}', new Error('ENOENT'))).rejects.toEqual(
      damaged(windowsFile, 'The file’s owner can’t be read by Windows PowerShell.'),
    );
  });
});

describe('managed preferences', () => {
  const ofUser = '/Library/Managed Preferences/ana/com.claimdesk.app.plist';
  const ofComputer = '/Library/Managed Preferences/com.claimdesk.app.plist';
  const mac = (
    files: Readonly<Record<string, string>>,
    plutil: (input: string) => Printed = (input) => input,
  ) => computerWith({ platform: 'darwin', files, plutil });

  test('are read through plutil, which gets the bytes that were checked', async () => {
    const { computer, calls } = mac({
      [ofComputer]: '{"maxLockMinutes":5,"allowSsnExport":false,"PayloadUUID":"6F0C"}',
    });
    expect(await readPolicy(undefined, computer)).toEqual({
      rules: { maxLockMinutes: 5, allowSsnExport: false },
      sources: { maxLockMinutes: 'computerPreferences', allowSsnExport: 'computerPreferences' },
      isPolicyFileIgnored: false,
    });
    expect(calls).toEqual(['/usr/bin/plutil -convert json -o - -']);
  });

  test.each<[string, Printed, string]>([
    ['a damaged file', null, 'The preferences can’t be read.'],
    ['no answer in time', new Error('SIGTERM'), 'The preferences can’t be read.'],
    ['no JSON', 'stdin: Property List error', 'The preferences can’t be read.'],
    ['no letters', Buffer.from([0x22, 0xff, 0x22]), 'The preferences can’t be read.'],
    ['a list', '[]', 'There are no rules in it.'],
    ['a rule that does not exist', '{"backup":1}', 'There is no rule named “backup”.'],
    ['a text for a number', '{"maxLockMinutes":"5"}', 'The value of “maxLockMinutes” isn’t valid.'],
  ])('that can’t be read open nothing: %s', async (_what, printed, problem) => {
    for (const path of [ofUser, ofComputer]) {
      const { computer } = mac({ [path]: 'bplist00' }, () => printed);
      await expect(readPolicy(undefined, computer)).rejects.toEqual(damaged(path, problem));
    }
  });

  test('outweigh the file, the user’s before the computer’s', async () => {
    const { computer } = mac({
      [ofUser]: '{"maxLockMinutes":1}',
      [ofComputer]: '{"maxLockMinutes":2,"minAuditYears":2}',
      '/Library/Application Support/Claimdesk/policy.json':
        '{"maxLockMinutes":3,"minAuditYears":3,"allowUpdates":false}',
    });
    expect(await readPolicy(undefined, computer)).toEqual({
      rules: { maxLockMinutes: 1, minAuditYears: 2, allowUpdates: false },
      sources: {
        maxLockMinutes: 'userPreferences',
        minAuditYears: 'computerPreferences',
        allowUpdates: 'file',
      },
      isPolicyFileIgnored: false,
    });
  });
});

test('for each rule, the computer’s registry decides, then the user’s, then the file', async () => {
  const numberOf = (name: string, value: number): string => `${name}    REG_DWORD    0x${value}`;
  const { computer } = windowsWith(
    {
      [machineKey]: printKey(machineKey, [numberOf('maxLockMinutes', 1)]),
      [userKey]: printKey(userKey, [numberOf('maxLockMinutes', 2), numberOf('minAuditYears', 2)]),
    },
    { [windowsFile]: '{"maxLockMinutes":3,"minAuditYears":3,"allowedServices":[]}' },
    () => 'O:BAG:SYD:AI(A;;FA;;;SY)',
  );
  expect(await readPolicy(undefined, computer)).toEqual({
    rules: { maxLockMinutes: 1, minAuditYears: 2, allowedServices: [] },
    sources: { maxLockMinutes: 'computerRegistry', minAuditYears: 'userRegistry', allowedServices: 'file' },
    isPolicyFileIgnored: false,
  });
});

test('a damaged file opens nothing, even if the registry decides on its rule', async () => {
  const { computer } = windowsWith(
    { [machineKey]: printKey(machineKey, ['maxLockMinutes    REG_DWORD    0x5']) },
    { [windowsFile]: '{"maxLockMinutes":99}' },
    () => 'O:SYG:SYD:',
  );
  await expect(readPolicy(undefined, computer)).rejects.toEqual(
    damaged(windowsFile, 'The value of “maxLockMinutes” isn’t valid.'),
  );
});

test('Linux has only the file', async () => {
  const { computer, calls } = computerWith({
    platform: 'linux',
    files: { '/etc/claimdesk/policy.json': '{"maxLockMinutes":5}' },
  });
  expect(await readPolicy(undefined, computer)).toEqual({
    rules: { maxLockMinutes: 5 },
    sources: { maxLockMinutes: 'file' },
    isPolicyFileIgnored: false,
  });
  expect(calls).toEqual([]);
});
