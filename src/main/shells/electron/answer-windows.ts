import { type IpcMainEvent, type IpcMainInvokeEvent, ipcMain, MessageChannelMain } from 'electron';
import { channels } from '../../../contract/channels.ts';
import type { Result } from '../../../contract/result.ts';
import type { Desk } from '../../desk.ts';
import { DeskError, toErrorReport } from '../../lib/errors.ts';
import { isAppPage } from './app-address.ts';
import type { MainWindow } from './main-window.ts';
import type { UtilityEngine } from './utility-engine.ts';

interface WindowPorts {
  readonly desk: Pick<Desk, 'call' | 'getEngine'>;
  readonly window: Pick<MainWindow, 'current'>;
  /** The engine's process, once `desk.getEngine()` has resolved. */
  readonly engineProcess: () => UtilityEngine | null;
}

/**
 * Handles all messages from windows to main. A message is answered only if it comes from the main frame of Claimdesk's
 * window showing Claimdesk's page; the desk parses its content.
 */
export function answerWindows(ports: WindowPorts): void {
  const isOwnWindow = ({ sender, senderFrame }: IpcMainEvent | IpcMainInvokeEvent): boolean =>
    senderFrame !== null &&
    senderFrame.parent === null &&
    sender === ports.window.current?.webContents &&
    isAppPage(senderFrame.url);

  ipcMain.handle(channels.call, (event, procedure: unknown, input: unknown): Promise<Result<unknown>> => {
    const isCall = isOwnWindow(event) && typeof procedure === 'string';
    if (isCall) return ports.desk.call(procedure, input);
    return Promise.resolve({ ok: false, error: toErrorReport(new DeskError('app.forbidden')) });
  });

  ipcMain.on(channels.wantEngine, (event) => {
    if (!isOwnWindow(event)) return;
    void ports.desk.getEngine().then(
      () => {
        // Checked again: while the engine started, the frame may have closed or loaded another page.
        const engine = ports.engineProcess();
        if (event.sender.isDestroyed() || !isOwnWindow(event) || engine === null) return;
        const { port1, port2 } = new MessageChannelMain();
        engine.handWindow(port1);
        event.senderFrame?.postMessage(channels.engine, null, [port2]);
      },
      (thrown: unknown) => {
        if (!event.sender.isDestroyed() && isOwnWindow(event))
          event.senderFrame?.postMessage(channels.engine, toErrorReport(thrown));
      },
    );
  });
}
