import { ownOrigin } from '../http/own-origin.ts';
import type { AnsweredCall } from './connect-call.ts';
import type { OfferedPayer } from './payers.ts';
import type { BootstrappedMember } from './realm.ts';

/** Path of the carrier's own page, which this program serves too. */
export const CARRIER_PATH = '/carrier/authorize';
/** Path of a carrier's own address for a member, which leads to the same pages. */
export const CARRIER_ENTRY_PATH = '/carrier/enter';

/** `interoperability_authorization_url`; null if the carrier has no page. */
export function carrierAddressOf(
  call: AnsweredCall,
  member: BootstrappedMember,
  payer: OfferedPayer,
): string | null {
  const { patientAccess, settings } = call.service.connect;
  if (payer.form !== null || settings.carrierAddress === 'none') return null;
  const id = patientAccess.addressOf({ member, realm: call.realm, payer });
  return `${ownOrigin(call.request)}${CARRIER_ENTRY_PATH}/${id}`;
}
