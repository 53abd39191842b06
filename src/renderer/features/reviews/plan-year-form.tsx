import {
  Button,
  Checkbox,
  Fieldset,
  Group,
  NativeSelect,
  NumberInput,
  Stack,
  TagsInput,
  Text,
} from '@mantine/core';
import { planYearFields, type RuleField, sayUnsupported } from '../../../rules/plans/plan-rule-fields.ts';
import type { Layers, PlanYearRules } from '../../../rules/plans/plan-rules.ts';
import { MoneyInput } from '../../components/money-input.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { SmallPrint } from '../../components/text.tsx';

type Values = Readonly<Record<string, unknown>>;
interface Of<F> {
  readonly field: F;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}
type Kind<K extends RuleField['kind']> = Extract<RuleField, { kind: K }>;

/** The rules of an employer from a day on, by the table of their fields. */
export function PlanYearForm(props: { rules: PlanYearRules; onChange: (rules: PlanYearRules) => void }) {
  const { rules, onChange } = props;
  return (
    <Stack gap="sm">
      {/* The table has the fields of the schema, which a test compares; what is saved is parsed by the schema. */}
      <RuleFields
        fields={planYearFields}
        values={rules as unknown as Values}
        onChange={(changed) => onChange(changed as unknown as PlanYearRules)}
      />
      <SmallPrint>{sayUnsupported()}</SmallPrint>
    </Stack>
  );
}

/** The fields of a table, each with its value. */
export function RuleFields(props: {
  fields: readonly RuleField[];
  values: Values;
  onChange: (values: Values) => void;
}) {
  const { fields, values, onChange } = props;
  return fields.map((field) => {
    if (field.kind === 'flag' && field.onlyWith !== undefined && values[field.onlyWith] === null) return null;
    const fieldProps = {
      key: field.name,
      value: values[field.name],
      onChange: (value: unknown) => onChange({ ...values, [field.name]: value }),
    };
    return <Field {...fieldProps} key={field.name} field={field} />;
  });
}

function Field({ field, value, onChange }: Of<RuleField>) {
  switch (field.kind) {
    case 'names':
      return (
        <TagsInput
          label={field.label}
          description={field.about}
          w={420}
          maxTags={20}
          value={(value as string[] | null) ?? []}
          onChange={(names) => onChange(field.isNullable && names.length === 0 ? null : names)}
        />
      );
    case 'flag':
      return (
        <Checkbox
          label={field.label}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'choice':
      return (
        <NativeSelect
          label={field.label}
          w={220}
          data={[...field.choices]}
          value={String(value)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'amount':
      return <MoneyInput label={field.label} value={value as number | null} onChange={onChange} />;
    case 'days':
      return (
        <NumberInput
          label={field.label}
          description={field.about}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          min={field.min}
          max={1000}
          allowDecimal={false}
          value={(value as number | null) ?? ''}
          onChange={(days) => {
            if (typeof days === 'number') onChange(days);
            else if (field.isNullable) onChange(null);
          }}
        />
      );
    case 'layers':
      return <LayerFields field={field} value={value} onChange={onChange} />;
    case 'group':
      return (
        <Group align="flex-end" gap="sm" role="group" aria-label={field.label}>
          <RuleFields fields={field.fields} values={value as Values} onChange={onChange} />
        </Group>
      );
    case 'part':
      return <PartFields field={field} value={value} onChange={onChange} />;
  }
}

/** Fields that are shown if their box is checked. */
function PartFields({ field, value, onChange }: Of<Kind<'part'>>) {
  const content = (
    <>
      <Checkbox
        label={field.label}
        checked={value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? field.start : null)}
      />
      {value !== null && (
        <Stack gap="xs" pt="xs">
          {field.legend === undefined ? (
            <Group align="flex-end" gap="sm">
              <RuleFields fields={field.fields} values={value as Values} onChange={onChange} />
            </Group>
          ) : (
            <RuleFields fields={field.fields} values={value as Values} onChange={onChange} />
          )}
          {field.about !== undefined && <SmallPrint>{field.about}</SmallPrint>}
        </Stack>
      )}
    </>
  );
  return field.legend === undefined ? (
    <div>{content}</div>
  ) : (
    <Fieldset legend={field.legend}>{content}</Fieldset>
  );
}

/** The layers of an account for one coverage. */
function LayerFields({ field, value, onChange }: Of<Kind<'layers'>>) {
  const layers = value as Layers;
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {field.label}
      </Text>
      {layers.map((layer, at) => {
        const put = (part: Partial<typeof layer>) => onChange(layers.with(at, { ...layer, ...part }));
        const label = `${field.label}, layer ${at + 1}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a layer is its place
          <Group key={at} align="flex-end" gap="sm">
            <NativeSelect
              label={`${label}: who pays`}
              data={[
                { value: 'member', label: 'The member' },
                { value: 'account', label: 'The account' },
              ]}
              value={layer.payer}
              onChange={(event) =>
                put({ payer: event.currentTarget.value === 'account' ? 'account' : 'member' })
              }
            />
            <MoneyInput
              label={`${label}: the next`}
              value={layer.amount}
              onChange={(amount) => put({ amount })}
            />
            <Button
              variant="subtle"
              size="compact-sm"
              disabled={layers.length === 1}
              onClick={() => onChange(layers.toSpliced(at, 1))}
            >
              Remove {label.toLowerCase()}
            </Button>
          </Group>
        );
      })}
      <SmallButton
        style={{ alignSelf: 'flex-start' }}
        disabled={layers.length === 10}
        onClick={() =>
          onChange([
            ...layers,
            { payer: layers.at(-1)?.payer === 'member' ? 'account' : 'member', amount: null },
          ])
        }
      >
        Add layer: {field.label.toLowerCase()}
      </SmallButton>
    </Stack>
  );
}
