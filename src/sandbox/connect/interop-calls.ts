import { ApiError } from '../http/api-error.ts';
import { ownOrigin } from '../http/own-origin.ts';
import { interopBodySchema } from '../schemas/connect-requests.ts';
import { CARRIER_PATH } from './carrier-address.ts';
import type { ConnectCall } from './connect-call.ts';
import { readConnectBody, readStateId } from './connect-call.ts';
import { NO_SUCH_RECORD } from './member-calls.ts';
import { CONNECT_PAYERS } from './payers.ts';
import { checkAcceptance } from './policy-holder-calls.ts';
import type { BootstrappedMember } from './realm.ts';

/** `POST /interop`: starts a Patient Access flow and returns the carrier's address for the system browser. */
export function beginInterop(call: ConnectCall, member: BootstrappedMember) {
  const stateId = readStateId(call);
  if (call.service.connect.settings.interopReply === 'missing') throw new ApiError(404, 'No such address');
  const body = readConnectBody(interopBodySchema, call.request.body);
  // Acceptance need not be repeated after an earlier submit.
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

/** `GET /interop`: the state of the flow. */
export function readInterop(call: ConnectCall, member: BootstrappedMember) {
  const flow = call.service.connect.patientAccess.find(member, readStateId(call));
  if (flow === undefined) throw new ApiError(404, NO_SUCH_RECORD);
  return {
    status: flow.status,
    ...(flow.policyHolderId === null ? {} : { ph_id: flow.policyHolderId }),
    ...(flow.error === null ? {} : { error: flow.error }),
  };
}
