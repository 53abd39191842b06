import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type Fault, findFaults } from '../../../carrier-form/check-form.ts';
import { fieldIn, withoutSecrets } from '../../../carrier-form/form-fields.ts';
import type { Json } from '../../../carrier-form/json.ts';
import type { Input } from '../../../contract/procedures.ts';
import { Form } from '../../components/form.tsx';
import { resolveForm, withoutChoices } from './carrier-choices.ts';
import { fieldId, ObjectFields } from './carrier-fields.tsx';
import { readCarrierUi } from './carrier-ui.ts';

export type CarrierFields = Input<'connect:submit'>['fields'];

/**
 * A carrier's own form, made from its JSON Schema. What is typed is kept in this component alone: secrets are dropped
 * as soon as they were submitted, the rest when the page is left.
 */
export function CarrierForm(props: {
  form: Json;
  uiSchema: Json;
  /** Initial values by name, for those fields that the form has. */
  known: Readonly<Record<string, string>>;
  action: string;
  isPending: boolean;
  /** The error details of the last submit. */
  details: Readonly<Record<string, unknown>> | undefined;
  onSubmit: (fields: CarrierFields) => void;
  /** The first field gets the focus, with its text selected. */
  hasFocus?: boolean;
  beside?: ReactNode;
}) {
  const [fields, setFields] = useState<Json>(() => beginWith(props.form, props.known));
  const [isChecked, setIsChecked] = useState(false);
  const [unseen, setUnseen] = useState<readonly Fault[]>([]);
  const { form, values } = resolveForm(props.form, fields);
  useEffect(() => () => setFields({}), []);
  const drawn = useRef<HTMLFormElement>(null);
  const { hasFocus = false } = props;
  useEffect(() => {
    if (hasFocus) drawn.current?.querySelector('input')?.select();
  }, [hasFocus]);
  const faults = isChecked ? findFaults(form, values) : [];
  const errorAt = (path: readonly string[]): string | undefined => {
    const fault = faults.find((candidate) => candidate.path.join('.') === path.join('.'));
    const detail = props.details?.[`field.${path.join('.')}`];
    return fault?.message ?? (detail === undefined ? undefined : String(detail));
  };
  const submit = () => {
    const currentFaults = findFaults(form, values);
    const elements = currentFaults.map(({ path }) => document.getElementById(fieldId(path)));
    setIsChecked(currentFaults.length > 0);
    setUnseen(currentFaults.filter((_, index) => elements[index] === null));
    if (currentFaults.length > 0) {
      elements.find((element) => element !== null)?.focus();
      return;
    }
    props.onSubmit(withoutChoices(values) as CarrierFields);
    setFields(withoutSecrets(form, fields) as Json);
  };
  return (
    <Form ref={drawn} onSubmit={submit} noValidate autoComplete="off">
      <ObjectFields
        form={form}
        ui={readCarrierUi(form, props.uiSchema)}
        values={values}
        path={[]}
        state={{ errorAt, isDisabled: props.isPending }}
        onChange={(changed) => setFields({ ...fields, ...changed })}
      />
      {unseen.map(({ path, message }) => (
        <Text key={path.join('.')} c="var(--mantine-color-error)" role="alert">
          {path.length === 0 ? message : `${path.join(', ')}: ${message}`}
        </Text>
      ))}
      <Group justify="space-between">
        {props.beside ?? <span />}
        <Button type="submit" loading={props.isPending}>
          {props.action}
        </Button>
      </Group>
    </Form>
  );
}

/** The initial values: only those of fields that the form has, because any value is sent. */
const beginWith = (form: Json, knownValues: Readonly<Record<string, string>>): Json =>
  Object.fromEntries(Object.entries(knownValues).filter(([name]) => fieldIn(form, name) !== null));
