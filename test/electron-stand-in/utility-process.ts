import { type ChildProcess, fork, type StdioOptions } from 'node:child_process';
import { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import type { ForkOptions, UtilityProcess } from 'electron';
import type { StandInPort } from './ports.ts';

/** The messages between main and a utility process. Ports are sent by number. */
export type UtilityMessage =
  | { readonly kind: 'message'; readonly data: unknown; readonly ports: readonly number[] }
  | { readonly kind: 'toPort'; readonly port: number; readonly data: unknown }
  | { readonly kind: 'closePort'; readonly port: number };

/** Electron follows its SIGTERM up with SIGKILL after this time. */
const killAfterMs = 2_000;

export class StandInUtilityProcess
  extends EventEmitter
  implements Pick<UtilityProcess, 'postMessage' | 'kill' | 'pid'>
{
  readonly #child: ChildProcess;
  readonly #ports = new Map<number, StandInPort>();
  #nextPort = 1;

  constructor(modulePath: string, args: string[], options: ForkOptions) {
    super();
    const stdio = Array.isArray(options.stdio) ? options.stdio : (['ignore', 'inherit', 'inherit'] as const);
    this.#child = fork(modulePath, args, {
      env: { ...options.env, STAND_IN_PROCESS: 'utility' },
      execArgv: [],
      serialization: 'advanced',
      stdio: [...stdio, 'ipc'] as StdioOptions,
    });
    this.#child.once('spawn', () => this.emit('spawn'));
    this.#child.once('exit', (code, signal) => {
      for (const port of this.#ports.values()) port.close();
      this.emit('exit', code ?? (signal === null ? 0 : 1));
    });
    this.#child.on('message', (given) => this.#hear(given as UtilityMessage));
  }
  get pid(): number | undefined {
    return this.#child.exitCode === null && this.#child.signalCode === null ? this.#child.pid : undefined;
  }
  get stdout(): Readable | null {
    return this.#child.stdout;
  }
  postMessage(data: unknown, transfer: readonly unknown[] = []): void {
    const ports = (transfer as readonly StandInPort[]).map((port) => this.#take(port));
    this.#send({ kind: 'message', data, ports });
  }
  kill(): boolean {
    const isSent = this.#child.kill('SIGTERM');
    setTimeout(() => this.#child.kill('SIGKILL'), killAfterMs).unref();
    return isSent;
  }
  #take(port: StandInPort): number {
    const number = this.#nextPort;
    this.#nextPort += 1;
    this.#ports.set(number, port);
    port.transfer({
      deliver: (data) => this.#send({ kind: 'toPort', port: number, data }),
      close: () => this.#send({ kind: 'closePort', port: number }),
    });
    return number;
  }
  #hear(message: UtilityMessage): void {
    if (message.kind === 'message') this.emit('message', message.data);
    else if (message.kind === 'toPort') this.#ports.get(message.port)?.postMessage(message.data);
    else this.#ports.get(message.port)?.close();
  }
  #send(message: UtilityMessage): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }
}
