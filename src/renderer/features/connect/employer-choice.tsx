import { Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ConnectEmployer } from '../../../contract/connect-members.ts';
import { SmallButton } from '../../components/small-button.tsx';
import { TextField } from '../../components/text-field.tsx';
import styles from './connect.module.css';
import { chooseEmployer, type MemberValues } from './member-prefill.ts';

/** Two employers with one name are distinguished by tenant and ID. */
function optionOf(employer: ConnectEmployer, all: readonly ConnectEmployer[]) {
  const isTwin = all.some(({ id, name }) => id !== employer.id && name === employer.name);
  const details = isTwin ? [...employer.tenantNames, `ID ${employer.id}`] : [];
  return { value: String(employer.id), label: [employer.name, ...details].join(' · ') };
}

/** The choice of a known employer; a new one only by its own button. */
export function EmployerChoice(props: {
  employers: readonly ConnectEmployer[];
  values: MemberValues;
  errors: Partial<Record<keyof MemberValues, string>>;
  onChange: (values: MemberValues) => void;
}) {
  const { employers, values, errors, onChange } = props;
  const { employer } = values;
  const chosen = employers.find(({ id }) => employer?.kind === 'known' && id === employer.id);
  return (
    <Stack gap="xs">
      {employer?.kind === 'new' ? (
        <TextField
          id="member-employer"
          label="New employer name"
          description="The claims service creates this employer when the member is added."
          required
          value={employer.name}
          onChange={(typed) => onChange({ ...values, employer: { kind: 'new', name: typed } })}
          error={errors.employer}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
      ) : (
        <Select
          id="member-employer"
          label="Employer"
          description={
            employers.length === 0
              ? 'No employers on this computer yet. Sync first, then existing employers can be chosen here.'
              : 'Choose from the list.'
          }
          required
          searchable
          selectFirstOptionOnChange
          allowDeselect={false}
          nothingFoundMessage="No employers match."
          data={employers.map((choice) => optionOf(choice, employers))}
          value={employer === null ? null : String(employer.id)}
          onChange={(value) =>
            onChange(chooseEmployer(values, employers.find(({ id }) => String(id) === value) ?? null))
          }
          error={errors.employer}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
      )}
      <Group>
        {employer?.kind === 'new' ? (
          <SmallButton variant="subtle" onClick={() => onChange(chooseEmployer(values, null))}>
            Choose existing employer
          </SmallButton>
        ) : (
          <SmallButton
            variant="subtle"
            onClick={() => onChange({ ...chooseEmployer(values, null), employer: { kind: 'new', name: '' } })}
          >
            Create a new employer
          </SmallButton>
        )}
      </Group>
      {employer !== null && (
        <EmployerKeys
          key={employer.kind === 'known' ? employer.id : 'new'}
          kept={chosen}
          values={values}
          errors={errors}
          onChange={onChange}
        />
      )}
    </Stack>
  );
}

/** The keys of an employer at the claims service: entered once, then stored; they can be changed. */
function EmployerKeys(props: {
  kept: ConnectEmployer | undefined;
  values: MemberValues;
  errors: Partial<Record<keyof MemberValues, string>>;
  onChange: (values: MemberValues) => void;
}) {
  const { kept, values, errors, onChange } = props;
  const [isChanging, setIsChanging] = useState(false);
  if (kept !== undefined && kept.systemKey !== null && !isChanging) {
    return (
      <Group gap="xs">
        <Text size="sm">
          Employer ID in your benefits system: <b>{kept.systemKey}</b> · Vendor: <b>{kept.vendor}</b>
        </Text>
        <SmallButton variant="subtle" onClick={() => setIsChanging(true)}>
          Change employer ID
        </SmallButton>
      </Group>
    );
  }
  const labels = kept?.vendorLabels ?? [];
  const fields = [
    {
      name: 'systemKey',
      label: 'Employer ID in your benefits system',
      hint: 'Ask whoever set up the integration. It is saved for this employer.',
    },
    {
      name: 'vendor',
      label: 'Vendor',
      hint:
        labels.length > 1
          ? `The benefits system’s label at the claims service: ${labels.join(' or ')}.`
          : 'The benefits system’s label at the claims service.',
    },
  ] as const;
  return (
    <div className={styles.two}>
      {fields.map(({ name, label, hint }) => (
        <TextField
          key={name}
          id={`member-${name}`}
          label={label}
          description={hint}
          required
          value={values[name]}
          onChange={(typed) => onChange({ ...values, [name]: typed })}
          error={errors[name]}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
      ))}
    </div>
  );
}
