import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface OddServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Listens on loopback; closing ends what is connected as well. */
export async function listen(server: Server): Promise<OddServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Takes connections and says nothing. */
export const listenSilently = (): Promise<OddServer> => listen(createServer());

/** Greets as another kind of server does. */
export const listenLikeSsh = (): Promise<OddServer> =>
  listen(createServer((socket) => socket.write('SSH-2.0-OpenSSH_9.2\r\n')));

/** A port on which nothing listens. */
export async function findClosedPort(): Promise<number> {
  const server = await listenSilently();
  await server.close();
  return server.port;
}

/** A proxy that answers CONNECT with a status; with 200 it carries to a port of this computer whatever is asked for. */
export function listenAsProxy(status: number, targetPort = 0): Promise<OddServer & { asked: string[] }> {
  const asked: string[] = [];
  const server = createHttpServer((_request, response) => response.writeHead(400).end());
  server.on('connect', ({ url }, socket) => {
    asked.push(String(url));
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
    const upstream = connect(targetPort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(upstream).pipe(socket);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  return listen(server).then((listening) => ({ ...listening, asked }));
}

export interface Identity {
  readonly key: string;
  readonly cert: string;
}

/** A certificate authority made by openssl in a folder that is gone at the end. */
export function makeAuthority() {
  const folder = mkdtempSync(join(tmpdir(), 'claimdesk-doctor-ca-'));
  const at = (name: string): string => join(folder, name);
  const openssl = (...args: string[]): void => {
    execFileSync('openssl', args, { stdio: 'pipe' });
  };
  const newKey = (name: string): void =>
    openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', at(name));
  const selfSign = (key: string, out: string, subject: string): void =>
    openssl(
      'req',
      '-x509',
      '-new',
      '-key',
      at(key),
      '-subj',
      `/CN=${subject}`,
      '-days',
      '30',
      '-out',
      at(out),
    );
  newKey('ca.key');
  selfSign('ca.key', 'ca.pem', 'Doctor Test Authority');
  newKey('other.key');
  selfSign('other.key', 'other.pem', 'Nobody Knows This Authority');
  newKey('server.key');
  openssl('req', '-new', '-key', at('server.key'), '-subj', '/CN=server', '-out', at('server.csr'));
  const sign = (
    name: string,
    by: string,
    extensions: string,
    { fromDays = -30, untilDays = 90 }: { fromDays?: number | undefined; untilDays?: number | undefined },
  ): void => {
    writeFileSync(at('ext'), extensions);
    writeFileSync(at('index'), '');
    writeFileSync(at('serial'), '01\n');
    writeFileSync(at('config'), caConfig(folder));
    // `openssl ca`, since only it sets both dates in every version.
    openssl(
      ...['ca', '-batch', '-config', at('config'), '-cert', at(`${by}.pem`), '-keyfile', at(`${by}.key`)],
      ...['-in', at(`${name}.csr`), '-out', at(`${name}.pem`), '-notext', '-extfile', at('ext')],
      ...['-startdate', stamp(fromDays), '-enddate', stamp(untilDays)],
    );
  };
  return {
    caPem: readFileSync(at('ca.pem'), 'utf8'),
    /** `names` as openssl writes them; the days are counted from now and may be negative. */
    issue(wanted: { names: string; fromDays?: number; untilDays?: number; by?: 'ca' | 'other' }): Identity {
      const { names, by = 'ca', ...days } = wanted;
      sign('server', by, `subjectAltName=${names}\nbasicConstraints=CA:FALSE\n`, days);
      return { key: readFileSync(at('server.key'), 'utf8'), cert: readFileSync(at('server.pem'), 'utf8') };
    },
    /** One that an intermediate certificate signed, which says where that can be downloaded. */
    issueBelowIntermediate(wanted: {
      names: string;
      intermediateUntilDays: number;
      isSent: boolean;
    }): Identity {
      newKey('between.key');
      openssl('req', '-new', '-key', at('between.key'), '-subj', '/CN=Between', '-out', at('between.csr'));
      const days = { untilDays: wanted.intermediateUntilDays };
      sign('between', 'ca', 'basicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign\n', days);
      const download = 'authorityInfoAccess=caIssuers;URI:http://ca.doctor.test/between.crt';
      sign(
        'server',
        'between',
        `subjectAltName=${wanted.names}\nbasicConstraints=CA:FALSE\n${download}\n`,
        {},
      );
      const chain = ['server.pem', ...(wanted.isSent ? ['between.pem'] : [])];
      return {
        key: readFileSync(at('server.key'), 'utf8'),
        cert: chain.map((name) => readFileSync(at(name), 'utf8')).join(''),
      };
    },
    remove: (): void => rmSync(folder, { recursive: true, force: true }),
  };
}

const caConfig = (folder: string): string => `[ca]
default_ca = here
[here]
database = ${join(folder, 'index')}
new_certs_dir = ${folder}
serial = ${join(folder, 'serial')}
default_md = sha256
policy = any
[any]
commonName = supplied
`;

/** `20261120190000Z`, so many days from now. */
function stamp(days: number): string {
  return `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`;
}

/** Answers as the service does to a request without a token; `answer` replaces that. */
export function listenWithTls(identity: Identity, answer: RequestListener = refuse): Promise<OddServer> {
  return listen(createHttpsServer(identity, answer));
}

const refuse: RequestListener = (_request, response) => {
  response.writeHead(401, { 'content-type': 'application/json' }).end('{"message":"Who are you?"}');
};
