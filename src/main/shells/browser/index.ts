import { parseArgs } from 'node:util';
import { errorTable } from '../../../contract/error-codes.ts';
import { toErrorReport } from '../../lib/errors.ts';
import { defaultProfileDir } from '../../lib/paths.ts';
import { openInSystem } from './open-in-system.ts';
import { startBrowserShell } from './start-browser-shell.ts';

/**
 * Entry of the browser shell: `--profile DIR`, `--no-open` (print the address only), `--sample` (begin with
 * sample data). Ends with its last window, on SIGINT and on SIGTERM.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      profile: { type: 'string' },
      'no-open': { type: 'boolean', default: false },
      sample: { type: 'boolean', default: false },
    },
  });
  const profileDir = values.profile ?? defaultProfileDir(process.env, process.platform);
  const shell = await startBrowserShell({ profileDir, environment: process.env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void shell.close());
  if (values.sample) {
    const opened = await shell.desk.call('sample:open', {});
    if (!opened.ok) process.stderr.write(`${opened.error.code}: ${opened.error.message}\n`);
  }
  const isOpened = !values['no-open'] && (await openInSystem(new URL(shell.openUrl)));
  process.stdout.write(
    isOpened
      ? 'Claimdesk is open in your browser. It stops when you close its last window.\n'
      : `Open Claimdesk in a browser on this computer: ${shell.openUrl}\n`,
  );
  await shell.ended;
  return 0;
}

main().then(
  (code) => process.exit(code),
  (thrown: unknown) => {
    const { code } = toErrorReport(thrown);
    const isUsage = thrown instanceof TypeError;
    const text = isUsage
      ? thrown.message
      : `${code}: ${errorTable[code].message} ${errorTable[code].nextStep}`;
    process.stderr.write(`${text}\n`);
    process.exit(isUsage ? 2 : 1);
  },
);
