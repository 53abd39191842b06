import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { ClaimLineRecord, ClaimRecord } from '../../../contract/records.ts';
import { formatTenThousandths } from '../../../rules/money/format-amount.ts';
import { rulesOf, serviceOf } from '../../../rules/money/reimbursement.ts';
import { decide } from '../../../rules/review/acts/decision.ts';
import type { ReviewAct } from '../../../rules/review/event-kinds.ts';
import type { ClaimReview } from '../../../rules/review/review.ts';
import { outcomeLabels } from '../../../rules/review/review-labels.ts';
import { Amount } from '../../components/amount.tsx';
import { Form } from '../../components/form.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { formatRange } from '../../lib/format-range.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { useWorkspaceSettings } from '../workspace/use-workspace-settings.ts';
import { CauseField } from './cause-field.tsx';
import type { AskedOutcome } from './group-commands.ts';
import styles from './outcome-form.module.css';
import {
  findProblem,
  findWhole,
  limitOf,
  maxLines,
  type PartlyDraft,
  readDraft,
  startDraft,
} from './partly-draft.ts';

/** Asks how much of a claim is eligible: one amount, or one for each line. The resulting amount is shown below. */
function PartlyAmount(props: {
  review: ClaimReview;
  claim: ClaimRecord | undefined;
  draft: PartlyDraft;
  onDraft: (draft: PartlyDraft) => void;
}) {
  const { review, claim, draft, onDraft } = props;
  const lines = claim?.claim_medical_lines ?? [];
  const isByLine = draft.by === 'lines';
  const eligible = readDraft(draft)?.eligible ?? null;
  const limit = limitOf(review, claim);
  return (
    <>
      {isByLine ? (
        <LineAmounts
          lines={lines}
          typed={draft.lines}
          onTyped={(typed) => onDraft({ ...draft, lines: typed })}
        />
      ) : (
        <TextField
          size="xs"
          label="Eligible amount"
          autoFocus
          data-autofocus
          inputMode="decimal"
          leftSection={<span aria-hidden>$</span>}
          value={draft.amount}
          onFocus={(event) => event.currentTarget.select()}
          onChange={(typed) => onDraft({ ...draft, amount: typed })}
        />
      )}
      <Text size="xs" role="status" className={styles.sum ?? ''}>
        <span>
          <b>{eligible === null ? '–' : formatTenThousandths(eligible)}</b> eligible
        </span>
        {limit !== null && (
          <span>
            <b>{eligible === null ? '–' : formatTenThousandths(limit - eligible)}</b>
            {review.byRules === null ? ' of patient resp. left' : ' declined'}
          </span>
        )}
      </Text>
      {lines.length > 0 && lines.length <= maxLines && (
        <Button
          size="compact-xs"
          variant={isByLine ? 'light' : 'default'}
          aria-pressed={isByLine}
          className={styles.mode ?? ''}
          onClick={() => onDraft({ ...draft, by: isByLine ? 'amount' : 'lines' })}
        >
          By line
        </Button>
      )}
    </>
  );
}

function LineAmounts(props: {
  lines: readonly ClaimLineRecord[];
  typed: readonly string[];
  onTyped: (typed: readonly string[]) => void;
}) {
  const { lines, typed, onTyped } = props;
  return (
    <table className={styles.lines} aria-label="Eligible by line">
      <thead>
        <tr>
          <th scope="col">Line</th>
          <th scope="col">Patient resp.</th>
          <th scope="col">Eligible</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => {
          const name =
            [line.procedure_code, line.procedure_name].filter(Boolean).join(' ') || `Line ${index + 1}`;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is decided by its place
            <tr key={index}>
              <th scope="row">
                {name}
                <span>{formatRange(line.date_of_service)}</span>
              </th>
              <td>
                <Amount value={line.patient_responsibility} />
              </td>
              <td>
                <TextField
                  size="xs"
                  aria-label={`Eligible of line ${index + 1}, ${name}`}
                  autoFocus={index === 0}
                  inputMode="decimal"
                  value={typed[index] ?? ''}
                  onFocus={(event) => event.currentTarget.select()}
                  onChange={(text) => {
                    const next = [...typed];
                    next[index] = text;
                    onTyped(next);
                  }}
                />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface OutcomeFormProps {
  review: ClaimReview;
  outcome: AskedOutcome;
  onAct: (act: ReviewAct) => void;
  onClose: () => void;
}

/**
 * Asks how much of one claim is eligible, and why the rest is not. It starts with the amount by the rules, of which
 * something has to be declined; Enter saves and Escape closes the form.
 */
export function OutcomeForm(props: OutcomeFormProps) {
  const { review, outcome } = props;
  const claim = useWorkspaceQuery('records:getClaim', { id: review.claimId });
  // The form needs the claim's lines, so it waits for them.
  if (outcome === 'partlyEligible' && claim.isPending) return null;
  return <Fields {...props} claim={claim.data?.claim} />;
}

function Fields(props: OutcomeFormProps & { claim: ClaimRecord | undefined }) {
  const { review, outcome, claim, onAct, onClose } = props;
  const workspace = useWorkspace();
  const { reimbursementRules } = useWorkspaceSettings().settings;
  const service = serviceOf(workspace);
  const employerId = claim?.members?.find(({ employer }) => typeof employer?.id === 'number')?.employer?.id;
  const [draft, setDraft] = useState<PartlyDraft>(() =>
    startDraft(review, claim, rulesOf(reimbursementRules, service, employerId ?? null)),
  );
  const [cause, setCause] = useState(review.outcome === outcome ? (review.cause ?? '') : '');
  const [isRefused, setIsRefused] = useState(false);
  const isPartly = outcome === 'partlyEligible';
  const limit = limitOf(review, claim);
  const problem = isPartly ? (findProblem(draft, limit) ?? findWhole(draft, review.byRules)) : null;
  const read = isPartly ? readDraft(draft) : null;
  const save = () => {
    setIsRefused(problem !== null);
    if (problem !== null || (isPartly && read === null)) return;
    onAct({
      ...decide('done', outcome),
      ...(read === null ? {} : { partly: read.partly }),
      ...(cause.trim() === '' ? {} : { cause: cause.trim() }),
    });
  };
  return (
    <Form
      className={styles.form}
      aria-label={outcomeLabels[outcome]}
      onSubmit={save}
      onKeyDown={(event) => {
        const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
        // Letters and digits typed here must not trigger the shortcuts of the claim or its list.
        if (isPlain && (event.key.length === 1 || event.key === 'Escape')) event.stopPropagation();
        if (event.key === 'Escape') onClose();
      }}
      gap={null}
    >
      {isPartly && <PartlyAmount review={review} claim={claim} draft={draft} onDraft={setDraft} />}
      <CauseField
        size="xs"
        label={isPartly ? 'Reason for the rest (optional)' : 'Reason (optional)'}
        hasFocus={!isPartly}
        value={cause}
        onChange={setCause}
      />
      {isRefused && problem !== null && (
        <Text size="xs" role="alert" c="var(--mantine-color-error)">
          {problem}
        </Text>
      )}
      <div className={styles.end}>
        <Button size="sm" variant="subtle" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" size="sm">
          {outcomeLabels[outcome]}
          {read !== null && `, ${formatTenThousandths(read.eligible)}`}
        </Button>
      </div>
    </Form>
  );
}
