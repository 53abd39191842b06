import { DeskError } from '../../../lib/errors.ts';
import { type AccessToken, createAccessToken } from './access-token.ts';
import {
  anySchema,
  authorizationSchema,
  type BootstrapReply,
  bootstrapSchema,
  type ConnectionReply,
  fixSchema,
  mintSchema,
  type PatientAccessReply,
  type PayerReply,
  type PolicyHolderReply,
  patientAccessSchema,
  payerSchema,
  policyHolderSchema,
  type SubmittedReply,
  submittedSchema,
  termsSchema,
  type ValidationReply,
  validationSchema,
} from './connect-replies.ts';
import { type Answered, type ConnectPorts, createConnectSender, type Integration } from './send-connect.ts';
import { type Login, submitBody } from './submit-body.ts';

/** docs/service.md, "Connect calls", `POST /bootstrap`. */
export interface BootstrapBody {
  readonly system_key: string;
  readonly vendor: string;
  readonly employer_name: string;
  readonly user_email: string;
  readonly user_first_name: string;
  readonly user_last_name: string;
  readonly date_of_birth?: string;
  readonly phone_number?: string;
  readonly member_system_key?: string;
}

/** Identifies a validation at the service. */
export interface Task {
  readonly email: string;
  readonly policyHolderId: number;
  readonly taskId: string;
}

/** The Connect API, one function an endpoint. Each takes a signal that ends it. */
export interface ConnectApi {
  mint(signal?: AbortSignal): Promise<Answered<string>>;
  bootstrap(body: BootstrapBody, signal?: AbortSignal): Promise<Answered<BootstrapReply>>;
  readPayer(
    wanted: { email: string; employerId: number; payerId: number },
    signal?: AbortSignal,
  ): Promise<Answered<PayerReply>>;
  readTerms(email: string, signal?: AbortSignal): Promise<Answered<string>>;
  submitLogin(login: Login, signal?: AbortSignal): Promise<Answered<SubmittedReply>>;
  correctLogin(
    login: Login & { readonly policyHolderId: number },
    signal?: AbortSignal,
  ): Promise<Answered<SubmittedReply>>;
  readPolicyHolder(
    wanted: { email: string; employerId: number; policyHolderId: number },
    signal?: AbortSignal,
  ): Promise<Answered<PolicyHolderReply>>;
  readValidation(task: Task, signal?: AbortSignal): Promise<Answered<ValidationReply>>;
  answerValidation(
    task: Task,
    answer: { readonly method: string } | { readonly code: string },
    signal?: AbortSignal,
  ): Promise<Answered<unknown>>;
  readConnections(email: string, signal?: AbortSignal): Promise<Answered<ConnectionReply[]>>;
  beginPatientAccess(
    wanted: { email: string; payerId: number; tenantIds: readonly number[]; stateId: string },
    signal?: AbortSignal,
  ): Promise<Answered<string | null>>;
  readPatientAccess(
    wanted: { email: string; stateId: string },
    signal?: AbortSignal,
  ): Promise<Answered<PatientAccessReply>>;
}

/**
 * The client of Connect (docs/service.md, "Connect calls").
 *
 * @param readSecret the secret key, read for each mint and not kept; null where there is none
 * @param correction how a correction identifies its connection (docs/service.md, "Connect calls", the bare PUT)
 * @throws DeskError `connect.*`, `service.*` with the request id where there is one; `sync.canceled` on the signal
 */
export function createConnectApi(
  integration: Integration,
  ports: ConnectPorts,
  options: {
    readonly readSecret: (() => Promise<string>) | null;
    readonly correction: 'path' | 'body';
  },
): ConnectApi {
  const { readSecret } = options;
  const token: AccessToken = createAccessToken(readSecret === null ? null : async () => (await mint()).data);
  const send = createConnectSender(integration, ports, token);

  const mint = async (signal?: AbortSignal): Promise<Answered<string>> => {
    if (readSecret === null) throw new DeskError('connect.secretMissing');
    const secret = await readSecret();
    return send({
      method: 'POST',
      route: 'mint',
      body: { connect_access_key: integration.publicToken, connect_secret_key: secret },
      reply: mintSchema,
      isRepeatable: true,
      accessToken: 'never',
      refused: { isMint: true, sentValues: [secret] },
      signal,
    });
  };

  const refusedLogin = (login: Login) => ({ hasConsents: true, sentValues: textsIn(login.fields) });

  return {
    async mint(signal) {
      const minted = await mint(signal);
      token.takeOver(minted.data);
      return minted;
    },
    // Repeating it returns the same member.
    bootstrap: (body, signal) =>
      send({
        method: 'POST',
        route: 'bootstrap',
        body: { ...body },
        reply: bootstrapSchema,
        isRepeatable: true,
        refused: { sentValues: Object.values(body) },
        signal,
      }),
    readPayer: ({ email, employerId, payerId }, signal) =>
      send({
        method: 'GET',
        route: 'payer',
        pathValues: [employerId, payerId],
        email,
        reply: payerSchema,
        isRepeatable: true,
        signal,
      }),
    async readTerms(email, signal) {
      const { data, requestId } = await send({
        method: 'GET',
        route: 'terms',
        email,
        reply: termsSchema,
        isRepeatable: true,
        signal,
      });
      return { data: data.html_string, requestId };
    },
    // A carrier locks an account after some attempts: never sent twice.
    submitLogin: (login, signal) =>
      saySubmitUncertain(
        send({
          method: 'POST',
          route: 'policyHolders',
          body: submitBody(login),
          reply: submittedSchema,
          isRepeatable: false,
          refused: refusedLogin(login),
          signal,
        }),
      ),
    correctLogin: ({ policyHolderId, ...login }, signal) => {
      // A form may have a field that is called like the connection; the other spelling leaves room for it.
      const isNamedInPath = options.correction === 'path' || 'policy_holder_id' in login.fields;
      return saySubmitUncertain(
        send({
          method: 'PUT',
          route: isNamedInPath ? 'policyHolder' : 'policyHolders',
          pathValues: isNamedInPath ? [policyHolderId] : [],
          body: { ...submitBody(login), ...(isNamedInPath ? {} : { policy_holder_id: policyHolderId }) },
          reply: submittedSchema,
          isRepeatable: false,
          refused: refusedLogin(login),
          signal,
        }),
      );
    },
    readPolicyHolder: ({ email, employerId, policyHolderId }, signal) =>
      send({
        method: 'GET',
        route: 'policyHolder',
        pathValues: [policyHolderId],
        email,
        query: { employer_id: String(employerId) },
        reply: policyHolderSchema,
        isRepeatable: true,
        signal,
      }),
    readValidation: ({ email, policyHolderId, taskId }, signal) =>
      send({
        method: 'GET',
        route: 'validation',
        pathValues: [policyHolderId, taskId],
        email,
        reply: validationSchema,
        isRepeatable: true,
        signal,
      }),
    // Sending it twice would send two codes, or use one up.
    answerValidation: ({ email, policyHolderId, taskId }, answer, signal) =>
      send({
        method: 'PUT',
        route: 'validation',
        pathValues: [policyHolderId, taskId],
        email,
        body: answer,
        reply: anySchema,
        isRepeatable: false,
        refused: { sentValues: Object.values(answer) },
        signal,
      }),
    async readConnections(email, signal) {
      const { data, requestId } = await send({
        method: 'GET',
        route: 'fix',
        email,
        reply: fixSchema,
        isRepeatable: true,
        accessToken: 'always',
        signal,
      });
      return { data: data.user.policy_holders, requestId };
    },
    beginPatientAccess: ({ email, payerId, tenantIds, stateId }, signal) =>
      send({
        method: 'POST',
        route: 'interop',
        email,
        body: { payer_id: payerId, accept: true, tenants_accept: tenantIds },
        reply: authorizationSchema,
        isRepeatable: false,
        stateId,
        refused: { hasConsents: true },
        signal,
      }),
    readPatientAccess: ({ email, stateId }, signal) =>
      send({
        method: 'GET',
        route: 'interop',
        email,
        reply: patientAccessSchema,
        isRepeatable: true,
        stateId,
        signal,
      }),
  };
}

/** A submit got no answer, or an unreadable one: the service may have received it. */
async function saySubmitUncertain<T>(sent: Promise<T>): Promise<T> {
  const uncertain = ['service.fault', 'service.connectionLost', 'service.timeout', 'service.badReply'];
  return sent.catch((thrown: unknown) => {
    if (!(thrown instanceof DeskError) || !uncertain.includes(thrown.code)) throw thrown;
    throw new DeskError('connect.submitUncertain', {
      requestId: thrown.requestId,
      details: { reason: thrown.code },
      cause: thrown,
    });
  });
}

/** Every text in the fields of a form. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
