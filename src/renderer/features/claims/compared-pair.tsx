import { Group, Text } from '@mantine/core';
import { IconCheck, IconEqualNot } from '@tabler/icons-react';
import { useState } from 'react';
import { formatCode } from '../../../contract/code-labels.ts';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import { fieldsOf } from '../../../rules/list-fields.ts';
import { amountOfCell } from '../../../rules/money/amounts.ts';
import { formatTenThousandths } from '../../../rules/money/format-amount.ts';
import { formatPersonName } from '../../../rules/person-names.ts';
import type { Cell } from '../../../rules/query.ts';
import type { ComparedField, DuplicateKind, DuplicatePair } from '../../../rules/review/duplicates.ts';
import { LargeAmount, Total } from '../../components/amount.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { Hint } from '../../components/text.tsx';
import { TextButton } from '../../components/text-button.tsx';
import type { ListRef } from '../../domain/list/list-ref.ts';
import { KeyCap } from '../../domain/review/key-cap.tsx';
import { formatCell } from '../../lib/format-value.ts';
import styles from './compared-pair.module.css';

const kindLabels: Readonly<Record<DuplicateKind, string>> = {
  sameClaim: 'Same claim twice',
  exact: 'Exact duplicate',
  suspected: 'Suspected duplicate',
  adjustment: 'Adjustment',
};

const kindReasons: Readonly<Record<DuplicateKind, string>> = {
  sameClaim: 'One carrier claim number came through two connections.',
  exact: 'Same person, provider, and days, with equal billed amount and lines.',
  suspected: 'Same person, provider, and days, and a procedure in common. What differs is marked.',
  adjustment: 'Same claim number or mirrored amounts: the newest counts, so it is no duplicate.',
};

const specOf = (path: string) => fieldsOf.claims.find((spec) => spec.path === path);

const nameOf = ({ field, label, left, right }: ComparedField): string => {
  const [a, b] = [amountOfCell(left), amountOfCell(right)];
  const name = label.charAt(0).toLowerCase() + label.slice(1);
  return specOf(field)?.kind === 'money' && a !== null && b !== null
    ? `${name} (${formatTenThousandths(Math.abs(a - b))})`
    : name;
};

/** Why two claims are a pair, with the differences if there are few. */
export function sayWhy({ kind, fields }: Pick<DuplicatePair, 'kind' | 'fields'>): string {
  const differing = fields.filter(({ agrees }) => !agrees);
  if (kind !== 'suspected' || differing.length === 0 || differing.length > 2) return kindReasons[kind];
  return `All equal but ${differing.map(nameOf).join(' and ')}`.replace(/\.?$/, '.');
}

/** Describes the decision about a pair, for the page of one of its claims; null if there is none. */
export function describeJudged(
  { markedId, judged }: Pick<DuplicatePair, 'markedId' | 'judged'>,
  claimId: number,
  other: number,
): string | null {
  if (judged?.isDuplicate === false) return `Marked as not a duplicate of ${other}.`;
  if (markedId === null) return null;
  if (judged === null) return `${markedId === claimId ? 'This claim' : other} is reviewed as a duplicate.`;
  return markedId === claimId
    ? `This claim is marked as the duplicate of ${other}.`
    : `${other} is marked as the duplicate of this one.`;
}

function show({ field }: ComparedField, cell: Cell): string {
  if (cell === null || cell === '') return '(Blank)';
  if (field === 'patient_name') return formatPersonName(String(cell));
  const spec = specOf(field);
  return spec === undefined ? String(cell) : formatCell(formatCode(field, cell), spec.kind);
}

/** Two claims side by side: what differs, and on demand what agrees. The claim that was opened is on the left. */
export function ComparedPair(props: {
  pair: DuplicatePair;
  claimId: number;
  from: ListRef;
  /** Whether the keys are for this pair. */
  isFirst: boolean;
  /** Whether a judgment is being saved. */
  isBusy: boolean;
  onJudge: (isDuplicate: boolean) => void;
  onUndo: (eventId: string) => void;
}) {
  const { pair, claimId, from, isFirst, isBusy } = props;
  const isTurned = pair.right === claimId;
  const other = isTurned ? pair.left : pair.right;
  const { judged, equalClaims } = pair;
  const differing = pair.fields.filter(({ agrees }) => !agrees);
  const equal = pair.fields.filter(({ agrees }) => agrees);
  const [isWhole, setIsWhole] = useState(differing.length === 0);
  const linkTo = (id: number) => (
    <AnchorLink to="/claims/$claimId" params={{ claimId: id }} search={id === claimId ? from : {}}>
      Claim {id}
    </AnchorLink>
  );
  const group = equalClaims === null ? '' : `, one of ${formatCount(equalClaims)} equal claims`;
  return (
    <Section
      title={`${kindLabels[pair.kind]}: claim ${other}${group}`}
      beside={
        <Text size="sm">
          {describeJudged(pair, claimId, other)}
          {pair.isOpen && !(isFirst && pair.payableTwice !== null) && (
            <>
              Payable twice: {pair.payableTwice === null ? 'not known' : <Total amount={pair.payableTwice} />}
            </>
          )}
        </Text>
      }
      actions={
        judged !== null && pair.isUndoable ? (
          <SmallButton loading={isBusy} onClick={() => props.onUndo(judged.eventId)}>
            Undo
          </SmallButton>
        ) : (
          (pair.isOpen || judged !== null) && (
            <Group gap="xs">
              <SmallButton
                rightSection={isFirst && <KeyCap>u</KeyCap>}
                {...(isFirst ? { 'aria-keyshortcuts': 'u' } : {})}
                disabled={isBusy}
                onClick={() => props.onJudge(false)}
              >
                Not a duplicate
              </SmallButton>
              <SmallButton
                rightSection={isFirst && <KeyCap>5</KeyCap>}
                {...(isFirst ? { 'aria-keyshortcuts': '5' } : {})}
                disabled={isBusy}
                onClick={() => props.onJudge(true)}
              >
                Mark {claimId} as duplicate
              </SmallButton>
            </Group>
          )
        )
      }
    >
      {isFirst && pair.payableTwice !== null && (
        <LargeAmount amount={pair.payableTwice} label="payable twice" />
      )}
      <Hint>{sayWhy(pair)}</Hint>
      <DataTable
        label={`Claims ${claimId} and ${other}`}
        verticalSpacing={3}
        className={styles.table ?? ''}
        rows={isWhole ? [...differing, ...equal] : differing}
        keyOf={({ field }) => field}
        rowOf={({ agrees }) => ({ 'data-differs': !agrees || undefined })}
        columns={[
          ['Field', ({ label }) => label],
          [linkTo(claimId), (field) => show(field, isTurned ? field.right : field.left)],
          [linkTo(other), (field) => show(field, isTurned ? field.left : field.right)],
          [
            'Compared',
            ({ agrees }) => (
              <span className={styles.verdict}>
                {agrees ? <IconCheck size={14} aria-hidden /> : <IconEqualNot size={14} aria-hidden />}
                {agrees ? 'Agrees' : 'Differs'}
              </span>
            ),
          ],
        ]}
      />
      {differing.length > 0 && equal.length > 0 && (
        <TextButton aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {formatCountOf(equal.length, 'field')} {equal.length === 1 ? 'agrees' : 'agree'}
        </TextButton>
      )}
    </Section>
  );
}
