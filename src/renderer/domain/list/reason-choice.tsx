import { Chip, Group, Text } from '@mantine/core';
import { useId } from 'react';
import { SmallPrint } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';

const usualReasons = ['Reimbursement', 'Carrier follow-up', 'Accounting', 'Audit'] as const;

const otherReason = 'Other';

/** Why personal data leaves: one of the usual reasons, or one in words. `choice` is null until one is chosen. */
interface Reason {
  readonly choice: string | null;
  readonly text: string;
}

export const noReason: Reason = { choice: null, text: '' };

/** The reason of a run's file, which is chosen at first. */
export const reimbursement: Reason = { choice: usualReasons[0], text: '' };

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
          {[...usualReasons, otherReason].map((choice, index) => (
            <Chip key={choice} value={choice} size="xs" {...(index === 0 ? { 'data-autofocus': true } : {})}>
              {choice}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      {reason.choice === otherReason && (
        <TextField
          mt={8}
          aria-label="Reason in words"
          placeholder="What they are for, without names"
          maxLength={200}
          value={reason.text}
          onChange={(typed) => onChange({ ...reason, text: typed })}
        />
      )}
    </div>
  );
}
