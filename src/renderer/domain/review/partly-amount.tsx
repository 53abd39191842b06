import { Button, Text } from '@mantine/core';
import type { ClaimLineRecord, ClaimRecord } from '../../../contract/records.ts';
import { formatTenThousandths } from '../../../rules/money/dollars.ts';
import type { ClaimReview } from '../../../rules/review/review.ts';
import { Amount } from '../../components/amount.tsx';
import { TextField } from '../../components/text-field.tsx';
import { formatRange } from '../../lib/format-range.ts';
import styles from './outcome-form.module.css';
import { limitOf, maxLines, type PartlyDraft, readDraft } from './partly-draft.ts';

/** Asks how much of a claim is eligible: one amount, or one for each line. The resulting amount is shown below. */
export function PartlyAmount(props: {
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
