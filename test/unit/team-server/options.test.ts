import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseOptions, UsageError } from '../../../src/team-server/options.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

it('reads a folder or a database, a certificate, and a token for metrics', () => {
  const folder = makeTempFolder();
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  expect(parseOptions(['--data', '/srv/team'])).toEqual({
    ...{
      verb: 'run',
      sizeLimitBytes: null,
      documentBytes: null,
      data: '/srv/team',
      database: null,
      password: '',
      tls: null,
      port: 8443,
      origin: null,
      metricsToken: null,
    },
  });
  const database = 'postgres://claimdesk_server@db.example/claims?sslmode=verify-full';
  const tls = ['--tls-cert', file('cert', 'C'), '--tls-key', file('key', 'K')];
  const token = ['--metrics-token-file', file('token', `${'t'.repeat(16)}\n`)];
  const password = ['--password-file', file('password', ' se cret\n')];
  const origin = 'https://team.example.org:8443';
  expect(
    parseOptions(['--database', database, ...tls, ...token, ...password, '--origin', origin, '--port', '0']),
  ).toMatchObject({
    ...{
      database,
      password: ' se cret',
      tls: { cert: 'C', key: 'K' },
      metricsToken: 't'.repeat(16),
      origin,
      port: 0,
    },
  });
  expect(parseOptions(['code', '--data', 'x']).verb).toBe('code');
});

it.each([
  [[], /either --data or --database/],
  [['--data', 'x', '--database', 'postgres://a@b/c'], /either --data or --database/],
  [['--database', 'mysql://a@b/c'], /must begin with postgres/],
  [['--database', 'host=b'], /must begin with postgres/],
  [['--database', 'postgres://a:secret@b/c'], /must not have the password/],
  [['--database', 'postgres://a@b/c?password=secret'], /must not have the password/],
  [['migrate', '--data', 'x'], /migrate takes --database/],
  [['other', '--data', 'x'], /migrate and code/],
  [['--data', 'x', '--port', '65536'], /--port/],
  [['--data', 'x', '--documents-limit', '0'], /--documents-limit is a whole number/],
  [['--data', 'x', '--tls-cert', 'c'], /go together/],
  [['--data', 'x', '--tls-cert', 'c', '--tls-key', 'k'], /--origin is the address/],
  [
    ['--data', 'x', '--tls-cert', '/none', '--tls-key', '/none', '--origin', 'https://a.example'],
    /can’t be read/,
  ],
  [['--data', 'x', '--origin', 'http://team.example.org'], /must be https/],
  [['--data', 'x', '--origin', 'https://team.example.org/path'], /must be https/],
  [['--data', 'x', '--origin', 'none'], /must be https/],
  [['--data', 'x', '--other'], /--other/],
])('refuses %j', (argv, sentence) => {
  expect(() => parseOptions(argv)).toThrow(UsageError);
  expect(() => parseOptions(argv)).toThrow(sentence);
  // A password that was typed is not repeated.
  expect(() => parseOptions(argv)).not.toThrow(/secret/);
});
