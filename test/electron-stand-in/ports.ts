import { EventEmitter } from 'node:events';
import type { MessagePortMain } from 'electron';

/** Where messages go that arrive at a port which was handed to another process or page. */
export interface FarEnd {
  deliver(data: unknown): void;
  close(): void;
}

/** One end of a `MessageChannelMain`, which stays here or is handed over. */
export class StandInPort
  extends EventEmitter
  implements Pick<MessagePortMain, 'postMessage' | 'start' | 'close'>
{
  #peer: StandInPort | null = null;
  #far: FarEnd | null = null;
  #waiting: unknown[] = [];
  #isStarted = false;
  #isClosed = false;

  static pair(): [StandInPort, StandInPort] {
    const [first, second] = [new StandInPort(), new StandInPort()];
    first.#peer = second;
    second.#peer = first;
    return [first, second];
  }

  postMessage(message: unknown): void {
    if (!this.#isClosed) this.#peer?.arrive(message);
  }
  start(): void {
    this.#isStarted = true;
    for (const data of this.#waiting.splice(0)) this.arrive(data);
  }
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#far === null) this.emit('close');
    else this.#far.close();
    this.#peer?.close();
  }
  /** Hands this end over; what waits goes along. */
  transfer(far: FarEnd): void {
    this.#far = far;
    this.start();
  }
  private arrive(data: unknown): void {
    if (this.#far !== null) this.#far.deliver(data);
    else if (this.#isStarted) this.emit('message', { data, ports: [] });
    else this.#waiting.push(data);
  }
}

export class StandInMessageChannel {
  readonly port1: StandInPort;
  readonly port2: StandInPort;
  constructor() {
    [this.port1, this.port2] = StandInPort.pair();
  }
}
