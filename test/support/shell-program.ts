import { startBrowserShell } from '../../src/main/shells/browser/start-browser-shell.ts';

// Runs the browser shell as a process of its own, without a built window: PROFILE RENDERER. Prints its address.
const [profileDir = '', rendererDir = ''] = process.argv.slice(2);
const shell = await startBrowserShell({
  profileDir,
  rendererDir,
  environment: process.env,
  closedAfterMs: 60_000,
});
process.on('SIGTERM', () => void shell.close());
process.stdout.write(`${shell.makeAddress()}\n`);
await shell.ended;
process.exit(0);
