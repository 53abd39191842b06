import { type BrowserWindow, dialog } from 'electron';
import type { Question } from '../../desk/desk-state.ts';

/**
 * Asks in a dialog of the system, which no page can answer. Only one dialog is open at a time; further questions are
 * answered with no until the user has answered it. Enter and Escape mean no.
 */
export function createNativeConfirm(currentWindow: () => BrowserWindow | null) {
  let isAsking = false;
  return async ({ message, detail, action }: Question): Promise<boolean> => {
    if (isAsking) return false;
    isAsking = true;
    const options: Electron.MessageBoxOptions = {
      type: 'warning',
      title: 'Claimdesk',
      message,
      detail,
      buttons: ['Cancel', action],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    };
    try {
      const window = currentWindow();
      const { response } =
        window === null ? await dialog.showMessageBox(options) : await dialog.showMessageBox(window, options);
      return response === 1;
    } finally {
      isAsking = false;
    }
  };
}
