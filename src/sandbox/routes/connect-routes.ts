import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Endpoint } from '../connect/answer-connect.ts';
import { answerConnect } from '../connect/answer-connect.ts';
import type { Base } from '../connect/connect-call.ts';
import { beginInterop, readInterop } from '../connect/interop-calls.ts';
import { bootstrap, bootstrapDemo, readConnections, readPayer, readTerms } from '../connect/member-calls.ts';
import {
  readPolicyHolder,
  resubmitCredentials,
  resubmitNamedInBody,
  submitCredentials,
} from '../connect/policy-holder-calls.ts';
import { answerValidation, readValidation } from '../connect/validation-calls.ts';
import { addBrowserAccess } from '../http/browser-access.ts';
import type { Service } from '../service.ts';

type Method = 'get' | 'post' | 'put';

/** Old spellings, which only the legacy base knows. docs/service.md, "Connect calls". */
const LEGACY_PATHS: readonly (readonly [current: string, legacy: string])[] = [
  ['/bootstrap', '/tpastream_sdk'],
  ['/policy_holder', '/policy_holder_sdk/policy_holder'],
  ['/policy_holder/:id', '/policy_holder_sdk/policy_holder/:id'],
];

/** The whole Connect surface at one of its two bases. */
export async function addConnectRoutes(app: FastifyInstance, service: Service, base: Base): Promise<void> {
  addBrowserAccess(app);
  const add = (method: Method, path: string, endpoint: Endpoint): void => {
    const handle = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
      answerConnect(service, endpoint, request, reply);
    app[method](path, handle);
    const old = LEGACY_PATHS.find(([current]) => current === path)?.[1];
    if (base === 'legacy' && old !== undefined) app[method](old, handle);
  };
  add('post', '/bootstrap', { route: 'connect-bootstrap', about: 'anyone', answer: bootstrap });
  add('get', '/bootstrap', { route: 'connect-bootstrap', about: 'anyone', answer: bootstrapDemo });
  add('get', '/payer/:employerId/:payerId', { route: 'connect-payer', about: 'member', answer: readPayer });
  add('get', '/terms_of_service', { route: 'connect-terms', about: 'member', answer: readTerms });
  add('post', '/policy_holder', { route: 'connect-submit', about: 'member', answer: submitCredentials });
  add('put', '/policy_holder', { route: 'connect-submit', about: 'member', answer: resubmitNamedInBody });
  add('put', '/policy_holder/:id', { route: 'connect-submit', about: 'member', answer: resubmitCredentials });
  add('get', '/policy_holder/:id', {
    route: 'connect-policy-holder',
    about: 'member',
    answer: readPolicyHolder,
  });
  const validation = '/validate-credentials/:id/:taskId';
  add('get', validation, { route: 'connect-validation', about: 'member', answer: readValidation });
  add('put', validation, { route: 'connect-answer', about: 'member', answer: answerValidation });
  add('get', '/fix-credentials', {
    route: 'connect-fix',
    about: 'member',
    needsAccessToken: true,
    answer: readConnections,
  });
  add('post', '/interop', {
    route: 'connect-interop',
    about: 'member',
    answer: (call, member) => beginInterop(call, member, base),
  });
  add('get', '/interop', {
    route: 'connect-interop',
    about: 'member',
    answer: (call, member) => readInterop(call, member, base),
  });
}
