import { Button, Checkbox, Fieldset, Group, NativeSelect, Stack, TagsInput } from '@mantine/core';
import type { AccountRules, Limit, MeterRules, PlanYearRules } from '../../../contract/plan-rules.ts';
import { SmallButton } from '../../components/small-button.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { MoneyInput } from './money-input.tsx';

const noLimit: Limit = { person: null, family: null };
const startMeter: MeterRules = { kind: 'embedded', inNetwork: noLimit, outOfNetwork: null, types: null };
const startAccount: AccountRules = {
  per: 'family',
  layers: [{ payer: 'member', amount: null }],
  limit: noLimit,
  carryOver: null,
};

/** The rules of an employer's plan years from a day on. */
export function PlanYearForm(props: { rules: PlanYearRules; onChange: (rules: PlanYearRules) => void }) {
  const { rules, onChange } = props;
  const change = (part: Partial<PlanYearRules>) => onChange({ ...rules, ...part });
  return (
    <Stack gap="sm">
      <Group align="flex-start" gap="sm">
        <TagsInput
          label="Networks that are in network"
          description="As the claims service names them"
          w={280}
          value={rules.inNetwork}
          onChange={(inNetwork) => change({ inNetwork })}
        />
        <TagsInput
          label="Networks that are out of network"
          description="As the claims service names them"
          w={280}
          value={rules.outOfNetwork}
          onChange={(outOfNetwork) => change({ outOfNetwork })}
        />
      </Group>
      <MeterFields
        name="Deductible"
        article="a"
        rules={rules.deductible}
        onChange={(deductible) => change({ deductible })}
      />
      <MeterFields
        name="Out-of-pocket maximum"
        article="an"
        rules={rules.outOfPocket}
        onChange={(outOfPocket) => change({ outOfPocket })}
      />
      <AccountFields rules={rules.account} onChange={(account) => change({ account })} />
    </Stack>
  );
}

function LimitFields(props: { of: string; limit: Limit; onChange: (limit: Limit) => void }) {
  const { of, limit, onChange } = props;
  return (
    <>
      <MoneyInput
        label={`${of}, person`}
        value={limit.person}
        onChange={(person) => onChange({ ...limit, person })}
      />
      <MoneyInput
        label={`${of}, family`}
        value={limit.family}
        onChange={(family) => onChange({ ...limit, family })}
      />
    </>
  );
}

function MeterFields(props: {
  name: string;
  article: 'a' | 'an';
  rules: MeterRules | null;
  onChange: (rules: MeterRules | null) => void;
}) {
  const { name, article, rules, onChange } = props;
  return (
    <Fieldset legend={name}>
      <Checkbox
        label={`This plan has ${article} ${name.toLowerCase()}`}
        checked={rules !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? startMeter : null)}
      />
      {rules !== null && (
        <Stack gap="xs" pt="xs">
          <Group align="flex-start" gap="sm">
            <NativeSelect
              label="Within a family"
              data={[
                { value: 'embedded', label: 'Each person has a limit too (embedded)' },
                { value: 'aggregate', label: 'Only the family has one (aggregate)' },
              ]}
              value={rules.kind}
              onChange={(event) =>
                onChange({
                  ...rules,
                  kind: event.currentTarget.value === 'aggregate' ? 'aggregate' : 'embedded',
                })
              }
            />
            <LimitFields
              of={rules.outOfNetwork === null ? 'Limit' : 'In network'}
              limit={rules.inNetwork}
              onChange={(inNetwork) => onChange({ ...rules, inNetwork })}
            />
            {rules.outOfNetwork !== null && (
              <LimitFields
                of="Out of network"
                limit={rules.outOfNetwork}
                onChange={(outOfNetwork) => onChange({ ...rules, outOfNetwork })}
              />
            )}
          </Group>
          <Checkbox
            label="Claims out of network have a limit of their own"
            checked={rules.outOfNetwork !== null}
            onChange={(event) =>
              onChange({ ...rules, outOfNetwork: event.currentTarget.checked ? noLimit : null })
            }
          />
          <TagsInput
            label="Types of claims that count"
            description="As the claims service names them; empty: all"
            maxTags={20}
            value={rules.types ?? []}
            onChange={(types) => onChange({ ...rules, types: types.length === 0 ? null : types })}
          />
          <SmallPrint>An empty limit is none.</SmallPrint>
        </Stack>
      )}
    </Fieldset>
  );
}

function AccountFields(props: {
  rules: AccountRules | null;
  onChange: (rules: AccountRules | null) => void;
}) {
  const { rules, onChange } = props;
  return (
    <Fieldset legend="Reimbursement account">
      <Checkbox
        label="The account pays by layers or up to a limit"
        checked={rules !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? startAccount : null)}
      />
      {rules !== null && (
        <Stack gap="xs" pt="xs">
          <NativeSelect
            label="Layers count"
            w={220}
            data={[
              { value: 'family', label: 'for the whole family' },
              { value: 'person', label: 'for each person' },
            ]}
            value={rules.per}
            onChange={(event) =>
              onChange({ ...rules, per: event.currentTarget.value === 'person' ? 'person' : 'family' })
            }
          />
          {rules.layers.map((layer, at) => {
            const put = (part: Partial<typeof layer>) =>
              onChange({ ...rules, layers: rules.layers.with(at, { ...layer, ...part }) });
            const label = `Layer ${at + 1}`;
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
                  disabled={rules.layers.length === 1}
                  onClick={() => onChange({ ...rules, layers: rules.layers.toSpliced(at, 1) })}
                >
                  Remove layer {at + 1}
                </Button>
              </Group>
            );
          })}
          <SmallPrint>
            A layer without an amount has no end. After the last one the member pays. Amounts are of what the
            reimbursement rules count.
          </SmallPrint>
          <SmallButton
            style={{ alignSelf: 'flex-start' }}
            disabled={rules.layers.length === 10}
            onClick={() =>
              onChange({
                ...rules,
                layers: [
                  ...rules.layers,
                  { payer: rules.layers.at(-1)?.payer === 'member' ? 'account' : 'member', amount: null },
                ],
              })
            }
          >
            Add layer
          </SmallButton>
          <Group align="flex-start" gap="sm">
            <LimitFields
              of="Yearly limit"
              limit={rules.limit}
              onChange={(limit) => onChange({ ...rules, limit })}
            />
            <Checkbox
              label="What is left is carried over"
              mt={30}
              checked={rules.carryOver !== null}
              onChange={(event) =>
                onChange({ ...rules, carryOver: event.currentTarget.checked ? { most: null } : null })
              }
            />
            {rules.carryOver !== null && (
              <MoneyInput
                label="Carried over at most"
                value={rules.carryOver.most}
                onChange={(most) => onChange({ ...rules, carryOver: { most } })}
              />
            )}
          </Group>
        </Stack>
      )}
    </Fieldset>
  );
}
