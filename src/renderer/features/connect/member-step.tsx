import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { ConnectMember } from '../../../contract/connect-views.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';
import styles from './connect.module.css';
import { type MemberValues, readMember } from './member-prefill.ts';

const fields: readonly {
  readonly name: keyof MemberValues;
  readonly label: string;
  readonly hint?: string;
  readonly isOptional?: true;
  readonly type?: 'date';
}[] = [
  { name: 'email', label: 'Email', hint: 'It names the member in everything that follows.' },
  { name: 'firstName', label: 'First name' },
  { name: 'lastName', label: 'Last name' },
  { name: 'employerName', label: 'Employer', hint: 'One that the service does not know is created.' },
  { name: 'systemKey', label: 'Employer key', hint: 'The employer’s key in the vendor’s system.' },
  { name: 'vendor', label: 'Vendor', hint: 'The vendor’s code.' },
  { name: 'memberSystemKey', label: 'Member key', isOptional: true },
  { name: 'dateOfBirth', label: 'Date of birth', isOptional: true, type: 'date' },
  { name: 'phone', label: 'Phone', isOptional: true },
];

/** Creates or finds the member at the service; it may be done again at any time. */
export function MemberStep(props: {
  workspace: Workspace;
  initial: MemberValues;
  isFromStore: boolean;
  onMember: (member: ConnectMember) => void;
}) {
  const bootstrap = useDeskMutation('connect:bootstrap');
  const [values, setValues] = useState(props.initial);
  const [isTried, setIsTried] = useState(false);
  const { input, errors } = readMember(values);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (input === null) {
      const wrong = fields.find(({ name }) => errors[name] !== undefined);
      document.getElementById(`member-${wrong?.name}`)?.focus();
      return;
    }
    bootstrap.mutate(
      { workspaceId: props.workspace.id, ...input },
      { onSuccess: ({ member }) => props.onMember(member) },
    );
  };
  return (
    <form onSubmit={submit} noValidate autoComplete="off">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {props.isFromStore
            ? 'Filled in from the member’s record. Check it, and add what is missing.'
            : 'A member whom the service knows already is found again: nothing is made twice.'}
        </Text>
        <div className={styles.two}>
          {fields.map(({ name, label, hint, isOptional, type }) => (
            <TextInput
              key={name}
              id={`member-${name}`}
              label={isOptional ? `${label} (may be empty)` : label}
              description={hint}
              required={!isOptional}
              type={type ?? 'text'}
              autoComplete="off"
              spellCheck={false}
              value={values[name]}
              onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
              error={isTried ? errors[name] : undefined}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              {...(name === 'email' ? { inputMode: 'email' as const } : {})}
            />
          ))}
        </div>
        {bootstrap.error !== null && (
          <ErrorNotice error={bootstrap.error} title="The member was not brought in" />
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={bootstrap.isPending}>
            Bring the member in
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
