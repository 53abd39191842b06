import { Button, Group, NumberInput, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useDeskMutation, useDeskQuery } from '../lib/desk-query.ts';
import { ErrorNotice } from './error-notice.tsx';
import { Notice } from './notice.tsx';

/** A setting that is a whole number from `min` to `max`, saved by a button. */
export function NumberSetting(props: {
  name: 'auditYears' | 'backupsKept' | 'keyReminderDays' | 'lockAfterMinutes' | 'reviewsADay';
  label: string;
  description: string;
  /** The button's name for screen readers, where "Save" alone is ambiguous. */
  action?: string;
  min: number;
  max: number;
  /** A warning about the typed value, shown before it is saved; null: none. */
  warn?: (value: number) => string | null;
}) {
  const { name, min, max } = props;
  const saved = useDeskQuery('settings:get', {}).data?.[name];
  const change = useDeskMutation('settings:set');
  const [typed, setTyped] = useState<number | string>(saved ?? '');
  useEffect(() => {
    if (saved !== undefined) setTyped(saved);
  }, [saved]);
  const value =
    typeof typed === 'number' && Number.isInteger(typed) && typed >= min && typed <= max ? typed : null;
  const warning = value === null ? null : (props.warn?.(value) ?? null);
  return (
    <Stack gap="xs">
      <Group align="flex-end" gap="xs">
        <NumberInput
          label={props.label}
          description={props.description}
          value={typed}
          onChange={setTyped}
          min={min}
          max={max}
          allowDecimal={false}
          error={value !== null || typed === '' ? null : `Enter a whole number from ${min} to ${max}.`}
          w={340}
        />
        <Button
          variant="default"
          aria-label={props.action}
          disabled={value === null || value === saved}
          loading={change.isPending}
          onClick={() => value !== null && change.mutate({ [name]: value })}
        >
          Save
        </Button>
      </Group>
      {warning !== null && <Notice tone="caution" title={warning} />}
      <ErrorNotice error={change.error} />
    </Stack>
  );
}
