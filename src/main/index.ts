import { clearArgument, runClearClipboard } from './shells/electron/clear-clipboard.ts';
import { startElectronShell } from './shells/electron/start-electron-shell.ts';

void (process.argv.includes(clearArgument) ? runClearClipboard() : startElectronShell());
