import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { World } from '../data/world.ts';
import type { Service } from '../service.ts';
import { listSpecialClaims } from './list-special-claims.ts';

const CHUNK = 200;

/**
 * All records at this moment, exactly as the API would return them.
 *
 * - `GET /truth/claims`, `GET /truth/members` → one record a line (NDJSON), in the order of the list; the header
 *   `X-Total` says how many. If the data changes while it streams, the connection breaks off.
 * - `GET /truth/employers` → `{data: [{employer_id, employer_key, vendor_tenant_label}]}`: the keys of the
 *   vendor-tenant route, which the data API does not return
 * - `GET /truth/special-claims` → the special claims, as `--truth-file` writes them
 */
export function addTruthRoutes(app: FastifyInstance, service: Service): void {
  const { world } = service;
  app.get('/truth/claims', (_request, reply) => streamTruth(reply, world, 'claims'));
  app.get('/truth/members', (_request, reply) => streamTruth(reply, world, 'members'));
  app.get('/truth/employers', async () => ({
    data: [...world.employers, ...world.createdEmployers].map((record) => ({
      employer_id: record.employer.id,
      employer_key: record.employerKey,
      vendor_tenant_label: record.vendorTenantLabel,
    })),
  }));
  app.get('/truth/special-claims', async () => listSpecialClaims(world));
}

function streamTruth(reply: FastifyReply, world: World, list: 'claims' | 'members'): FastifyReply {
  return reply
    .type('application/x-ndjson; charset=utf-8')
    .header('x-total', world[list].length)
    .send(Readable.from(truthLines(world, list), { objectMode: false }));
}

async function* truthLines(world: World, list: 'claims' | 'members'): AsyncGenerator<string> {
  const { version } = world;
  for (let at = 0; at < world[list].length; at += CHUNK) {
    if (world.version !== version) throw new Error('The data changed while its truth was being told');
    const indices = world[list].slice(at, CHUNK);
    const records = indices.map((index) =>
      list === 'claims' ? world.claimAt(index) : world.memberAt(index),
    );
    yield `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;
    await nextTurn();
  }
}
