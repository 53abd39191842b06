import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { findPayer } from '../connect/payers.ts';
import { type Connection, needsCorrection } from '../connect/realm.ts';
import { connectSettingsSchema } from '../connect/settings.ts';
import { planFor } from '../connect/test-carriers.ts';
import { polledState } from '../connect/validation-machine.ts';
import { ApiError } from '../http/api-error.ts';
import type { Service } from '../service.ts';
import { readBody } from './read-body.ts';

const settingsSchema = connectSettingsSchema.partial();
const integrationSchema = z.strictObject({
  token: z.string(),
  isActive: z.boolean().optional(),
  origins: z.array(z.string()).max(1000).nullable().optional(),
});
const expireSchema = z.strictObject({ kind: z.enum(['access', 'task']) });
const dropSchema = z.strictObject({ how: z.enum(['end', 'reset']).default('end') });
const validationSchema = z.strictObject({ username: z.string().optional() });
const problemSchema = z.strictObject({
  loginProblem: z.string().nullable(),
  correctionMessage: z.string().nullable().optional(),
  lastCrawlEnd: z.string().nullable().optional(),
});

/** The state of Connect, its settings and its failures. No reply contains a password, because none is stored. */
export function addConnectControlRoutes(app: FastifyInstance, service: Service): void {
  const { connect } = service;
  app.get('/connect', async () => describe(service));
  app.put('/connect/settings', async (request) => {
    const changes = readBody(settingsSchema, request.body);
    const set = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    connect.settings = { ...connect.settings, ...set };
    connect.validations.clockMoved();
    connect.crawls.clockMoved();
    return connect.settings;
  });
  app.put('/connect/integration', async (request) => {
    const { token, isActive, origins } = readBody(integrationSchema, request.body);
    const integration = connect.integrations.find(token);
    if (integration === undefined) throw new ApiError(404, 'There is no such token');
    if (isActive !== undefined) integration.isActive = isActive;
    if (origins !== undefined) integration.origins = origins;
    return { isActive: integration.isActive, origins: integration.origins };
  });
  app.post('/connect/expire', async (request) => {
    const { kind } = readBody(expireSchema, request.body);
    connect.tokens.expireAll(kind);
    return { expired: connect.tokens.counts[kind] };
  });
  app.post('/connect/drop-streams', async (request) => {
    const { how } = readBody(dropSchema, request.body);
    const open = [...connect.openStreams];
    for (const close of open) close(how);
    return { dropped: open.length };
  });
  const findConnection = (id: number): Connection => {
    const connection = connect.production.findConnection(id) ?? connect.demo.findConnection(id);
    if (connection === undefined) throw new ApiError(404, 'There is no such policy holder');
    return connection;
  };
  app.post<{ Params: { id: string } }>('/connect/policy-holders/:id/validations', async (request) => {
    const connection = findConnection(Number(request.params.id));
    const payer = findPayer(connection.payerId);
    if (payer === undefined) throw new ApiError(404, 'There is no such payer');
    const { username } = readBody(validationSchema, request.body);
    const { isFast, ...plan } = planFor(username ?? connection.username, payer);
    return { taskId: connect.validations.start(connection, plan, isFast).id };
  });
  app.put<{ Params: { id: string } }>('/connect/policy-holders/:id', async (request) => {
    const id = Number(request.params.id);
    const connection = findConnection(id);
    const change = readBody(problemSchema, request.body);
    connection.loginProblem = change.loginProblem;
    if (change.correctionMessage !== undefined) connection.correctionMessage = change.correctionMessage;
    if (change.lastCrawlEnd !== undefined) connection.lastCrawlEnd = change.lastCrawlEnd;
    return { id, needsCorrection: needsCorrection(connection.loginProblem) };
  });
}

function describe({ connect }: Service) {
  const realms = [connect.production, connect.demo];
  return {
    settings: connect.settings,
    minted: connect.tokens.counts,
    openStreams: connect.openStreams.size,
    integrations: connect.integrations.all.map(({ publicToken, isActive, origins, tenants }) => ({
      publicToken,
      isActive,
      origins,
      tenants: tenants.map(({ id, name, label, key }) => ({ id, name, label, key })),
    })),
    members: realms.flatMap((realm) =>
      realm.listMembers().map((member) => ({
        realm: realm.name,
        email: member.email,
        publicToken: member.publicToken,
        tenantId: member.tenant.id,
        hasAccepted: member.hasAccepted,
        employers: member.employments.map(({ employer: { id, name }, person }) => ({
          id,
          name,
          memberId: person.memberId,
        })),
      })),
    ),
    connections: realms.flatMap((realm) =>
      realm.listConnections().map((connection) => ({ realm: realm.name, ...connection })),
    ),
    tasks: connect.validations.list().map(({ id, connection, validation }) => ({
      id,
      policyHolderId: connection.id,
      state: polledState(validation.state),
      rawState: validation.state,
      message: validation.message,
    })),
    flows: connect.patientAccess.list().map(({ id, stateId, status, policyHolderId, error }) => ({
      id,
      stateId,
      status,
      policyHolderId,
      error,
    })),
  };
}
