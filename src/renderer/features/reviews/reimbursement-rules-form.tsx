import { Button, Checkbox, Group, NativeSelect, NumberInput, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { formatCode } from '../../../contract/code-labels.ts';
import {
  eligibleParts,
  employerKeyOf,
  type ReimbursementRules,
  rulesOf,
  serviceOf,
} from '../../../rules/money/reimbursement.ts';
import { deadlineFields } from '../../../rules/plans/plan-rule-fields.ts';
import { partLabels } from '../../../rules/review/review-labels.ts';
import { isSameJson } from '../../../rules/review/same-value.ts';
import { changesOfRules } from '../../../rules/review/team-settings.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { usePlanYearStart } from '../../domain/claim/use-plan-year-start.ts';
import { useWorkspaceSettings } from '../../domain/workspace/use-workspace-settings.ts';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { monthNames } from '../../lib/format-date.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { ByEmployer } from './by-employer.tsx';
import { RuleFields } from './plan-year-form.tsx';

const dollar = 10_000;

/** Edits the amounts that an employer's account reimburses, or those of all employers without separate rules. */
export const ReimbursementRulesForm = () => (
  <ByEmployer title="Reimbursement rules" label="Rules for">
    {(employerId) => <RulesOf key={employerId} employerId={employerId} />}
  </ByEmployer>
);

function RulesOf({ employerId }: { employerId: number | null }) {
  const { settings, isSaving, error, save } = useWorkspaceSettings();
  const planYear = usePlanYearStart(employerId);
  const networks = useWorkspaceQuery('records:listValues', {
    entity: 'claims',
    field: 'network',
    limit: 20,
  }).data?.values.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  const service = serviceOf(useWorkspace());
  const key = employerKeyOf(service, employerId);
  const all = settings.reimbursementRules;
  const saved = rulesOf(all, service, employerId);
  const [rules, setRules] = useState<ReimbursementRules>(saved);
  const savedText = JSON.stringify(saved);
  useEffect(() => setRules(JSON.parse(savedText) as ReimbursementRules), [savedText]);
  const change = (part: Partial<ReimbursementRules>) => setRules({ ...rules, ...part });
  const { [key]: ownRules, ...others } = all;
  return (
    <Stack gap="sm">
      <Checkbox.Group
        label="Eligible parts of patient responsibility"
        value={rules.parts}
        onChange={(parts) => change({ parts: eligibleParts.filter((part) => parts.includes(part)) })}
      >
        <Group gap="md" pt={4}>
          {eligibleParts.map((part) => (
            <Checkbox key={part} value={part} label={partLabels[part]} />
          ))}
        </Group>
      </Checkbox.Group>
      <Checkbox
        label="Any network"
        checked={rules.networks === null}
        onChange={(event) => change({ networks: event.currentTarget.checked ? null : [] })}
      />
      {rules.networks !== null && (
        <Checkbox.Group
          label="Networks that count"
          value={rules.networks}
          onChange={(chosen) => change({ networks: chosen })}
        >
          <Group gap="md" pt={4}>
            {[...new Set([...(networks ?? []), ...rules.networks])].map((network) => (
              <Checkbox key={network} value={network} label={formatCode('network', network)} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
      <Group align="flex-start" gap="sm">
        <NativeSelect
          label="Plan year starts in"
          value={String(planYear.start)}
          onChange={(event) => planYear.setStart(Number(event.currentTarget.value))}
          data={monthNames.map((name, index) => ({ value: String(index + 1), label: name }))}
        />
        <RuleFields
          fields={deadlineFields}
          values={rules as unknown as Record<string, unknown>}
          onChange={(changed) => setRules(changed as unknown as ReimbursementRules)}
        />
        <NumberInput
          label="High-cost threshold"
          description="Per person per plan year, in dollars. Leave blank for none."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          min={0}
          max={100_000_000}
          allowDecimal={false}
          prefix="$"
          thousandSeparator=","
          value={rules.highCostFrom === null ? '' : rules.highCostFrom / dollar}
          onChange={(dollars) =>
            change({ highCostFrom: typeof dollars === 'number' ? Math.round(dollars) * dollar : null })
          }
        />
      </Group>
      <Group gap="xs">
        <Button
          variant="default"
          aria-label="Save rules"
          disabled={isSameJson(rules, saved) || rules.networks?.length === 0}
          loading={isSaving}
          onClick={() =>
            save(
              { reimbursementRules: { ...others, [key]: rules } },
              changesOfRules(employerId, rules, ownRules ?? null),
            )
          }
        >
          Save
        </Button>
        {ownRules !== undefined && (
          <Button
            variant="subtle"
            onClick={() => save({ reimbursementRules: others }, changesOfRules(employerId, null))}
          >
            {employerId === null ? 'Reset rules' : 'Use the rules of all employers'}
          </Button>
        )}
      </Group>
      {rules.networks?.length === 0 && <SmallPrint>Choose at least one network.</SmallPrint>}
      {(error ?? planYear.error) !== null && <ErrorNotice error={error ?? planYear.error} />}
    </Stack>
  );
}
