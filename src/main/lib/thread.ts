import { type MessagePort, parentPort, Worker, type WorkerOptions } from 'node:worker_threads';
import { type Answer, createChannel, type MessagePipe } from './channel.ts';

const pipeOf = (port: MessagePort | Worker): MessagePipe => ({
  post: (message, transfer) => port.postMessage(message, transfer),
  onMessage: (listener) => void port.on('message', listener),
});

/** Starts a thread and the channel to it, which answers its calls. Once it has ended, calls to it are rejected. */
export function startThread(entry: URL, options: WorkerOptions, answer: Answer) {
  const worker = new Worker(entry, options);
  const { lose, ...channel } = createChannel(pipeOf(worker), answer);
  worker.on('error', lose).on('exit', () => lose());
  return { ...channel, worker };
}

export type Thread = ReturnType<typeof startThread>;

/** Answers, in a thread, the calls of the one that started it. */
export function serveThread(answer: Answer, transferOf?: (value: unknown) => ArrayBuffer[]) {
  if (parentPort === null) throw new Error('not a thread');
  return createChannel(pipeOf(parentPort), answer, transferOf);
}

/** Buffers of a result that are transferred instead of copied: the ids of a list and the bytes of a page. */
export function handedOver(value: unknown): ArrayBuffer[] {
  // The values of bytes are their numbers: millions, for a document.
  const isWhole = ArrayBuffer.isView(value) || typeof value !== 'object' || value === null;
  const parts: unknown[] = isWhole ? [value] : [value, ...Object.values(value)];
  const buffers = parts.flatMap((part) => {
    const isBytes = part instanceof Float64Array || part instanceof Uint32Array || part instanceof Uint8Array;
    // A small buffer may be part of a larger one that others share, and cannot be transferred.
    return isBytes && part.byteLength === part.buffer.byteLength ? [part.buffer as ArrayBuffer] : [];
  });
  return [...new Set(buffers)];
}
