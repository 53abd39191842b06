import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureNode } from './ensure-node.mjs';

await ensureNode(import.meta.url);

const { buildIfOlder } = await import('./build-if-older.mjs');
const { findOrFetchElectron, hasDisplay } = await import('./find-electron.mjs');
const { root } = await import('./run-tools.mjs');

const usage = `npm start -- [options]

  --shell electron|browser  the shell; without it, Electron where its runtime and a display are there
  --profile DIR             the profile folder (or CLAIMDESK_PROFILE)
  --no-open                 browser: prints an address that opens Claimdesk once, instead of opening a window
  --sample                  begins with sample data
  --help                    shows this
`;

/** The options of `npm start`. */
function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        shell: { type: 'string' },
        profile: { type: 'string' },
        'no-open': { type: 'boolean', default: false },
        sample: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      process.stdout.write(usage);
      process.exit(0);
    }
    if (values.shell !== undefined && !['electron', 'browser'].includes(values.shell))
      throw new TypeError('--shell is electron or browser.');
    return values;
  } catch (error) {
    process.stderr.write(`${error.message}\nNext: npm start -- --help\n`);
    process.exit(2);
  }
}

/** The path of Electron, or null with the reason in one line. */
async function chooseElectron(shell) {
  if (shell === 'browser') return null;
  const isForced = shell === 'electron';
  const electron = isForced || hasDisplay() ? await findOrFetchElectron() : null;
  if (electron !== null) return electron;
  const reason =
    isForced || hasDisplay()
      ? 'Electron’s runtime is not here and could not be fetched'
      : 'There is no display';
  if (isForced) {
    process.stderr.write(
      `${reason}.\nNext: connect to the network and run \`npx install-electron\`, or use --shell browser.\n`,
    );
    process.exit(1);
  }
  process.stderr.write(`${reason}: Claimdesk runs in your browser instead.\n`);
  return null;
}

const options = readOptions();
const electron = await chooseElectron(options.shell);
const buildCode = await buildIfOlder();
if (buildCode !== 0) process.exit(buildCode);

const passedOn = [
  ...(options.profile === undefined ? [] : ['--profile', options.profile]),
  ...(options.sample ? ['--sample'] : []),
];
const [program, args] =
  electron === null
    ? [
        process.execPath,
        [join(root, 'out/main/browser.js'), ...passedOn, ...(options['no-open'] ? ['--no-open'] : [])],
      ]
    : [electron, [root, ...passedOn]];
const child = spawn(program, args, { stdio: 'inherit', cwd: process.cwd() });
// A terminal also sends these signals to the child, which then ends on its own.
for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
child.on('exit', (code) => process.exit(code ?? 1));
