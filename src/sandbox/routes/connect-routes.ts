import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerConnect, type Endpoint } from '../connect/answer-connect.ts';
import { CARRIER_PATH } from '../connect/carrier-address.ts';
import { type AnsweredCall, type Base, readConnectBody, readStateId } from '../connect/connect-call.ts';
import {
  bootstrap,
  bootstrapDemo,
  NO_SUCH_RECORD,
  readConnections,
  readPayer,
  readTerms,
} from '../connect/member-calls.ts';
import { CONNECT_PAYERS } from '../connect/payers.ts';
import {
  checkAcceptance,
  readPolicyHolder,
  resubmitCredentials,
  resubmitNamedInBody,
  submitCredentials,
} from '../connect/policy-holder-calls.ts';
import type { BootstrappedMember } from '../connect/realm.ts';
import { answerValidation, readValidation } from '../connect/validation-calls.ts';
import { ApiError } from '../http/api-error.ts';
import { addBrowserAccess } from '../http/browser-access.ts';
import { ownOrigin } from '../http/own-origin.ts';
import * as replies from '../schemas/connect-replies.ts';
import * as bodies from '../schemas/connect-requests.ts';
import { interopBodySchema } from '../schemas/connect-requests.ts';
import { toRoutePath } from '../schemas/path.ts';
import type { Service } from '../service.ts';

/** `POST /interop`: starts a Patient Access flow and returns the carrier's address for the system browser. */
function beginInterop(call: AnsweredCall, member: BootstrappedMember) {
  const stateId = readStateId(call);
  if (call.service.connect.settings.interopReply === 'missing') throw new ApiError(404, 'No such address');
  const body = readConnectBody(interopBodySchema, call.request.body);
  // A member who accepted in an earlier submit need not accept again.
  if (!member.hasAccepted || body.accept === false) checkAcceptance(member, body);
  const payer = CONNECT_PAYERS.find(
    ({ id, form }) => form === null && (body.payer_id === undefined || body.payer_id === id),
  );
  if (payer === undefined) throw new ApiError(404, NO_SUCH_RECORD);
  const { patientAccess, settings } = call.service.connect;
  const flow = patientAccess.begin({ stateId, member, realm: call.realm, payer }, settings.flowMs);
  const url = `${ownOrigin(call.request)}${CARRIER_PATH}/${flow.id}`;
  if (settings.interopReply === 'none') return {};
  return settings.interopReply === 'text' ? url : { authorization_url: url };
}

/** `GET /interop`: returns the state of the flow. */
function readInterop(call: AnsweredCall, member: BootstrappedMember) {
  const flow = call.service.connect.patientAccess.find(member, readStateId(call));
  if (flow === undefined) throw new ApiError(404, NO_SUCH_RECORD);
  return {
    status: flow.status,
    ...(flow.policyHolderId === null ? {} : { ph_id: flow.policyHolderId }),
    ...(flow.error === null ? {} : { error: flow.error }),
  };
}

/** The endpoints of Connect, for the routes and for the OpenAPI document. */
export const CONNECT_ENDPOINTS: readonly Endpoint[] = [
  {
    method: 'post',
    path: '/bootstrap',
    legacyPath: '/tpastream_sdk',
    id: 'bootstrap',
    summary: 'Create or resolve a member',
    body: bodies.bootstrapBodySchema,
    reply: replies.bootstrapReplySchema,
    route: 'connect-bootstrap',
    about: 'anyone',
    answer: bootstrap,
  },
  {
    method: 'get',
    path: '/bootstrap',
    legacyPath: '/tpastream_sdk',
    id: 'bootstrapDemo',
    summary: 'The member of the demo data, under X-Is-Demo: 1',
    reply: replies.bootstrapReplySchema,
    route: 'connect-bootstrap',
    about: 'anyone',
    answer: bootstrapDemo,
  },
  {
    method: 'get',
    path: '/payer/{employer_id}/{payer_id}',
    id: 'getPayer',
    summary: 'A carrier and its credential form',
    optionalQuery: ['referer'],
    reply: replies.payerReplySchema,
    route: 'connect-payer',
    about: 'member',
    answer: readPayer,
  },
  {
    method: 'get',
    path: '/terms_of_service',
    id: 'getTerms',
    summary: 'Terms of use, as untrusted HTML',
    reply: replies.termsReplySchema,
    route: 'connect-terms',
    about: 'member',
    answer: readTerms,
  },
  {
    method: 'post',
    path: '/policy_holder',
    legacyPath: '/policy_holder_sdk/policy_holder',
    id: 'submitCredentials',
    summary: 'Connect a carrier and start a validation',
    body: bodies.submitBodySchema,
    reply: replies.submitReplySchema,
    route: 'connect-submit',
    about: 'member',
    answer: submitCredentials,
  },
  {
    method: 'put',
    path: '/policy_holder',
    legacyPath: '/policy_holder_sdk/policy_holder',
    id: 'resubmitNamedInBody',
    summary: 'Correct a connection that the body names',
    body: bodies.resubmitBodySchema,
    reply: replies.submitReplySchema,
    route: 'connect-submit',
    about: 'member',
    answer: resubmitNamedInBody,
  },
  {
    method: 'put',
    path: '/policy_holder/{policy_holder_id}',
    legacyPath: '/policy_holder_sdk/policy_holder/{policy_holder_id}',
    id: 'resubmitCredentials',
    summary: 'Correct a connection and start a validation',
    body: bodies.submitBodySchema,
    reply: replies.submitReplySchema,
    route: 'connect-submit',
    about: 'member',
    answer: resubmitCredentials,
  },
  {
    method: 'get',
    path: '/policy_holder/{policy_holder_id}',
    legacyPath: '/policy_holder_sdk/policy_holder/{policy_holder_id}',
    id: 'getPolicyHolder',
    summary: 'How a connection stands',
    query: ['employer_id'],
    reply: replies.policyHolderReplySchema,
    route: 'connect-policy-holder',
    about: 'member',
    answer: readPolicyHolder,
  },
  {
    method: 'get',
    path: '/validate-credentials/{policy_holder_id}/{task_id}',
    id: 'getValidation',
    summary: 'The state of a validation',
    reply: replies.validationReplySchema,
    route: 'connect-validation',
    about: 'member',
    answer: readValidation,
  },
  {
    method: 'put',
    path: '/validate-credentials/{policy_holder_id}/{task_id}',
    id: 'answerValidation',
    summary: 'Give exactly one of a method and a code',
    body: bodies.answerBodySchema,
    reply: replies.answerReplySchema,
    route: 'connect-answer',
    about: 'member',
    answer: answerValidation,
  },
  {
    method: 'get',
    path: '/fix-credentials',
    id: 'listConnections',
    summary: 'All connections of a member',
    reply: replies.fixReplySchema,
    route: 'connect-fix',
    needsAccessToken: true,
    about: 'member',
    answer: readConnections,
  },
  {
    method: 'post',
    path: '/interop',
    id: 'beginPatientAccess',
    summary: 'Begin a Patient Access flow',
    body: bodies.interopBodySchema,
    reply: replies.interopBeginReplySchema,
    route: 'connect-interop',
    needsStateId: true,
    about: 'member',
    answer: beginInterop,
  },
  {
    method: 'get',
    path: '/interop',
    id: 'getPatientAccess',
    summary: 'Where a Patient Access flow stands',
    reply: replies.interopReplySchema,
    route: 'connect-interop',
    needsStateId: true,
    about: 'member',
    answer: readInterop,
  },
];

/** Adds the whole Connect API at one of its two bases. */
export async function addConnectRoutes(app: FastifyInstance, service: Service, base: Base): Promise<void> {
  addBrowserAccess(app);
  for (const endpoint of CONNECT_ENDPOINTS) {
    const { method, path, legacyPath } = endpoint;
    const handle = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
      answerConnect(service, { base, endpoint }, request, reply);
    app[method](toRoutePath(path), handle);
    if (base === 'legacy' && legacyPath !== undefined) app[method](toRoutePath(legacyPath), handle);
  }
}
