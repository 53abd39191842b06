import { parseArgs } from 'node:util';
import { errorTable } from '../../../contract/error-codes.ts';
import { noticeTable } from '../../../contract/notices.ts';
import { toErrorReport } from '../../lib/errors.ts';
import { findNotices } from '../../lib/find-notices.ts';
import { findProfileDir } from '../../lib/paths.ts';
import type { forkEngineAhead } from './fork-engine.ts';
import { type BrowserShell, startBrowserShell } from './start-browser-shell.ts';
import { passLifeMs } from './window-passes.ts';

type EngineAhead = ReturnType<typeof forkEngineAhead>;

async function run(engineAhead: EngineAhead): Promise<number> {
  const { values } = parseArgs({
    options: {
      profile: { type: 'string' },
      'no-open': { type: 'boolean', default: false },
      sample: { type: 'boolean', default: false },
    },
  });
  const profileDir = findProfileDir(values.profile, process.env, process.platform);
  const { startEngineProcess } = engineAhead;
  const shell = await startBrowserShell({ profileDir, environment: process.env, startEngineProcess });
  // A locked profile needs no engine yet.
  if (shell.desk.isLocked) engineAhead.drop();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void shell.close());
  if (values.sample) {
    const opened = await shell.desk.call('sample:open', {});
    if (!opened.ok) process.stderr.write(`${opened.error.code}: ${opened.error.message}\n`);
  }
  for (const notice of await findNotices({ environment: process.env, profileDir }))
    process.stderr.write(`${noticeTable[notice]}\n`);
  const isOpened = !values['no-open'] && (await shell.openWindow());
  if (isOpened)
    process.stdout.write('Claimdesk is open in your browser. It stops when you close its last window.\n');
  else printAddress(shell.makeAddress());
  print(
    'Other users of this computer can see that Claimdesk runs and can disturb it, but get no data without an address from here.',
  );
  if (process.stdin.isTTY) offerAddresses(shell);
  else stopUnlessOpened(shell);
  await shell.ended;
  return 0;
}

// The program that reads our output may end first.
process.stdout.on('error', () => undefined);
const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Prints the address to the terminal, which only the user sees; other users can read the arguments of a program. */
function printAddress(address: string): void {
  print(`Open Claimdesk in a browser on this computer: ${address}\nThe address works once, for one minute.`);
}

function offerAddresses(shell: BrowserShell): void {
  print('Press Enter here for a new address, for example to open a second window.');
  process.stdin.on('data', () => printAddress(shell.makeAddress()));
}

/**
 * Stops an unopened shell: without a terminal it can no longer be opened and would hold the profile forever.
 */
function stopUnlessOpened(shell: BrowserShell): void {
  const stop = (): void => {
    if (shell.hasWindow) return;
    print('Claimdesk was not opened within one minute and has stopped. Start it again.');
    void shell.close();
  };
  // This is repeated, because the token of a page that opened no stream of events expires.
  setInterval(stop, passLifeMs).unref();
}

/**
 * Runs the browser shell until it ends: `--profile DIR`, `--no-open` (print an address only), `--sample` (begin with
 * sample data). Ends with its last window, on SIGINT and on SIGTERM. Resolves to an exit code.
 */
export async function runBrowserShell(engineAhead: EngineAhead): Promise<number> {
  try {
    return await run(engineAhead);
  } catch (thrown) {
    engineAhead.drop();
    const { code, details } = toErrorReport(thrown);
    const isUsage = thrown instanceof TypeError;
    const text = isUsage
      ? thrown.message
      : `${code}: ${errorTable[code].message}${details?.path === undefined ? '' : ` (${[details.path, details.problem].join(' ').trim()})`} ${errorTable[code].nextStep}`;
    process.stderr.write(`${text}\n`);
    return isUsage ? 2 : 1;
  }
}
