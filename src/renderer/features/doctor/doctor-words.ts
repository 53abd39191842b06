import type { DoctorResult, DoctorShown, DoctorStepId } from '../../../contract/doctor.ts';
import type { DoctorStatus } from '../../../contract/doctor-findings.ts';

/** What each step looks at, as a person would call it. */
export const stepTitles = {
  dns: 'Name of the service',
  tcp: 'Connection to its computer',
  proxy: 'Proxy',
  tls: 'Encryption and identity',
  http: 'Answer',
  clock: 'Clock',
  keychain: 'Keychain',
  key: 'SSH key',
  token: 'Signature made here',
  acceptance: 'Signature accepted there',
  permission: 'Permission',
  rateLimit: 'Number of requests',
  reply: 'Form of the reply',
} as const satisfies Record<DoctorStepId, string>;

/** Said beside the mark, so that no colour has to be seen. */
export const statusWords = {
  ok: 'in order',
  failed: 'failed',
  warning: 'needs attention',
  skipped: 'not tried',
} as const satisfies Record<DoctorStatus, string>;

export const outcomeTitles = {
  works: 'The connection works',
  attention: 'The connection works, and there is something to put right',
  broken: 'The connection does not work',
} as const satisfies Record<DoctorResult['outcome'], string>;

const shownLabels = {
  host: 'Service',
  proxyHost: 'Proxy',
  redirectHost: 'Sends to',
  certificateFor: 'Certificate for',
  certificateBy: 'Certificate by',
  fingerprint: 'Fingerprint',
  registrationUrl: 'Page for SSH keys',
} as const satisfies Record<keyof DoctorShown, string>;

/** What helps on the screen beside a finding; none of it is in the copied report. */
export function listShown(shown: DoctorShown): [label: string, value: string][] {
  return (Object.keys(shownLabels) as (keyof DoctorShown)[]).flatMap((name) => {
    const value = shown[name];
    return value === undefined || value === '' ? [] : [[shownLabels[name], value] as [string, string]];
  });
}
