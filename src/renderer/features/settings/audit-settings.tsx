import { Group, Stack } from '@mantine/core';
import type { AuditForwarding } from '../../../contract/audit.ts';
import { errorTable } from '../../../contract/error-codes.ts';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import { ButtonLink } from '../../components/links.tsx';
import { Notice } from '../../components/notice.tsx';
import { NumberSetting } from '../../components/number-setting.tsx';
import { Hint } from '../../components/text.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { formatDateTime } from '../../lib/format-date.ts';

/** How long HIPAA requires documentation to be kept: 45 CFR 164.316(b)(2)(i). */
const hipaaYears = 6;

const lookEveryMs = 10_000;

/** A link to the audit log, the retention of its entries, and how far they were forwarded to the organization. */
export function AuditSettings() {
  const { minAuditYears, auditTarget } = useDeskQuery('app:getInfo', {}).data?.policy ?? {};
  const options = { enabled: auditTarget !== undefined, everyMs: lookEveryMs };
  const forwarding = useDeskQuery('audit:readForwarding', {}, options).data?.forwarding ?? null;
  const range =
    minAuditYears === undefined
      ? '1 to 50. HIPAA asks for six.'
      : `At least ${minAuditYears} ${minAuditYears === 1 ? 'year' : 'years'} (set by your IT).`;
  return (
    <Stack gap="md">
      <NumberSetting
        name="auditYears"
        label="Keep audit log entries (years)"
        description={`${range} Older entries are permanently removed.`}
        warn={(years) => (years < hipaaYears ? 'HIPAA asks for six years.' : null)}
        action="Save years"
        min={minAuditYears ?? 1}
        max={50}
      />
      {forwarding !== null && <ForwardingNotice forwarding={forwarding} />}
      <Group gap="xs">
        <ButtonLink to="/audit" variant="default">
          Open audit log
        </ButtonLink>
        <Hint>Who viewed, copied, exported, and unlocked</Hint>
      </Group>
    </Stack>
  );
}

/** Where the organization has entries sent to, up to which one they are there, and since when sending fails. */
function ForwardingNotice({ forwarding }: { forwarding: AuditForwarding }) {
  const { address, through, newest, failing } = forwarding;
  const failure = failing === null ? null : errorTable[failing.code];
  return (
    <Notice
      tone={failure === null ? 'open' : 'caution'}
      title={`Your IT has entries sent to ${address}, without names`}
    >
      {failing !== null && `Failing since ${formatDateTime(failing.since)}. `}
      {failure !== null && `${failure.message} ${failure.nextStep} `}
      {`${formatCount(through)} of ${formatCountOf(newest, 'entry', 'entries')} sent. `}
      Unsent entries are kept up to one year longer.
    </Notice>
  );
}
