import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { load } = createRequire(import.meta.url)('js-yaml') as { load: (text: string) => unknown };

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
}
interface Workflow {
  readonly on: Record<string, unknown>;
  readonly permissions: Record<string, string>;
  readonly jobs: Record<
    string,
    {
      'runs-on': string;
      'timeout-minutes': number;
      permissions?: Record<string, string>;
      strategy?: { matrix: { os: string[] } };
      env?: Record<string, string>;
      steps: Step[];
    }
  >;
}

const folder = join(root, '.github/workflows');
const names = readdirSync(folder);
const read = (name: string) => load(readFileSync(join(folder, name), 'utf8')) as Workflow;
const stepsOf = (workflow: Workflow): Step[] => Object.values(workflow.jobs).flatMap(({ steps }) => steps);
const scripts = Object.keys(
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }).scripts,
);

describe('workflows', () => {
  it.each(names)('%s reads only, ends by itself and runs pinned actions', (name) => {
    const workflow = read(name);
    expect(workflow.permissions).toEqual({ contents: 'read' });
    const wider = Object.entries(workflow.jobs).flatMap(
      ([job, { permissions }]) => permissions && [[job, permissions]],
    );
    // The provenance of installers is signed by the job that makes them; it can change nothing of the repository.
    const attesting = { contents: 'read', 'id-token': 'write', attestations: 'write' };
    expect(wider.filter(Boolean)).toEqual(name === 'package.yml' ? [['package', attesting]] : []);
    for (const { env = {}, ...job } of Object.values(workflow.jobs)) {
      expect(job['timeout-minutes']).toBeLessThanOrEqual(60);
      // Before a job has begun there is no runner, and the whole file would be refused.
      expect(Object.values(env).join('\n')).not.toMatch(/\b(runner|env|steps|job)\./);
    }
    const used = stepsOf(workflow).flatMap(({ uses }) => (uses === undefined ? [] : [uses]));
    expect(used.length).toBeGreaterThan(1);
    expect(used.filter((one) => !/^actions\/[\w-]+@[0-9a-f]{40}$/.test(one))).toEqual([]);
    expect(stepsOf(workflow).every(({ uses, run }) => (uses === undefined) !== (run === undefined))).toBe(
      true,
    );
    // A pull request of a stranger must not run with the rights of the repository.
    expect(Object.keys(workflow.on)).not.toContain('pull_request_target');
  });

  it.each(names)('%s runs scripts that are there', (name) => {
    const commands = stepsOf(read(name)).flatMap(({ run = '' }) => run.split('\n'));
    const asked = commands.flatMap((line) => /npm run (?:-s )?([\w:]+)/.exec(line)?.[1] ?? []);
    expect(asked.filter((one) => !scripts.includes(one))).toEqual([]);
    expect(existsSync(join(root, '.ci/run'))).toBe(true);
  });

  it('every test runs, and the specs in Electron on three systems', () => {
    const { jobs } = read('check.yml');
    expect(jobs.tests?.steps.map(({ run }) => run)).toContain('.ci/run');
    const { electron } = jobs;
    const systems = electron?.strategy?.matrix.os.map((os) => os.split('-')[0]);
    expect(systems).toEqual(['ubuntu', 'macos', 'windows']);
    const commands = electron?.steps.map(({ run = '' }) => run).join('\n') ?? '';
    expect(commands).toContain('xvfb-run --auto-servernum npm run e2e:electron');
    expect(commands).toContain('npm run package -- --dir');
    expect(commands).toContain('npx playwright test packaged.spec.ts');
  });

  it('what the tests need from the system is one list, for workflow, README and CONTRIBUTING', () => {
    const command = 'apt-get install $(node scripts/prerequisites.mjs)';
    const asked = names.flatMap((name) => stepsOf(read(name)).flatMap(({ run = '' }) => run.split(/&&|\n/)));
    const installed = asked.flatMap((line) => /apt-get install(?: -\S+)* (.+)/.exec(line)?.[1]?.trim() ?? []);
    // What else is named there is for a display and for making packages; no test needs it.
    const others = ['xvfb', 'libsecret-1-0', 'rpm'];
    expect(installed[0]).toBe('$(node scripts/prerequisites.mjs)');
    expect(
      installed
        .slice(1)
        .flatMap((one) => one.split(' '))
        .filter((one) => !others.includes(one)),
    ).toEqual([]);
    const list = readFileSync(join(root, 'scripts/prerequisites.mjs'), 'utf8');
    for (const needed of [
      'postgresql',
      'poppler-utils',
      'chromium',
      'fonts-noto-cjk',
      'gnome-keyring',
      'dbus',
    ])
      expect(list).toContain(`'${needed}'`);
    for (const document of ['README.md', 'CONTRIBUTING.md']) {
      const text = readFileSync(join(root, document), 'utf8');
      expect(text).toContain(command);
      // A package that is named by itself would be a second list.
      expect(text).not.toMatch(/postgresql|poppler|fonts-noto|gnome-keyring/);
    }
    // It runs before anything is installed, and where all tests run nothing is missing.
    const missing = execFileSync(process.execPath, ['scripts/prerequisites.mjs'], {
      cwd: root,
      encoding: 'utf8',
    });
    if (process.platform === 'linux') expect(missing).toBe('\n');
  });

  it('check and units run on macOS and Windows as well', () => {
    const steps = read('check.yml').jobs.electron?.steps ?? [];
    for (const run of ['npm run check', 'npx vitest run --project units'])
      expect(steps).toContainEqual({ run, if: "runner.os != 'Linux'" });
    // Else Windows would check out other line ends, which the check refuses.
    expect(readFileSync(join(root, '.gitattributes'), 'utf8')).toContain('* -text\n');
  });

  it('installers are made, attested and tried on three systems, by no pull request', () => {
    const workflow = read('package.yml');
    expect(Object.keys(workflow.on)).toEqual(['push', 'workflow_dispatch']);
    expect(workflow.on.push).toEqual({ tags: ['v*'] });
    const job = workflow.jobs.package;
    expect(job?.strategy?.matrix.os.map((os) => os.split('-')[0])).toEqual(['ubuntu', 'macos', 'windows']);
    const order = job?.steps.map(
      ({ uses, run = '' }) => uses?.split('@')[0] ?? run.split(' ').slice(0, 3).join(' '),
    );
    const [made, attested, tried] = [
      'npm run package',
      'actions/attest-build-provenance',
      'node scripts/try-installers.mjs',
    ].map((one) => order?.findIndex((step) => step.startsWith(one)) ?? -1);
    expect(made).toBeGreaterThan(0);
    expect(attested).toBe((made ?? 0) + 1);
    expect(tried).toBe((order?.length ?? 0) - 1);
  });

  it('advisories are asked for every week', () => {
    const workflow = read('advisories.yml');
    expect(workflow.on).toEqual({ schedule: [{ cron: expect.stringMatching(/^\d+ \d+ \* \* [0-6]$/) }] });
    expect(stepsOf(workflow).map(({ run }) => run)).toContain('npm run advisories');
  });
});
