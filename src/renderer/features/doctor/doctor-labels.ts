import type { DoctorResult, DoctorShown } from '../../../contract/doctor.ts';
import type { DoctorStatus } from '../../../contract/doctor-steps.ts';

/** Shown beside the icon, so that it does not depend on color. */
export const statusLabels = {
  ok: 'OK',
  failed: 'Failed',
  warning: 'Warning',
  skipped: 'Not checked',
} as const satisfies Record<DoctorStatus, string>;

export const outcomeTitles = {
  works: 'Connected',
  attention: 'Connected, with warnings',
  broken: 'Not connected',
} as const satisfies Record<DoctorResult['outcome'], string>;

const shownLabels = {
  host: 'Service',
  proxyHost: 'Proxy',
  redirectHost: 'Sends to',
  certificateFor: 'Certificate for',
  certificateBy: 'Certificate issued by',
  fingerprint: 'Fingerprint',
  registrationUrl: 'SSH keys page',
} as const satisfies Record<keyof DoctorShown, string>;

/** Details on the screen beside a finding; none of them is in the copied report. */
export const listShown = (shown: DoctorShown): [label: string, value: string][] =>
  (Object.keys(shownLabels) as (keyof DoctorShown)[]).flatMap((name) => {
    const value = shown[name];
    return value === undefined || value === '' ? [] : [[shownLabels[name], value] as [string, string]];
  });
