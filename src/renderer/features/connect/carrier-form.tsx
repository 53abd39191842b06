import { Button, Group } from '@mantine/core';
import type { FormProps } from '@rjsf/core';
import Form from '@rjsf/mantine';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { applyForm } from '../../../carrier-form/apply-form.ts';
import { withoutSecrets } from '../../../carrier-form/form-fields.ts';
import type { Input } from '../../../contract/procedures.ts';
import { carrierValidator, readCarrierForm, readCarrierUi, toExtraErrors } from './carrier-ui.ts';
import { carrierWidgets } from './carrier-widgets.tsx';

type Fields = Record<string, unknown>;
export type CarrierFields = Input<'connect:submit'>['fields'];

/** Only a person may consent: by default the library fills in fields that have one allowed value. */
const defaultsOfTheForm = { constAsDefaults: 'never' } as const;

/**
 * A carrier's own form, made from its JSON Schema. What is typed is kept in this component alone: secrets are dropped
 * as soon as they were submitted, the rest when the page is left.
 */
export function CarrierForm(props: {
  form: Readonly<Record<string, unknown>>;
  uiSchema: Readonly<Record<string, unknown>>;
  /** The initial username, where the form has one. */
  username?: string | null;
  action: string;
  isPending: boolean;
  /** The error details of the last submit. */
  details: Readonly<Record<string, unknown>> | undefined;
  onSubmit: (fields: CarrierFields) => void;
  beside?: ReactNode;
}) {
  const [fields, setFields] = useState<Fields>(() => beginWith(props.form, props.username ?? null));
  const schema = useDrawnForm(props.form, fields);
  const ui = useMemo(() => readCarrierUi(schema, props.uiSchema), [schema, props.uiSchema]);
  const extraErrors = useMemo(() => toExtraErrors(props.details), [props.details]);
  useEffect(() => () => setFields({}), []);
  const submit: NonNullable<FormProps<Fields>['onSubmit']> = ({ formData }) => {
    // What is not shown is not sent. Through JSON, so that fields without a value are not sent either.
    const { values } = applyForm(props.form, formData ?? {});
    props.onSubmit(JSON.parse(JSON.stringify(values)) as CarrierFields);
    setFields(withoutSecrets(props.form, formData ?? {}) as Fields);
  };
  return (
    <Form
      schema={schema}
      uiSchema={ui}
      validator={carrierValidator}
      widgets={carrierWidgets}
      idPrefix="carrier"
      formData={fields}
      experimental_defaultFormStateBehavior={defaultsOfTheForm}
      onChange={({ formData }) => setFields(formData ?? {})}
      onSubmit={submit}
      extraErrors={extraErrors}
      showErrorList={false}
      focusOnFirstError
      noHtml5Validate
      autoComplete="off"
      disabled={props.isPending}
    >
      <Group justify="space-between" mt="sm">
        {props.beside ?? <span />}
        <Button type="submit" loading={props.isPending}>
          {props.action}
        </Button>
      </Group>
    </Form>
  );
}

/** The form for the values filled in so far; the same object until it changes. */
function useDrawnForm(form: Readonly<Record<string, unknown>>, fields: Fields) {
  const text = JSON.stringify(readCarrierForm(applyForm(form, fields).form));
  return useMemo(() => JSON.parse(text) as ReturnType<typeof readCarrierForm>, [text]);
}

/** The initial values. The username only where the form shows a field of that name, because any value is sent. */
function beginWith(form: Readonly<Record<string, unknown>>, username: string | null): Fields {
  const { properties } = form;
  const hasUsername = typeof properties === 'object' && properties !== null && 'username' in properties;
  return username === null || !hasUsername ? {} : { username };
}
