import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { formatCountOf } from '../../../rules/count.ts';
import type { OpenRun } from './open-run.ts';

/** Asks whether claims that changed since a run was made stay in it with their amounts; nothing where there are none. */
export function useMarked({ marked }: OpenRun) {
  const [isChecked, setIsChecked] = useState(false);
  return {
    isAnswered: marked === 0 || isChecked,
    question: marked > 0 && (
      <Checkbox
        label={`Include ${formatCountOf(marked, 'claim')} that changed since the run was made`}
        description="Each has its amount in the run. To leave them out, close this and use Leave out."
        checked={isChecked}
        onChange={(event) => setIsChecked(event.currentTarget.checked)}
      />
    ),
  };
}
