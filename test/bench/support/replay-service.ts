import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRecords } from './million-store.ts';

/**
 * A service for benchmarks that costs next to nothing: `node replay-service.ts CLAIMS MEMBERS CHANGE_EVERY`. The records
 * are written once a machine, as bytes, and pages are cut out of that file, so that a bench measures its reader. It checks
 * no token. `POST /next` changes one claim in CHANGE_EVERY and removes the first one, which moves every claim to
 * another place in its page; `POST /throttle?perSecond=N` lets it serve no more records than that. The first line on stdout is `{"baseUrl": …}`.
 */
const lists = { claims: Number(process.argv[2]), member: Number(process.argv[3]) } as const;
type List = keyof typeof lists;

const changeEvery = Number(process.argv[4]);
/** How often the records have moved on. */
let moves = 0;
let perSecond = Number.POSITIVE_INFINITY;
/** When the pages answered until now would have been served at that rate. */
let servedUntil = 0;

interface Records {
  readonly file: number;
  /** Where each record begins; the last one is the end of the file. */
  readonly starts: Float64Array;
}

/** The records of a list, with a comma after each; made where they are not there yet. */
function openList(list: List): Records {
  const path = join(tmpdir(), `claimdesk-bench-${lists.claims}-${lists.member}-${list}.json`);
  if (!existsSync(path)) {
    const makeRecord = createRecords(lists.claims, lists.member);
    const starts = new Float64Array(lists[list] + 1);
    const file = openSync(`${path}.${process.pid}`, 'w');
    let at = 0;
    for (let index = 0; index < lists[list]; index += 1) {
      const text = `${JSON.stringify(makeRecord[list](index))},`;
      starts[index] = at;
      at += writeSync(file, text);
    }
    starts[lists[list]] = at;
    closeSync(file);
    writeFileSync(`${path}.starts`, new Uint8Array(starts.buffer));
    renameSync(`${path}.${process.pid}`, path);
  }
  const bytes = Uint8Array.from(readFileSync(`${path}.starts`));
  return { file: openSync(path, 'r'), starts: new Float64Array(bytes.buffer) };
}

const records: Record<List, Records> = { member: openList('member'), claims: openList('claims') };

function makePage(list: List, page: number, perPage: number): Buffer {
  const { file, starts } = records[list];
  const moved = list === 'claims' ? moves : 0;
  const total = lists[list] - moved;
  const from = Math.min((page - 1) * perPage + moved, lists[list]);
  const to = Math.min(from + perPage, lists[list]);
  const pages = Math.ceil(total / perPage);
  const head = '{"data":[';
  const tail = `],"page":${page},"per_page":${perPage},"pages":${pages},"total":${total},"has_next":${page < pages}}`;
  const start = starts[from] as number;
  // The last comma is left out.
  const length = Math.max(0, (starts[to] as number) - start - 1);
  const body = Buffer.allocUnsafe(head.length + length + tail.length);
  body.write(head, 0);
  readSync(file, body, head.length, length, start);
  body.write(tail, head.length + length);
  for (let index = from; moved > 0 && index < to; index += 1) {
    if (index % changeEvery !== 0) continue;
    const begin = head.length + (starts[index] as number) - start;
    body.write(String.fromCharCode(0x40 + moved), body.indexOf('"uuid":"', begin) + 8);
  }
  return body;
}

interface Answer {
  readonly status: number;
  readonly body: Buffer;
  readonly records?: number;
}

function answer({ method, url }: IncomingMessage): Answer {
  const { pathname, searchParams } = new URL(url ?? '/', 'http://127.0.0.1');
  if (method === 'POST') {
    if (pathname === '/next') moves += 1;
    if (pathname === '/throttle') perSecond = Number(searchParams.get('perSecond'));
    return { status: 303, body: Buffer.alloc(0) };
  }
  const list = pathname.split('/').at(-1);
  if (list !== 'claims' && list !== 'member') return { status: 404, body: Buffer.from('{}') };
  const page = Number(searchParams.get('page') ?? 1);
  const perPage = Number(searchParams.get('per_page') ?? 10);
  return { status: 200, body: makePage(list, page, perPage), records: perPage };
}

const server = createServer((request, reply) => {
  request.resume();
  const { status, body, records: served = 0 } = answer(request);
  reply.writeHead(status, {
    'content-type': 'application/json',
    'content-length': body.length,
    location: '/',
  });
  const now = performance.now();
  servedUntil = Math.max(now, servedUntil) + (served * 1000) / perSecond;
  if (servedUntil > now) setTimeout(() => reply.end(body), servedUntil - now);
  else reply.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ baseUrl: `http://127.0.0.1:${port}` })}\n`);
});
// Ends with its parent.
process.stdin.on('end', () => process.exit()).resume();
