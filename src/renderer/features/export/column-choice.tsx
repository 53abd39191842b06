import { Checkbox, Chip, Group, Text } from '@mantine/core';
import { useId } from 'react';
import type { ExportColumn } from '../../../contract/export-columns.ts';
import { SmallPrint } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { isSensitive } from './export-columns.ts';
import styles from './export-dialog.module.css';

/** The columns of the file, to be ticked; sensitive ones are marked. */
export function ColumnChoice(props: {
  columns: readonly ExportColumn[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}) {
  const toggle = (path: string) => {
    const next = new Set(props.chosen);
    if (!next.delete(path)) next.add(path);
    props.onChange(next);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={styles.columns} tabIndex={0} aria-label="File columns">
      {props.columns.map((column) => (
        <Checkbox
          key={column.path}
          size="xs"
          checked={props.chosen.has(column.path)}
          onChange={() => toggle(column.path)}
          label={
            <>
              {column.label}
              {isSensitive(column) && <span className={styles.sensitive}>sensitive</span>}
            </>
          }
        />
      ))}
    </section>
  );
}

const usualReasons = ['Reimbursement', 'Carrier follow-up', 'Accounting', 'Audit'] as const;

const otherReason = 'Other';

/** Why personal data leaves: one of the usual reasons, or one in words. `choice` is null until one is chosen. */
interface Reason {
  readonly choice: string | null;
  readonly text: string;
}

export const noReason: Reason = { choice: null, text: '' };

export const reasonText = ({ choice, text }: Reason): string =>
  choice === otherReason ? text.trim() : (choice ?? '');

export function ReasonChoice(props: { reason: Reason; onChange: (reason: Reason) => void }) {
  const { reason, onChange } = props;
  const labelId = useId();
  return (
    <div role="radiogroup" aria-labelledby={labelId} aria-required>
      <Text id={labelId} size="sm" fw={600}>
        Reason
      </Text>
      <SmallPrint mb={6}>Recorded in the audit log.</SmallPrint>
      <Chip.Group value={reason.choice} onChange={(choice) => onChange({ ...reason, choice })}>
        <Group gap={6}>
          {[...usualReasons, otherReason].map((one, index) => (
            <Chip key={one} value={one} size="xs" {...(index === 0 ? { 'data-autofocus': true } : {})}>
              {one}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      {reason.choice === otherReason && (
        <TextField
          mt={8}
          aria-label="Reason in words"
          placeholder="What the file is for, without names"
          maxLength={200}
          value={reason.text}
          onChange={(typed) => onChange({ ...reason, text: typed })}
        />
      )}
    </div>
  );
}
