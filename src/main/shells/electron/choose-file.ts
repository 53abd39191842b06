import { extname, join } from 'node:path';
import { type BrowserWindow, dialog } from 'electron';

/** Asks the user where to save, beginning in `folder`; null when they cancel. Nothing is added to recent documents. */
export async function chooseSavePath(
  window: BrowserWindow | null,
  suggestedName: string,
  folder?: string,
): Promise<string | null> {
  const extension = extname(suggestedName).slice(1);
  const options: Electron.SaveDialogOptions = {
    defaultPath: folder === undefined ? suggestedName : join(folder, suggestedName),
    filters: extension === '' ? [] : [{ name: extension.toUpperCase(), extensions: [extension] }],
    properties: ['createDirectory', 'showOverwriteConfirmation', 'dontAddToRecent'],
  };
  const { canceled, filePath } =
    window === null ? await dialog.showSaveDialog(options) : await dialog.showSaveDialog(window, options);
  return canceled || filePath === '' ? null : filePath;
}

/** Asks the user which key file or folder to open, hidden ones included (`~/.ssh`); null when they cancel. */
export async function chooseOpenPath(
  window: BrowserWindow | null,
  what: 'openFile' | 'openDirectory',
): Promise<string | null> {
  const options: Electron.OpenDialogOptions = {
    properties: [what, 'showHiddenFiles', 'createDirectory', 'dontAddToRecent'],
  };
  const { canceled, filePaths } =
    window === null ? await dialog.showOpenDialog(options) : await dialog.showOpenDialog(window, options);
  return canceled ? null : (filePaths[0] ?? null);
}
