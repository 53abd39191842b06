import { keepFilesPrivate } from './lib/narrow-profile.ts';
import { clearArgument, runClearClipboard } from './shells/electron/clear-clipboard.ts';
import { startElectronShell } from './shells/electron/start-electron-shell.ts';

keepFilesPrivate();
void (process.argv.includes(clearArgument) ? runClearClipboard() : startElectronShell());
