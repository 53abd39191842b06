import type { Policy } from '../../../contract/policy.ts';

/** Pure: what an organization prescribes, a sentence each; none where nothing is. */
export function describePolicy(policy: Policy): string[] {
  const { allowedServices, maxLockMinutes, minAuditYears } = policy;
  return [
    ...(allowedServices === undefined ? [] : [`Claims services: ${allowedServices.join(', ') || 'none'}.`]),
    ...(policy.requireUnlockPassphrase === true ? ['An unlock passphrase is required.'] : []),
    ...(maxLockMinutes === undefined ? [] : [`Locks after ${maxLockMinutes} inactive minutes at most.`]),
    ...(policy.allowSsnExport === false ? ['Exports never have full Social Security numbers.'] : []),
    ...(policy.requireExportReason === true ? ['Every export needs a reason.'] : []),
    ...(minAuditYears === undefined ? [] : [`The audit log is kept for at least ${minAuditYears} years.`]),
    ...(policy.allowUpdates === false ? ['Claimdesk doesn’t update itself.'] : []),
  ];
}
