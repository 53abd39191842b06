import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Records as the service sent them, one JSON text each. */
interface SentRecords {
  readonly members: readonly string[];
  readonly claims: readonly string[];
}

/** A service that returns given records in both lists of the data API. */
export interface RecordedService {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/**
 * Serves records exactly as they were recorded, in the given order. The sandbox makes its records again at each start,
 * by the rules of its version, but a fixture has to be compared with what was sent when it was written. Accepts any
 * token; pages as the data API does (docs/service.md, "Lists and values").
 */
export async function startRecordedService(records: SentRecords): Promise<RecordedService> {
  const lists: Readonly<Record<string, readonly string[]>> = {
    '/api/v2/member': records.members,
    '/api/v2/claims': records.claims,
  };
  const server = createServer((request, reply) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const all = lists[url.pathname];
    const isSigned = request.headers.authorization?.startsWith('SSH-JWT ') === true;
    reply.statusCode = all === undefined ? 404 : isSigned ? 200 : 401;
    reply.setHeader('content-type', 'application/json; charset=utf-8');
    const page = Number(url.searchParams.get('page') ?? 1);
    const perPage = Math.min(1000, Number(url.searchParams.get('per_page') ?? 10));
    const isFound = all !== undefined && isSigned;
    reply.end(isFound ? toPage(all, page, perPage) : '{"message":"No"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function toPage(all: readonly string[], page: number, perPage: number): string {
  const pages = Math.ceil(all.length / perPage);
  const [hasNext, hasPrev] = [page < pages, page > 1];
  const envelope = JSON.stringify({
    has_next: hasNext,
    has_prev: hasPrev,
    next_num: hasNext ? page + 1 : null,
    prev_num: hasPrev ? page - 1 : null,
    page,
    pages,
    per_page: perPage,
    total: all.length,
  });
  return `{"data":[${all.slice((page - 1) * perPage, page * perPage).join(',')}],${envelope.slice(1)}`;
}
