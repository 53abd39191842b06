import { Group, Stack } from '@mantine/core';
import { ButtonLink } from '../../components/links.tsx';
import { NumberSetting } from '../../components/number-setting.tsx';
import { Hint } from '../../components/text.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';

/** How long HIPAA requires documentation to be kept: 45 CFR 164.316(b)(2)(i). */
const hipaaYears = 6;

/** A link to the audit log, and how long its entries are kept. */
export function AuditSettings() {
  const { minAuditYears } = useDeskQuery('app:getInfo', {}).data?.policy ?? {};
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
      <Group gap="xs">
        <ButtonLink to="/audit" variant="default">
          Open audit log
        </ButtonLink>
        <Hint>Who viewed, copied, exported, and unlocked</Hint>
      </Group>
    </Stack>
  );
}
