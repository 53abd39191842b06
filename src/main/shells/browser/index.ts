import { keepFilesPrivate } from '../../lib/narrow-profile.ts';
import { forkEngineAhead } from './fork-engine.ts';

/**
 * Entry of the browser shell. The engine's process loads at the same time as this one; each takes a quarter of a
 * second.
 */
keepFilesPrivate();
const engineAhead = forkEngineAhead();
const { runBrowserShell } = await import('./run-browser-shell.ts');
process.exit(await runBrowserShell(engineAhead));
