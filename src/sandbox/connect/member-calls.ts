import { ApiError } from '../http/api-error.ts';
import { bootstrapBodySchema } from '../schemas/connect-requests.ts';
import { idTextSchema } from '../schemas/path.ts';
import { carrierAddressOf } from './carrier-address.ts';
import { type AnsweredCall, readConnectBody } from './connect-call.ts';
import { DEMO_PERSON } from './demo-directory.ts';
import { describeUser } from './member-wire.ts';
import { describePayer, describePayerInFull, findPayer, listPayers } from './payers.ts';
import type { BootstrappedMember } from './realm.ts';

/**
 * The terms of use. docs/service.md, "Connect calls": **untrusted HTML**. It contains scripts and addresses that a
 * page must not run or load: a client that shows it unsanitized sets `termsHaveRun`, or calls `tracker.example`.
 */
function termsHtml(tenantName: string, note: string): string {
  const tenant = tenantName.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<div class="terms">
<h1>Terms of use</h1>
<p>By connecting your health plan you allow us to fetch your claims on your behalf, and to send them to <strong>${tenant}</strong>.</p>
<h2>What we fetch</h2>
<ul><li>Explanations of benefits</li><li>Claims and their amounts</li><li>The names of the people your plan covers</li></ul>
<h2>How to end it</h2>
<p>Write to <a href="mailto:privacy@service.example">privacy@service.example</a> or read our <a href="https://service.example/privacy" target="_blank">privacy notice</a>.</p>
<table><caption>How long we keep it</caption><tr><th scope="col">Kind</th><th scope="col">Years</th></tr><tr><td>Claims</td><td>7</td></tr></table>
<script>globalThis.termsHaveRun = true;</script>
<img src="https://tracker.example/pixel.png" alt="" onerror="globalThis.termsHaveRun = true">
<p onclick="globalThis.termsHaveRun = true" style="position:fixed;inset:0">${note}</p>
<a href="javascript:globalThis.termsHaveRun=true">More</a>
<iframe src="https://tracker.example/frame"></iframe><form action="https://tracker.example/form"><input name="q"></form>
<svg><a href="javascript:void 0"><text>.</text></a></svg><base href="https://tracker.example/"><meta http-equiv="refresh" content="0;url=https://tracker.example/">
<link rel="stylesheet" href="https://tracker.example/style.css"><style>body{background:url(https://tracker.example/background.png)}</style>
</div>`;
}

export const NO_SUCH_RECORD = 'No such record';

/** `POST /bootstrap`: creates or finds the member and returns the carriers to choose from. */
export const bootstrap = (call: AnsweredCall) => answerBootstrap(call, call.request.body);

/** `GET` on the bootstrap's path, as some clients send it in demo mode (docs/service.md, "Connect calls"). */
export function bootstrapDemo(call: AnsweredCall) {
  if (call.realm.name !== 'demo') throw new ApiError(404, 'No such address');
  return answerBootstrap(call, DEMO_PERSON);
}

async function answerBootstrap(call: AnsweredCall, sent: unknown) {
  const body = readConnectBody(bootstrapBodySchema, sent);
  const { realm, integration, tenant, service } = call;
  const { member, employer } = realm.bootstrap(
    integration,
    tenant,
    { vendor: body.vendor, systemKey: body.system_key, name: body.employer_name },
    {
      email: body.user_email,
      firstName: body.user_first_name,
      lastName: body.user_last_name,
      dateOfBirth: body.date_of_birth ?? null,
      phone: body.phone_number ?? null,
      systemKey: body.member_system_key ?? null,
    },
  );
  return {
    user: await describeUser(service, realm, member),
    employer: { id: employer.id, name: employer.name, support_email_derived: employer.supportEmail },
    tenant: { id: tenant.id, name: tenant.name },
    payers: listPayers().map((payer) => describePayer(payer, service.connect.settings.payerGroups)),
  };
}

/** `GET /payer/{employer_id}/{payer_id}`. */
export function readPayer(call: AnsweredCall, member: BootstrappedMember) {
  const params = call.request.params as { employer_id: string; payer_id: string };
  findEmployment(member, readId(params.employer_id));
  const payer = findPayer(readId(params.payer_id));
  if (payer === undefined) throw new ApiError(404, NO_SUCH_RECORD);
  return describePayerInFull(payer, carrierAddressOf(call, member, payer));
}

/** `GET /terms_of_service`. */
export function readTerms({ service }: AnsweredCall, member: BootstrappedMember) {
  return { html_string: termsHtml(member.tenant.name, service.connect.settings.termsNote) };
}

/** `GET /fix-credentials`: every connection of the member. */
export async function readConnections(call: AnsweredCall, member: BootstrappedMember) {
  return { user: await describeUser(call.service, call.realm, member) };
}

/**
 * A member's record at an employer.
 *
 * @throws ApiError 404 where the member was not bootstrapped for it
 */
export function findEmployment(
  member: BootstrappedMember,
  employerId: number,
): BootstrappedMember['employments'][number] {
  const employment = member.employments.find(({ employer }) => employer.id === employerId);
  if (employment === undefined) throw new ApiError(404, NO_SUCH_RECORD);
  return employment;
}

/** docs/service.md, "Errors": a malformed path parameter is 404. */
export function readId(text: string): number {
  if (!idTextSchema.safeParse(text).success) throw new ApiError(404, NO_SUCH_RECORD);
  return Number(text);
}
