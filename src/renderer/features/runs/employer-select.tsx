import { NativeSelect } from '@mantine/core';
import { nameOfEmployer } from '../../domain/run/run-totals.tsx';
import type { OpenRun } from './open-run.ts';

/** Chooses the claims of one employer of a run, by index, or those of all; nothing if there is one employer. */
export const EmployerSelect = (props: {
  employers: OpenRun['totals']['employers'];
  value: string;
  onChange: (chosen: string) => void;
}) =>
  props.employers.length > 1 && (
    <NativeSelect
      label="Claims"
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
      data={[
        { value: 'all', label: 'All employers' },
        ...props.employers.map((employer, index) => ({
          value: String(index),
          label: nameOfEmployer(employer),
        })),
      ]}
    />
  );
