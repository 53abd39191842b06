import { type IncomingHttpHeaders, request } from 'node:http';

export interface RawReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const addressOf = (hostname: string): string => (hostname.startsWith('127.') ? hostname : '127.0.0.1');

/** Sends a request with exactly these headers, some of which `fetch` does not allow (Host, Origin, Cookie). */
export function ask(
  origin: string,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string; host?: string } = {},
): Promise<RawReply> {
  const { host, hostname, port } = new URL(origin);
  const headers = { host, ...options.headers };
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: options.host ?? addressOf(hostname),
        port,
        path,
        method: options.method ?? 'GET',
        headers,
        agent: false,
      },
      (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('error', reject);
        reply.on('end', () =>
          resolve({
            status: reply.statusCode ?? 0,
            headers: reply.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(options.body);
  });
}

export interface OpenStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Resolves to the next event of this name. */
  next(name: string): Promise<{ name: string; payload: unknown }>;
  readonly closed: Promise<void>;
  close(): void;
}

/** Opens a stream of events and collects them. */
export function openStream(origin: string, headers: Record<string, string>): Promise<OpenStream> {
  const { host, hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: addressOf(hostname),
        port,
        path: '/events',
        headers: { host, ...headers },
        agent: false,
      },
      (reply) => {
        const seen: { name: string; payload: unknown }[] = [];
        const waiting = new Set<() => void>();
        let text = '';
        reply.setEncoding('utf8');
        reply.on('data', (chunk: string) => {
          const lines = (text + chunk).split('\n');
          text = lines.pop() ?? '';
          for (const line of lines) if (line.trim() !== '') seen.push(JSON.parse(line));
          for (const look of waiting) look();
        });
        const closed = new Promise<void>((done) => reply.once('close', done));
        reply.on('error', () => undefined);
        resolve({
          status: reply.statusCode ?? 0,
          headers: reply.headers,
          closed,
          next: (name) =>
            new Promise((found) => {
              const look = (): void => {
                const at = seen.findIndex((event) => event.name === name);
                if (at < 0) return;
                waiting.delete(look);
                found(seen.splice(at, 1)[0] as { name: string; payload: unknown });
              };
              waiting.add(look);
              look();
            }),
          close: () => sent.destroy(),
        });
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}
