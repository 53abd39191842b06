import { Button, Group } from '@mantine/core';
import type { FormProps } from '@rjsf/core';
import Form from '@rjsf/mantine';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { Input } from '../../../contract/procedures.ts';
import { toExtraErrors } from './carrier-errors.ts';
import { readCarrierForm, readCarrierUi, withoutSecrets } from './carrier-ui.ts';
import { carrierValidator } from './carrier-validator.ts';
import { carrierWidgets } from './carrier-widgets.tsx';

type Fields = Record<string, unknown>;
export type CarrierFields = Input<'connect:submit'>['fields'];

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
  const schema = useMemo(() => readCarrierForm(props.form), [props.form]);
  const ui = useMemo(() => readCarrierUi(props.form, props.uiSchema), [props.form, props.uiSchema]);
  const [fields, setFields] = useState<Fields>(() => beginWith(props.form, props.username ?? null));
  const extraErrors = useMemo(() => toExtraErrors(props.details), [props.details]);
  useEffect(() => () => setFields({}), []);
  const submit: NonNullable<FormProps<Fields>['onSubmit']> = ({ formData }) => {
    // Through JSON, so that fields without a value are not sent.
    props.onSubmit(JSON.parse(JSON.stringify(formData ?? {})) as CarrierFields);
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

/** Only into a field of that name: any other would be sent without being visible. */
function beginWith(form: Readonly<Record<string, unknown>>, username: string | null): Fields {
  const { properties } = form;
  const hasUsername = typeof properties === 'object' && properties !== null && 'username' in properties;
  return username === null || !hasUsername ? {} : { username };
}
