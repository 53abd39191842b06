import { Checkbox, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import type { MemberFilter } from './member-filter.ts';

/** By employer, and whether those who left are shown. */
export function MemberFilterBar(props: { filter: MemberFilter; onChange: (filter: MemberFilter) => void }) {
  const { filter, onChange } = props;
  const [employer, setEmployer] = useState(filter.employer);
  const changeSoon = useDebouncedCallback((text: string) => onChange({ ...filter, employer: text }), 250);
  useEffect(() => setEmployer(filter.employer), [filter.employer]);
  return (
    <>
      <TextInput
        size="xs"
        aria-label="Employer contains"
        placeholder="Employer contains"
        value={employer}
        onChange={(event) => {
          setEmployer(event.currentTarget.value);
          changeSoon(event.currentTarget.value);
        }}
      />
      <Checkbox
        size="xs"
        label="Show archived"
        checked={filter.includesArchived}
        onChange={(event) => onChange({ ...filter, includesArchived: event.currentTarget.checked })}
      />
    </>
  );
}
