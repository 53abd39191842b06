import { z } from 'zod';
import { ApiError } from '../http/api-error.ts';
import type { SubmitBody } from '../schemas/connect-requests.ts';
import { resubmitBodySchema, submitBodySchema } from '../schemas/connect-requests.ts';
import { idTextSchema } from '../schemas/path.ts';
import type { AnsweredCall } from './connect-call.ts';
import { fieldErrorsOf, invalidFields, readConnectBody } from './connect-call.ts';
import { findEmployment, NO_SUCH_RECORD, readId } from './member-calls.ts';
import { describePolicyHolder } from './member-wire.ts';
import type { OfferedPayer } from './payers.ts';
import { findPayer } from './payers.ts';
import type { BootstrappedMember, Connection } from './realm.ts';
import { planFor } from './test-carriers.ts';

/** Valid submitted credentials, without the password, which is not kept. */
type Submitted = {
  readonly employment: BootstrappedMember['employments'][number];
  readonly payer: OfferedPayer;
  readonly username: string;
};

/** `POST /policy_holder`: a connection and its first validation; the same login again is the same connection. */
export function submitCredentials(call: AnsweredCall, member: BootstrappedMember) {
  const submitted = readSubmit(member, readConnectBody(submitBodySchema, call.request.body));
  const held = findOwnOrRefuse(call, member, submitted);
  const { employment, payer, username } = submitted;
  return validate(
    call,
    member,
    submitted,
    held ?? call.realm.addConnection(employment.person, payer.id, username),
  );
}

/** `PUT /policy_holder/{id}`: other credentials for a connection that exists. */
export function resubmitCredentials(call: AnsweredCall, member: BootstrappedMember) {
  const { policy_holder_id: id } = call.request.params as { policy_holder_id: string };
  const connection = findOwn(call, member, readId(id));
  return correct(call, member, connection, readConnectBody(submitBodySchema, call.request.body));
}

/**
 * The bare `PUT /policy_holder`: the body identifies the connection by its id, or by payer and username
 * (docs/service.md, "Connect calls").
 */
export function resubmitNamedInBody(call: AnsweredCall, member: BootstrappedMember) {
  const body = readConnectBody(resubmitBodySchema, call.request.body);
  if (body.policy_holder_id !== undefined)
    return correct(call, member, findOwn(call, member, body.policy_holder_id), body);
  const payerId = payerIdOf(body);
  const named = call.realm
    .connectionsOf(member)
    .find(
      (connection) =>
        connection.payerId === payerId &&
        connection.username.toLowerCase() === body.username?.trim().toLowerCase(),
    );
  if (named === undefined) throw new ApiError(404, NO_SUCH_RECORD);
  return correct(call, member, named, body);
}

/** `GET /policy_holder/{id}`. */
export function readPolicyHolder(call: AnsweredCall, member: BootstrappedMember) {
  const { policy_holder_id: id } = call.request.params as { policy_holder_id: string };
  const query = z.looseObject({ employer_id: idTextSchema }).safeParse(call.request.query);
  if (!query.success) throw invalidFields({ employer_id: ['must be a whole number'] });
  const connection = findOwn(call, member, readId(id));
  const { person } = findEmployment(member, Number(query.data.employer_id));
  if (person.memberId !== connection.memberId) throw new ApiError(404, NO_SUCH_RECORD);
  return describePolicyHolder(call.service, call.realm, member, connection);
}

/**
 * The member's own connection.
 *
 * @throws ApiError 404, also for one of another member
 */
export function findOwn(call: AnsweredCall, member: BootstrappedMember, id: number): Connection {
  const connection = call.realm.connectionsOf(member).find((candidate) => candidate.id === id);
  if (connection === undefined) throw new ApiError(404, NO_SUCH_RECORD);
  return connection;
}

function correct(call: AnsweredCall, member: BootstrappedMember, connection: Connection, body: SubmitBody) {
  const submitted = readSubmit(member, body, connection.payerId);
  const held = findOwnOrRefuse(call, member, submitted);
  if (held !== undefined && held !== connection) throw heldByAnother();
  connection.username = submitted.username;
  return validate(call, member, submitted, connection);
}

/**
 * Checks a submit in the order: acceptance, employer and payer, the carrier's own form.
 *
 * @throws ApiError 403 without acceptance, 404 for a payer or an employer, 422 with details per field
 */
function readSubmit(member: BootstrappedMember, body: SubmitBody, ofPayer?: number): Submitted {
  checkAcceptance(member, body);
  const payerId = payerIdOf(body);
  if (payerId === undefined) throw invalidFields({ payer_id: ['is required'] });
  const employment = findEmployment(member, body.employer_id);
  const payer = findPayer(payerId);
  if (payer === undefined || (ofPayer !== undefined && payerId !== ofPayer))
    throw new ApiError(404, NO_SUCH_RECORD);
  if (payer.form === null) throw invalidFields({ payer_id: ['signs in on the carrier’s own page'] });
  if (typeof body.member_id === 'number' && body.member_id !== employment.person.memberId)
    throw invalidFields({ member_id: ['is not this member'] });
  // The fields that identify the member and the payer are not part of the form.
  const { user_email: email, payer_id: id, ...fields } = body;
  const identityFields = { ...(body.user && { user_email: email }), ...(body.payer && { payer_id: id }) };
  const filled = payer.form.safeParse({ ...fields, ...identityFields });
  if (!filled.success) throw invalidFields(fieldErrorsOf(filled.error));
  return { employment, payer, username: String(filled.data.username) };
}

/** The nested spelling is tried first: with it, `payer_id` may be a field of the carrier's own form. */
const payerIdOf = ({ payer, payer_id: payerId }: SubmitBody): number | undefined =>
  payer?.id ?? (typeof payerId === 'number' ? payerId : undefined);

/**
 * Acceptance is part of the submit (docs/service.md, "Connect calls"): `accept`, and in `tenants_accept` the member's
 * tenant or `true`.
 *
 * @throws ApiError 403
 */
export function checkAcceptance(
  member: BootstrappedMember,
  body: Pick<SubmitBody, 'accept' | 'tenants_accept'>,
): void {
  if (body.accept !== true) throw new ApiError(403, 'The member has not accepted the terms of use');
  if (body.tenants_accept?.some((accepted) => accepted === true || accepted === member.tenant.id) !== true)
    throw new ApiError(403, 'The member has not allowed this tenant to receive their claims');
  member.hasAccepted = true;
}

/**
 * The member's own connection with this username, if there is one.
 *
 * @throws ApiError 403 where it belongs to another member
 */
function findOwnOrRefuse(
  call: AnsweredCall,
  member: BootstrappedMember,
  { payer, username }: Submitted,
): Connection | undefined {
  const held = call.realm.findHolder(payer.id, username);
  if (held !== undefined && !call.realm.connectionsOf(member).includes(held)) throw heldByAnother();
  return held;
}

function heldByAnother(): ApiError {
  return new ApiError(403, 'Another connection holds this username');
}

async function validate(
  call: AnsweredCall,
  _member: BootstrappedMember,
  { payer, username }: Submitted,
  connection: Connection,
) {
  const { connect, clock } = call.service;
  const { isFast, ...plan } = planFor(username, payer);
  const task = connect.validations.start(connection, plan, isFast);
  return {
    policy_holder_id: connection.id,
    task_id: task.id,
    task_token: await connect.tokens.mint('task', task.id, clock.serverNowMs()),
  };
}
