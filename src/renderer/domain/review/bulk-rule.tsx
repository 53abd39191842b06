import { Checkbox, Group, NumberInput, Radio, Stack } from '@mantine/core';
import { formatCountOf } from '../../../rules/count.ts';
import { formatTenThousandths } from '../../../rules/money/format-amount.ts';
import { type EligiblePart, eligibleParts } from '../../../rules/money/reimbursement.ts';
import type { PartlyEligible } from '../../../rules/review/decision.ts';
import type { ClaimGroup } from '../../../rules/review/review.ts';
import { partLabels } from '../../../rules/review/review-labels.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Status } from '../../components/text.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';

/** A rule for how much of many claims is eligible; one amount for all is not possible. */
export interface BulkRuleDraft {
  readonly by: 'parts' | 'share';
  readonly without: readonly EligiblePart[];
  /** The percentage as typed; blank: none yet. */
  readonly percent: number | string;
}

export const firstRule: BulkRuleDraft = { by: 'parts', without: ['copay'], percent: '' };

/** The chosen rule; null: a value is missing. */
export function readRule({ by, without, percent }: BulkRuleDraft): PartlyEligible | null {
  if (by === 'parts') return without.length === 0 ? null : { by, without: [...without] };
  return typeof percent === 'number' && percent > 0 && percent < 100 ? { by, percent } : null;
}

/** Chooses how much of each claim is eligible. */
export function BulkRule(props: {
  /** Whether this is the first field of the dialog, which gets the focus. */
  hasFocus: boolean;
  draft: BulkRuleDraft;
  onDraft: (draft: BulkRuleDraft) => void;
}) {
  const { draft, onDraft } = props;
  const { by, without, percent } = draft;
  return (
    <Stack gap="xs">
      <Radio.Group
        label="How much of each claim is eligible"
        value={by}
        onChange={(next) => onDraft({ ...draft, by: next === 'share' ? 'share' : 'parts' })}
      >
        <Group gap="md" pt={4}>
          <Radio
            value="parts"
            label="All but some parts"
            {...(props.hasFocus ? { autoFocus: true, 'data-autofocus': true } : {})}
          />
          <Radio value="share" label="A share" />
        </Group>
      </Radio.Group>
      {by === 'parts' ? (
        <Checkbox.Group
          label="Amount by the rules without"
          value={[...without]}
          onChange={(next) =>
            onDraft({ ...draft, without: eligibleParts.filter((part) => next.includes(part)) })
          }
        >
          <Group gap="md" pt={4}>
            {eligibleParts.map((part) => (
              <Checkbox key={part} value={part} label={partLabels[part]} />
            ))}
          </Group>
        </Checkbox.Group>
      ) : (
        <NumberInput
          label="Share of the amount by the rules"
          w={220}
          maw="100%"
          min={0.01}
          max={99.99}
          decimalScale={2}
          suffix="%"
          autoFocus
          value={percent}
          onChange={(next) => onDraft({ ...draft, percent: next })}
        />
      )}
    </Stack>
  );
}

/** The amount a rule gives for these claims, and for how many it gives none; no data without a rule. */
export function useEstimate(
  selectionId: string,
  groups: readonly ClaimGroup[],
  partly: PartlyEligible | null,
) {
  const isAsked = partly !== null && groups.length > 0;
  const estimate = useWorkspaceQuery(
    'reviews:estimate',
    { selectionId, groups: [...groups], partly: partly ?? { by: 'parts', without: [] } },
    { enabled: isAsked, isOnce: true },
  );
  return { data: isAsked ? (estimate.data ?? null) : null, error: isAsked ? estimate.error : null };
}

/** The amount that the rule gives, before anything is saved. */
export function EstimateText({ estimate: { data, error } }: { estimate: ReturnType<typeof useEstimate> }) {
  if (error !== null) return <ErrorNotice error={error} title="Couldn’t compute the amounts" />;
  if (data === null) return null;
  const { eligible, byRules, notKnown } = data;
  return (
    <Status>
      <b>{formatTenThousandths(eligible)}</b> eligible of {formatTenThousandths(byRules)} by the rules.
      {notKnown > 0 &&
        ` ${formatCountOf(notKnown, 'claim')} for which it can’t be known ${notKnown === 1 ? 'is' : 'are'} left out.`}
    </Status>
  );
}
