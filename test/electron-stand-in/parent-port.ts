import { EventEmitter } from 'node:events';
import { StandInPort } from './ports.ts';
import type { UtilityMessage } from './utility-process.ts';

/** Gives a utility process its `process.parentPort`, and takes from it what only Node's children have. */
export function openParentPort(): void {
  const send = process.send?.bind(process);
  const post = (message: UtilityMessage): void => void send?.(message, undefined, undefined, () => undefined);
  const ports = new Map<number, StandInPort>();
  const waiting: unknown[] = [];
  const parentPort = Object.assign(new EventEmitter(), {
    postMessage: (data: unknown) => post({ kind: 'message', data, ports: [] }),
  });
  // Messages that arrive before the first listener are kept, as by Electron.
  parentPort.on('newListener', () =>
    setImmediate(() => {
      for (const event of waiting.splice(0)) parentPort.emit('message', event);
    }),
  );
  const openPort = (number: number): StandInPort => {
    const [near, far] = StandInPort.pair();
    ports.set(number, far);
    far.transfer({
      deliver: (data) => post({ kind: 'toPort', port: number, data }),
      close: () => post({ kind: 'closePort', port: number }),
    });
    return near;
  };
  process.on('message', (given) => {
    const message = given as UtilityMessage;
    if (message.kind === 'message') {
      const event = { data: message.data, ports: message.ports.map(openPort) };
      if (parentPort.listenerCount('message') > 0) parentPort.emit('message', event);
      else waiting.push(event);
    } else if (message.kind === 'toPort') ports.get(message.port)?.postMessage(message.data);
    else ports.get(message.port)?.close();
  });
  // A utility process of Electron ends with its parent.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  Object.assign(process, { parentPort, send: undefined });
}
