import { DeskError } from '../../../lib/errors.ts';
import { type AccessToken, createAccessToken } from './access-token.ts';
import {
  anySchema,
  authorizationSchema,
  bootstrapSchema,
  type ConnectionReply,
  fixSchema,
  mintSchema,
  patientAccessSchema,
  payerSchema,
  policyHolderSchema,
  type SubmittedReply,
  submittedSchema,
  termsSchema,
  validationSchema,
} from './connect-replies.ts';
import {
  type Answered,
  type ConnectPorts,
  type ConnectRequest,
  createConnectSender,
  type Integration,
} from './send-connect.ts';

/** docs/service.md, "Connect calls", `POST /bootstrap`. */
interface BootstrapBody {
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
interface Task {
  readonly email: string;
  readonly policyHolderId: number;
  readonly taskId: string;
}

/**
 * The client of Connect (docs/service.md, "Connect calls"), with one function per endpoint.
 * @param readSecret the secret key, read for each mint and not kept; null where there is none
 * @param correction how a correction identifies its connection (docs/service.md, "Connect calls", the bare PUT)
 * @throws DeskError `connect.*`, `service.*` with the request id where there is one; `sync.canceled` on the signal
 */
export function createConnectApi(
  integration: Integration,
  ports: ConnectPorts,
  {
    readSecret,
    correction,
  }: { readonly readSecret: (() => Promise<string>) | null; readonly correction: 'path' | 'body' },
) {
  const token: AccessToken = createAccessToken(readSecret === null ? null : async () => (await mint()).data);
  const send = createConnectSender(integration, ports, token);

  const mint = async (): Promise<Answered<string>> => {
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
    });
  };
  return {
    async mint() {
      const minted = await mint();
      token.takeOver(minted.data);
      return minted;
    },
    /** A repeated request returns the same member. */
    bootstrap: (body: BootstrapBody) =>
      send({
        method: 'POST',
        route: 'bootstrap',
        body: { ...body },
        reply: bootstrapSchema,
        isRepeatable: true,
        refused: { sentValues: Object.values(body) },
      }),
    readPayer: (request: { email: string; employerId: number; payerId: number }) =>
      send({
        method: 'GET',
        route: 'payer',
        pathValues: [request.employerId, request.payerId],
        email: request.email,
        reply: payerSchema,
      }),
    async readTerms(email: string): Promise<Answered<string>> {
      const { data, requestId } = await send({ method: 'GET', route: 'terms', email, reply: termsSchema });
      return { data: data.html_string, requestId };
    },
    async readConnections(email: string): Promise<Answered<ConnectionReply[]>> {
      const call = { method: 'GET', route: 'fix', email, reply: fixSchema, accessToken: 'always' } as const;
      const { data, requestId } = await send(call);
      return { data: data.user.policy_holders, requestId };
    },
    ...loginCalls(send, correction),
    ...patientAccessCalls(send),
  };
}

export type ConnectApi = ReturnType<typeof createConnectApi>;

type Send = ReturnType<typeof createConnectSender>;

function loginCalls(send: Send, correction: 'path' | 'body') {
  /** Sends a login once and never repeats it: a carrier locks an account after several attempts. */
  const submit = (
    call: Pick<ConnectRequest<SubmittedReply>, 'method' | 'route' | 'pathValues' | 'body'>,
    { fields }: Login,
  ): Promise<Answered<SubmittedReply>> => {
    const refused = { hasConsents: true, sentValues: textsIn(fields) };
    return saySubmitUncertain(send({ ...call, reply: submittedSchema, refused }));
  };

  return {
    submitLogin: (login: Login) =>
      submit({ method: 'POST', route: 'policyHolders', body: submitBody(login) }, login),
    correctLogin({ policyHolderId, ...login }: Login & { readonly policyHolderId: number }) {
      const body = submitBody(login);
      // A form may have a field with the same name as the connection's ID; then the ID is sent in the path.
      return correction === 'path' || 'policy_holder_id' in login.fields
        ? submit({ method: 'PUT', route: 'policyHolder', pathValues: [policyHolderId], body }, login)
        : submit(
            { method: 'PUT', route: 'policyHolders', body: { ...body, policy_holder_id: policyHolderId } },
            login,
          );
    },
    readPolicyHolder: (
      { email, employerId, policyHolderId }: { email: string; employerId: number; policyHolderId: number },
      signal?: AbortSignal,
    ) =>
      send({
        method: 'GET',
        route: 'policyHolder',
        pathValues: [policyHolderId],
        email,
        query: { employer_id: String(employerId) },
        reply: policyHolderSchema,
        signal,
      }),
    readValidation: ({ email, policyHolderId, taskId }: Task, signal?: AbortSignal) =>
      send({
        method: 'GET',
        route: 'validation',
        pathValues: [policyHolderId, taskId],
        email,
        reply: validationSchema,
        signal,
      }),
    /** Not repeated: a repeated request could send two codes, or use up a code. */
    answerValidation: (
      { email, policyHolderId, taskId }: Task,
      answer: { readonly method: string } | { readonly code: string },
    ) =>
      send({
        method: 'PUT',
        route: 'validation',
        pathValues: [policyHolderId, taskId],
        email,
        body: answer,
        reply: anySchema,
        refused: { sentValues: Object.values(answer) },
      }),
  };
}

const patientAccessCalls = (send: Send) => ({
  beginPatientAccess: (request: {
    email: string;
    payerId: number;
    tenantIds: readonly number[];
    stateId: string;
  }) =>
    send({
      method: 'POST',
      route: 'interop',
      email: request.email,
      body: { payer_id: request.payerId, accept: true, tenants_accept: request.tenantIds },
      reply: authorizationSchema,
      stateId: request.stateId,
      refused: { hasConsents: true },
    }),
  readPatientAccess: ({ email, stateId }: { email: string; stateId: string }, signal?: AbortSignal) =>
    send({ method: 'GET', route: 'interop', email, reply: patientAccessSchema, stateId, signal }),
});

/** The error for a submit without a readable answer: the service may have received it. */
async function saySubmitUncertain<T>(sent: Promise<T>): Promise<T> {
  const uncertain = [
    'service.fault',
    'service.connectionLost',
    'service.timeout',
    'service.badReply',
    'service.webPage',
  ];
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

/** A carrier login with the consents that are sent with it (docs/service.md, "Connect calls"). */
interface Login {
  readonly email: string;
  readonly employerId: number;
  readonly payerId: number;
  /** The fields of the carrier's form, at top level. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly tenantIds: readonly number[];
}

/** Fields that only the request sets, and that have no other spelling. */
const requestOnly: readonly string[] = ['employer_id', 'tenants_accept'];

/**
 * The body of a submit (docs/service.md, "Connect calls"): the fields of the carrier's form at top level, next to those
 * of the request. If the form's fields have the same names, the member and the carrier are sent in their other
 * spelling, `user.email` and `payer.id`.
 * @throws DeskError `usage.invalid` where both spellings are taken, or a field contains what only the request may set
 */
function submitBody({ fields, email, employerId, payerId, tenantIds }: Login): Record<string, unknown> {
  const name = (flat: string, value: unknown, outer: string, inner: string): Record<string, unknown> => {
    if (!(flat in fields) || fields[flat] === value) return { [flat]: value };
    if (outer in fields) throw new DeskError('usage.invalid');
    return { [outer]: { [inner]: value } };
  };
  const isTaken =
    requestOnly.some((field) => field in fields) || ('accept' in fields && fields.accept !== true);
  if (isTaken) throw new DeskError('usage.invalid');
  return {
    ...fields,
    ...name('user_email', email, 'user', 'email'),
    ...name('payer_id', payerId, 'payer', 'id'),
    employer_id: employerId,
    accept: true,
    tenants_accept: tenantIds,
  };
}
