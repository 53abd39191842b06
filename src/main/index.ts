import { startElectronShell } from './shells/electron/start-electron-shell.ts';

void startElectronShell();
