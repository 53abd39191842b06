import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { faultSchema } from '../faults/fault-schema.ts';
import type { Service } from '../service.ts';
import { readBody } from './read-body.ts';

const faultListSchema = z.array(faultSchema).max(1000);

/**
 * Bad days. A fault is one object of faults/fault-schema.ts.
 *
 * - `GET /faults` → `{data: [fault + {id, seen, applied}]}`
 * - `PUT /faults` `[fault, …]` replaces all; `POST /faults` `fault` adds one; `DELETE /faults` takes all away
 */
export function addFaultRoutes(app: FastifyInstance, service: Service): void {
  const { faults } = service;
  app.get('/faults', async () => ({ data: faults.list() }));
  app.put('/faults', async (request) => {
    const wanted = readBody(faultListSchema, request.body);
    faults.clear();
    for (const fault of wanted) faults.add(fault);
    return { data: faults.list() };
  });
  app.post('/faults', async (request) => ({ id: faults.add(readBody(faultSchema, request.body)) }));
  app.delete('/faults', async () => {
    faults.clear();
    return { data: [] };
  });
}
