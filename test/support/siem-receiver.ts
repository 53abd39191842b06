import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTlsServer, type Server } from 'node:tls';
import { createCertificateMaker, type TlsIdentity } from '../../src/sandbox/tls/make-certificates.ts';

/** An entry as a receiver reads it. */
export interface Received {
  readonly seq: number;
  readonly follows: string;
  readonly hash: string;
  readonly computer: string;
  readonly action: string;
  readonly details: Readonly<Record<string, unknown>>;
}

const printable = (most: number) => `[\\x21-\\x7e]{1,${most}}`;
const name = '[\\x21\\x23-\\x3c\\x3e-\\x5c\\x5e-\\x7e]{1,32}';
/** RFC 5424, 6. */
const syslogMessage = new RegExp(
  `^<(0|[1-9]\\d{0,2})>1 (\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,6})?(?:Z|[+-]\\d\\d:\\d\\d)) ` +
    `(${printable(255)}) (${printable(48)}) (${printable(128)}) (${printable(32)}) ` +
    `(?:-|(?:\\[${name}(?: ${name}="(?:[^"\\\\\\]]|\\\\["\\\\\\]])*")*\\])+) (.*)$`,
  's',
);

/** Reads a syslog message; throws where it isn't one of an entry. */
export function readSyslogMessage(text: string): Received {
  const [, priority, at, computer, app, , action, json = ''] = syslogMessage.exec(text) ?? [];
  const entry = JSON.parse(json) as Received & { at: string };
  const header = [Number(priority), at, computer, app, action];
  const stated = [110, entry.at, entry.computer, 'claimdesk', entry.action];
  if (JSON.stringify(header) !== JSON.stringify(stated)) throw new Error(`not an entry: ${text}`);
  return entry;
}

/** The whole messages at the start of what arrived, by their lengths (RFC 5425, 4.3), and the rest. */
function splitFrames(bytes: Buffer): { messages: string[]; rest: Buffer } {
  const messages: string[] = [];
  let rest = bytes;
  for (;;) {
    const space = rest.indexOf(' ');
    if (space === -1) return { messages, rest };
    const digits = rest.subarray(0, space).toString('latin1');
    if (!/^[1-9]\d{0,5}$/.test(digits)) throw new Error(`not a length: ${digits}`);
    const end = space + 1 + Number(digits);
    if (rest.length < end) return { messages, rest };
    messages.push(rest.subarray(space + 1, end).toString('utf8'));
    rest = rest.subarray(end);
  }
}

export interface Receiver {
  readonly address: string;
  /** What was received, with what arrived twice. */
  readonly received: Received[];
  /** The messages of syslog as they came. */
  readonly messages: string[];
  readonly faults: unknown[];
  /** The headers of each request. */
  readonly headers: Readonly<Record<string, unknown>>[];
  /** The status of answers; 0: the connection ends without one, after the body was read. */
  status: number;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Certificates of receivers on loopback, with the authority that clients have to trust. */
export const certificates = createCertificateMaker();

/** A collector of audit entries on one port of loopback, which can be stopped and started again. */
export async function openReceiver(
  kind: 'http' | 'https' | 'syslog+tls',
  identity?: TlsIdentity,
): Promise<Receiver> {
  const tls = identity ?? (await (await certificates).issue('good'));
  const sockets = new Set<Socket>();
  let port = 0;
  let server: Server | ReturnType<typeof createHttpServer>;
  const receiver = {
    ...{
      address: '',
      received: [] as Received[],
      messages: [] as string[],
      faults: [] as unknown[],
      status: 204,
    },
    headers: [] as Record<string, unknown>[],
    async start() {
      server = makeServer[kind]();
      server.on('connection', (socket: Socket) => {
        sockets.add(socket);
        socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
      });
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
      port = (server.address() as AddressInfo).port;
      receiver.address = `${kind}://127.0.0.1:${port}`;
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  const take = (read: () => Received[]): void => {
    try {
      receiver.received.push(...read());
    } catch (thrown) {
      receiver.faults.push(thrown);
    }
  };
  const answer: RequestListener = async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request.on('error', () => undefined)) parts.push(part as Buffer);
    receiver.headers.push(request.headers);
    const { status } = receiver;
    if (status === 204 || status === 0)
      take(() =>
        Buffer.concat(parts)
          .toString('utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as Received),
      );
    if (status === 0) response.destroy();
    else response.writeHead(status, { location: 'https://elsewhere.example/' }).end();
  };
  const listenSyslog = () =>
    createTlsServer(tls, (socket) => {
      let held: Buffer = Buffer.alloc(0);
      socket
        .on('error', () => undefined)
        .on('data', (bytes: Buffer) => {
          take(() => {
            const { messages, rest } = splitFrames(Buffer.concat([held, bytes]));
            held = rest;
            receiver.messages.push(...messages);
            return messages.map(readSyslogMessage);
          });
          if (receiver.status === 0) socket.destroy();
        });
    });
  const makeServer = {
    http: () => createHttpServer(answer),
    https: () => createHttpsServer(tls, answer),
    'syslog+tls': listenSyslog,
  };
  await receiver.start();
  return receiver;
}

/**
 * What a collector keeps of what arrived: each number once. `again`: numbers that arrived more than once. Throws where an
 * entry is missing, out of order, or differs from what arrived under its number before.
 */
export function collect(received: readonly Received[]): { entries: Received[]; again: number[] } {
  const entries: Received[] = [];
  const again: number[] = [];
  for (const entry of received) {
    const last = entries.at(-1);
    const before = entries.find(({ seq }) => seq === entry.seq);
    if (before !== undefined) {
      if (before.hash !== entry.hash) throw new Error(`entry ${entry.seq} was changed`);
      again.push(entry.seq);
    } else if (last !== undefined && (entry.seq !== last.seq + 1 || entry.follows !== last.hash)) {
      throw new Error(`entry ${entry.seq} does not follow entry ${last.seq}`);
    } else entries.push(entry);
  }
  return { entries, again };
}
