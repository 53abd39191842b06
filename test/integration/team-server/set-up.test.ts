import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parseOptions } from '../../../src/team-server/options.ts';
import { startPostgres } from '../../support/postgres.ts';
import { startTeamServer } from '../../support/team-server-process.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

const { load } = createRequire(import.meta.url)('js-yaml') as { load: (text: string) => unknown };

// The test types what docs/team-server.md gives to IT, unchanged.

const root = fileURLToPath(new URL('../../..', import.meta.url));
const page = readFileSync(join(root, 'docs/team-server.md'), 'utf8');
const unit = readFileSync(join(root, 'deploy/claimdesk-team-server.service'), 'utf8');
const postgres = await startPostgres();

/** The commands of the only block that has this text, without its indentation. */
function blockWith(text: string, language = 'sh'): string {
  const blocks = [...page.matchAll(/^( *)```(\w+)\n([\s\S]*?)^ *```/gm)].filter(
    ([, , name, lines]) => name === language && lines?.includes(text),
  );
  expect(blocks).toHaveLength(1);
  const [, indent = '', , lines = ''] = blocks[0] ?? [];
  return lines.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
}

/** The arguments of the program in a unit, with the lines that continue it. */
const startOf = (text: string): string[] =>
  (/^ExecStart=\/usr\/bin\/node \S+ ([\s\S]+?[^\\])$/m.exec(text)?.[1] ?? '').split(/[\s\\]+/);

it('is set up with PostgreSQL and systemd, backed up and restored, step by step', async () => {
  const folder = makeTempFolder();
  const etc = join(folder, 'etc');
  for (const name of ['src', 'deploy']) symlinkSync(join(root, name), join(folder, name));
  const made = ['-nodes', '-days', '2', '-keyout', 'key.pem', '-out', 'cert.pem', '-subj', '/CN=localhost'];
  const openssl = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', ...made];
  execFileSync('openssl', openssl, { cwd: folder, stdio: 'ignore' });
  /** The cluster has only a socket; what needs another computer, or systemd, is left out. */
  const here = (text: string): string =>
    text
      .replaceAll(
        /postgres:\/\/(\w+)@db\.example\.org\/claimdesk(\?sslmode=verify-full)?/g,
        (_all, role: string) => postgres.address(role, 'claimdesk'),
      )
      .replaceAll('--host=db.example.org', `--host=${postgres.folder}`)
      .replaceAll('/etc/claimdesk', etc)
      .replaceAll(/^(cp deploy|systemctl|curl|sudo) .*\n/gm, '');
  const run = (text: string): string =>
    execFileSync('sh', ['-ec', here(text)], {
      ...{ cwd: folder, encoding: 'utf8', stdio: 'pipe' },
      env: {
        PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
        NODE_NO_WARNINGS: '1',
        CLAIMDESK_OWNER_PASSWORD: 'of the owner',
        CLAIMDESK_SERVER_PASSWORD: 'of the server',
      },
    });
  run(blockWith('install -d'));
  expect(readFileSync(join(etc, 'password'), 'utf8')).toBe('of the server');
  for (const name of ['password', 'owner-password', 'key.pem', 'team-server.env'])
    expect(statSync(join(etc, name)).mode & 0o077).toBe(0);
  expect(run(blockWith('migrate --password-file'))).toContain('"migrated"');

  const settings = readFileSync(join(etc, 'team-server.env'), 'utf8').trim().split('\n');
  const values = new Map(settings.map((line) => line.split(/=(.*)/s) as [string, string]));
  values.set('CREDENTIALS_DIRECTORY', etc);
  const args = startOf(unit).map((word) =>
    word.replaceAll(/\$\{(\w+)\}/g, (_all, name: string) => values.get(name) ?? ''),
  );
  const server = await startTeamServer(...args);
  expect(server.origin).toBe('https://team.example.org:8443');
  expect(run(blockWith('team-server.mjs code --password-file'))).toContain('"setupCode"');
  run(blockWith('pg_dump'));
  expect(await server.end()).toBe(0);
  run(blockWith('pg_restore --exit-on-error --no-owner --dbname=postgres'));
  expect(run(blockWith('migrate --password-file'))).toContain('"migrations":[]');
  const again = await startTeamServer(...args);
  expect(await again.end()).toBe(0);
});

it('has a compose file whose commands the program accepts', () => {
  const text = readFileSync(join(root, 'deploy/compose.yaml'), 'utf8');
  const { services } = load(text) as { services: Record<string, { command?: string[] }> };
  const folder = makeTempFolder();
  mkdirSync(join(folder, 'tls'));
  for (const name of ['cert', 'key']) writeFileSync(join(folder, `tls/${name}.pem`), 'any');
  const verbs = Object.values(services).flatMap(({ command }) =>
    command === undefined
      ? []
      : [
          parseOptions(
            command.map((word) =>
              word
                .replace(/^\/tls/, join(folder, 'tls'))
                .replace(/^\$\{.+\}$/, 'https://team.example.org:8443'),
            ),
          ),
        ],
  );
  expect(verbs).toMatchObject([{ verb: 'migrate' }, { verb: 'run', origin: expect.any(String) }]);
  const [, code = ''] = /docker compose run --rm server (.+)\n/.exec(page) ?? [];
  expect(parseOptions(code.split(' '))).toMatchObject({ verb: 'code' });
});

// systemd is not on every computer that runs the tests.
if (spawnSync('systemd-analyze', ['--version']).status === 0)
  it('has a unit that is valid for systemd, with what the page adds for a folder', () => {
    const folder = makeTempFolder();
    const verify = () => {
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', join(folder, 'team.service')], {
        encoding: 'utf8',
      });
      return { status, stderr };
    };
    const write = (name: string, text: string) =>
      writeFileSync(join(folder, name), text.replaceAll('/usr/bin/node', process.execPath));
    write('team.service', unit);
    expect(verify()).toEqual({ status: 0, stderr: '' });
    mkdirSync(join(folder, 'team.service.d'));
    const added = blockWith('StateDirectory=', 'ini');
    write('team.service.d/override.conf', added);
    expect(verify()).toEqual({ status: 0, stderr: '' });
    // A line that systemd does not know is told.
    write('team.service.d/override.conf', added.replace('StateDirectory', 'StateFolder'));
    expect(verify().stderr).toContain('StateFolder');
    expect(startOf(added)).toContain('--data');
  });
