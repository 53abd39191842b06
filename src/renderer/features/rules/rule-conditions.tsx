import { Group, Input } from '@mantine/core';
import { useRef, useState } from 'react';
import { ruleFields } from '../../../rules/decide/rule-fields.ts';
import type { Condition } from '../../../rules/query.ts';
import { FilterChips } from '../../domain/list/grid/filter-chips.tsx';
import { FilterPopover, type OpenFilter } from '../../domain/list/grid/filter-popover.tsx';
import { addConditions } from '../../domain/list/list-settings.ts';

const paths = ruleFields.map(({ path }) => path);

/** The conditions of a rule, as filters of claims on the columns that a rule can use. */
export function RuleConditions(props: {
  conditions: readonly Condition[];
  /** Names of IDs, which grow by the values that are chosen here. */
  labels: Map<string, string>;
  onChange: (conditions: Condition[]) => void;
}) {
  const { conditions, labels, onChange } = props;
  const [open, setOpen] = useState<OpenFilter | null>(null);
  const adder = useRef<HTMLButtonElement>(null);
  const change = (next: readonly Condition[], named: ReadonlyMap<string, string> = new Map()) => {
    for (const [value, label] of named) labels.set(value, label);
    onChange([...next]);
  };
  const remove = (index: number) => change(conditions.filter((_one, at) => at !== index));
  return (
    <Input.Wrapper
      role="group"
      aria-label="Conditions"
      label="Conditions"
      description="A claim has to meet all of them. A blank value meets none."
      labelElement="div"
    >
      <Group gap={6} mt={4}>
        <FilterChips
          list={{ labels }}
          entity="claims"
          conditions={conditions}
          includesMissing={false}
          adder={adder}
          onOpen={setOpen}
          onRemove={remove}
          onLeaveOutMissing={() => undefined}
        />
      </Group>
      <FilterPopover
        entity="claims"
        only={paths}
        open={open}
        conditions={conditions}
        queryWithout={(path) => ({
          entity: 'claims',
          conditions: conditions.filter(({ field }) => field !== path),
        })}
        onConditions={change}
        more={null}
        onApply={(condition, index, chosen) =>
          change(
            index === null ? addConditions(conditions, [condition]) : conditions.with(index, condition),
            new Map([...chosen].map(([value, label]) => [`${condition.field} ${value}`, label])),
          )
        }
        onRemove={remove}
        onClose={() => setOpen(null)}
      />
    </Input.Wrapper>
  );
}
