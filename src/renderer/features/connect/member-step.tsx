import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type {
  Confirmation,
  ConnectEmployer,
  ConnectMember,
  MemberPlan,
} from '../../../contract/connect-members.ts';
import type { Input } from '../../../contract/procedures.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Form } from '../../components/form.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { Hint } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { reportOf } from '../../lib/desk-error.ts';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import styles from './connect.module.css';
import { EmployerChoice } from './employer-choice.tsx';
import { chooseEmployer, type MemberValues, readMember } from './member-prefill.ts';

interface Field {
  readonly name: Exclude<keyof MemberValues, 'employer'>;
  readonly label: string;
  readonly hint?: string;
  readonly isOptional?: true;
  readonly type?: 'date';
}

const person: readonly Field[] = [
  { name: 'email', label: 'Email', hint: 'Used to identify the member.' },
  { name: 'firstName', label: 'First name' },
  { name: 'lastName', label: 'Last name' },
];
const details: readonly Field[] = [
  { name: 'memberSystemKey', label: 'Member ID', hint: 'In your benefits system.', isOptional: true },
  { name: 'dateOfBirth', label: 'Date of birth', isOptional: true, type: 'date' },
  { name: 'phone', label: 'Phone', isOptional: true },
];
const order = [
  ...person,
  { name: 'employer' },
  { name: 'systemKey' },
  { name: 'vendor' },
  ...details,
] as const;

/** Creates or finds the member at the service, under an employer that was chosen; a summary is shown first. */
export function MemberStep(props: {
  employers: readonly ConnectEmployer[];
  initial: MemberValues;
  isFromStore: boolean;
  onMember: (member: ConnectMember) => void;
}) {
  const workspace = useWorkspace();
  const { employers } = props;
  const plan = useDeskMutation('connect:planMember');
  const [values, setValues] = useState(props.initial);
  const [isTried, setIsTried] = useState(false);
  const [planned, setPlanned] = useState<{ plan: MemberPlan; input: Input<'connect:addMember'> } | null>(
    null,
  );
  const [confirmed, setConfirmed] = useState<readonly Confirmation[]>([]);
  const { errors } = readMember(values);
  /** A confirmation does not apply to changed values. */
  const change = (next: MemberValues) => {
    setValues(next);
    setConfirmed([]);
    plan.reset();
  };
  const ask = (memberValues: MemberValues, agreed: readonly Confirmation[]) => {
    setIsTried(true);
    const read = readMember(memberValues);
    if (read.input === null) {
      const wrong = order.find(({ name }) => read.errors[name] !== undefined);
      document.getElementById(`member-${wrong?.name}`)?.focus();
      return;
    }
    const input = { workspaceId: workspace.id, ...read.input, confirmed: [...agreed] };
    plan.mutate(input, { onSuccess: (made) => setPlanned({ plan: made, input }) });
  };
  if (planned !== null)
    return <MemberSummary {...planned} onBack={() => setPlanned(null)} onMember={props.onMember} />;
  const shownErrors = isTried ? errors : {};
  const drawField = ({ name, label, hint, isOptional, type }: Field) => (
    <TextField
      key={name}
      id={`member-${name}`}
      label={isOptional ? `${label} (optional)` : label}
      description={hint}
      required={!isOptional}
      type={type ?? 'text'}
      value={values[name]}
      onChange={(typed) => change({ ...values, [name]: typed })}
      error={shownErrors[name]}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...(name === 'email' ? { inputMode: 'email' as const } : {})}
    />
  );
  return (
    <Form onSubmit={() => ask(values, confirmed)} noValidate autoComplete="off">
      <Hint>
        {props.isFromStore
          ? 'Filled in from the member’s record. Check it, and add what is missing.'
          : 'Existing members are matched, not duplicated.'}
      </Hint>
      <div className={styles.two}>{person.map(drawField)}</div>
      <EmployerChoice employers={employers} values={values} errors={shownErrors} onChange={change} />
      <div className={styles.two}>{details.map(drawField)}</div>
      {plan.error !== null && (
        <MemberRefusal
          error={plan.error}
          employers={employers}
          onEmployer={(employer) => change(chooseEmployer(values, employer))}
          onConfirm={(what) => {
            const agreed = [...confirmed, what];
            setConfirmed(agreed);
            ask(values, agreed);
          }}
        />
      )}
      <Group justify="flex-end">
        <Button type="submit" loading={plan.isPending}>
          Continue
        </Button>
      </Group>
    </Form>
  );
}

const confirmable: Readonly<Record<string, { readonly what: Confirmation; readonly label: string }>> = {
  'connect.employerExists': { what: 'sameName', label: 'Create second employer' },
  'connect.memberElsewhere': { what: 'otherEmployer', label: 'Add under this employer too' },
  'connect.employerKeyUnknown': { what: 'unknownKey', label: 'Use this employer ID anyway' },
};

/** Why a member was not added as entered, with a choice of the existing employer, or a button that confirms. */
function MemberRefusal(props: {
  error: unknown;
  employers: readonly ConnectEmployer[];
  onEmployer: (employer: ConnectEmployer) => void;
  onConfirm: (what: Confirmation) => void;
}) {
  const { code, details } = reportOf(props.error);
  const confirmation = confirmable[code];
  const other =
    code === 'connect.employerMismatch'
      ? undefined
      : props.employers.find(({ id, otherIds }) => [id, ...otherIds].includes(Number(details?.employerId)));
  return (
    <ErrorNotice
      error={props.error}
      title="Member not added"
      action={
        <>
          {other !== undefined && (
            <SmallButton onClick={() => props.onEmployer(other)}>
              Use {other.name} (ID {other.id})
            </SmallButton>
          )}
          {confirmation !== undefined && (
            <SmallButton onClick={() => props.onConfirm(confirmation.what)}>{confirmation.label}</SmallButton>
          )}
        </>
      }
    />
  );
}

/** Shows what will be created or matched, before anything is sent. */
function MemberSummary(props: {
  plan: MemberPlan;
  input: Input<'connect:addMember'>;
  onBack: () => void;
  onMember: (member: ConnectMember) => void;
}) {
  const { plan } = props;
  const addMember = useDeskMutation('connect:addMember');
  const go = useRef<HTMLButtonElement>(null);
  useEffect(() => go.current?.focus(), []);
  const submit = () => addMember.mutate(props.input, { onSuccess: ({ member }) => props.onMember(member) });
  return (
    <section aria-label="Summary">
      <Stack gap="sm">
        <Text fw={600} size="sm">
          {plan.sentence}
        </Text>
        <Text size="sm">
          {props.input.email} · Employer ID in your benefits system: {plan.systemKey} · Vendor: {plan.vendor}
        </Text>
        {plan.warning !== null && (
          <Text size="sm">
            <b>Check first: </b>
            {plan.warning}
          </Text>
        )}
        <ErrorNotice error={addMember.error} title="Member not added" />
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onBack}>
            Back
          </Button>
          <Button ref={go} loading={addMember.isPending} onClick={submit}>
            {plan.isMemberKnown ? 'Use existing member' : 'Add member'}
          </Button>
        </Group>
      </Stack>
    </section>
  );
}
