import { Group, MultiSelect, NativeSelect, NumberInput, Stack, Textarea } from '@mantine/core';
import { MoneyInput } from '../../components/money-input.tsx';
import { TextField } from '../../components/text-field.tsx';
import { BulkRule } from '../../domain/review/bulk-rule.tsx';
import { CauseField } from '../../domain/review/cause-field.tsx';
import { useWhomChoices, WhomField } from '../../domain/review/whom-field.tsx';
import { PersonField } from '../../domain/team/person-field.tsx';
import { useMembers } from '../../domain/team/use-members.ts';
import { RuleConditions } from './rule-conditions.tsx';
import type { TypedRule } from './typed-rule.ts';

const kinds = [
  { value: 'eligible', label: 'Eligible by the rules' },
  { value: 'partly', label: 'Partly eligible' },
  { value: 'notEligible', label: 'Not eligible' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'tag', label: 'Tag' },
  { value: 'owner', label: 'Owner' },
] as const satisfies readonly { readonly value: TypedRule['kind']; readonly label: string }[];

interface Props {
  typed: TypedRule;
  onChange: (part: Partial<TypedRule>) => void;
}

/** The fields of a rule: its name, its conditions, its act, and its limits. */
export function RuleFields(
  props: Props & {
    employers: readonly { readonly id: number; readonly name: string | null }[];
    labels: Map<string, string>;
  },
) {
  const { typed, onChange, employers } = props;
  return (
    <Stack gap="sm">
      <TextField
        label="Name"
        w={340}
        maw="100%"
        maxLength={80}
        value={typed.name}
        onChange={(name) => onChange({ name })}
      />
      <RuleConditions
        conditions={typed.conditions}
        labels={props.labels}
        onChange={(conditions) => onChange({ conditions })}
      />
      <MultiSelect
        label="Employers"
        placeholder={typed.employers.length === 0 ? 'All employers' : ''}
        maw={520}
        searchable
        data={employers.map(({ id, name }) => ({ value: String(id), label: name ?? `Employer ${id}` }))}
        value={typed.employers.map(String)}
        onChange={(chosen) => onChange({ employers: chosen.map(Number) })}
      />
      <Group align="flex-start" gap="sm">
        <NativeSelect
          label="What it does"
          data={[...kinds]}
          value={typed.kind}
          onChange={(event) => onChange({ kind: event.currentTarget.value as TypedRule['kind'] })}
        />
        <ActFields typed={typed} onChange={onChange} />
      </Group>
      <Limits typed={typed} onChange={onChange} />
    </Stack>
  );
}

/** The values of the chosen act. */
function ActFields({ typed, onChange }: Props) {
  const choices = useWhomChoices(true);
  const members = useMembers();
  switch (typed.kind) {
    case 'eligible':
      return null;
    case 'partly':
      return (
        <>
          <BulkRule hasFocus={false} draft={typed.partly} onDraft={(partly) => onChange({ partly })} />
          <CauseField
            label="Reason for the rest (optional)"
            hasFocus={false}
            value={typed.cause}
            onChange={(cause) => onChange({ cause })}
          />
        </>
      );
    case 'notEligible':
      return (
        <CauseField
          label="Reason"
          hasFocus={false}
          value={typed.cause}
          onChange={(cause) => onChange({ cause })}
        />
      );
    case 'waiting':
      return (
        <>
          <WhomField
            label="Waiting on"
            choices={choices}
            value={typed.onWhom}
            onChange={(onWhom) => onChange({ onWhom })}
          />
          <WholeField
            label="Reminder after (days)"
            max={365}
            value={typed.days}
            onChange={(days) => onChange({ days })}
          />
          <Textarea
            label="Reason"
            autosize
            minRows={1}
            w={340}
            maw="100%"
            maxLength={10_000}
            value={typed.reason}
            onChange={(event) => onChange({ reason: event.currentTarget.value })}
          />
        </>
      );
    case 'tag':
      return (
        <TextField label="Tag" maxLength={200} value={typed.tag} onChange={(tag) => onChange({ tag })} />
      );
    case 'owner':
      return (
        <PersonField
          label="Owner"
          people={members ?? []}
          value={typed.owner}
          onChange={(owner) => onChange({ owner })}
        />
      );
  }
}

function Limits({ typed, onChange }: Props) {
  const { perDay } = typed;
  return (
    <Group align="flex-start" gap="sm">
      <MoneyInput
        label="Open at most"
        description="Leave blank for any amount."
        value={typed.most}
        onChange={(most) => onChange({ most })}
      />
      <WholeField
        label="Claims a day"
        description="Where it decides"
        max={100_000}
        value={perDay.claims}
        onChange={(claims) => onChange({ perDay: { ...perDay, claims } })}
      />
      <MoneyInput
        label="Dollars a day"
        description="Where it decides"
        value={perDay.amount < 0 ? null : perDay.amount}
        onChange={(amount) => onChange({ perDay: { ...perDay, amount: amount ?? -1 } })}
      />
      <WholeField
        label="Second look (%)"
        description="Where it decides"
        max={100}
        value={typed.secondLook}
        onChange={(secondLook) => onChange({ secondLook })}
      />
    </Group>
  );
}

/** A whole number; -1 while the field is blank. */
function WholeField(props: {
  label: string;
  description?: string;
  max: number;
  value: number;
  onChange: (value: number) => void;
}) {
  const { value, onChange, ...field } = props;
  return (
    <NumberInput
      {...field}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      w={150}
      min={0}
      allowDecimal={false}
      value={value < 0 ? '' : value}
      onChange={(typed) => onChange(typeof typed === 'number' ? typed : -1)}
    />
  );
}
