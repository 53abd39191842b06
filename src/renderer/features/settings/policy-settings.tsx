import { Alert, List } from '@mantine/core';
import type { Policy } from '../../../contract/policy.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';

/** Shows what an administrator prescribes on this computer; renders nothing without a policy. */
export function PolicySettings() {
  const { data } = useDeskQuery('app:getInfo', {});
  const rules = describePolicy(data?.policy ?? {});
  if (rules.length === 0) return null;
  return (
    <Alert variant="light" color="gray" title="Set by your organization">
      <List size="sm">
        {rules.map((rule) => (
          <List.Item key={rule}>{rule}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Pure: a sentence for each rule of the policy. */
export function describePolicy(policy: Policy): string[] {
  const { allowedServices, teamServers, maxLockMinutes, minAuditYears } = policy;
  return [
    ...(allowedServices === undefined ? [] : [`Claims services: ${allowedServices.join(', ') || 'none'}.`]),
    ...(teamServers === undefined ? [] : [`Team servers: ${teamServers.join(', ') || 'none'}.`]),
    ...(policy.requireUnlockPassphrase === true ? ['An unlock passphrase is required.'] : []),
    ...(maxLockMinutes === undefined
      ? []
      : [`Locks after ${countOf(maxLockMinutes, 'minute')} without activity, or sooner.`]),
    ...(policy.allowSsnExport === false ? ['Exports never have full Social Security numbers.'] : []),
    ...(policy.requireExportReason === true ? ['Every export needs a reason.'] : []),
    ...(minAuditYears === undefined
      ? []
      : [`The audit log is kept for at least ${countOf(minAuditYears, 'year')}.`]),
    ...(policy.allowUpdates === false ? ['Claimdesk doesn’t update itself.'] : []),
  ];
}
