import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { fullNameOf } from '../../lib/format-name.ts';

/** A member, found by typing; also by the record number alone, since the records here may no longer have the member. */
export function MemberField(props: { memberId: string | null; onChange: (memberId: string | null) => void }) {
  const { memberId, onChange } = props;
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 80);
  const answer = useWorkspaceQuery(
    'records:readFirst',
    {
      query: { entity: 'members', search, includesArchived: true, includesMissing: true },
      limit: 8,
      fields: ['id', 'first_name', 'last_name', 'employer.name'],
      isLookup: true,
    },
    { enabled: search.length >= 2, isOnce: true },
  );
  const matches = (answer.data?.rows ?? []).map((row) => ({
    value: String(row.id),
    label: [fullNameOf(row), `Record no. ${row.id}`, row['employer.name']].filter(Boolean).join(' · '),
  }));
  const isNumber = /^\d{1,15}$/.test(typed.trim());
  const byNumber = isNumber ? [{ value: typed.trim(), label: `Record no. ${typed.trim()}` }] : [];
  const data = matches.some(({ value }) => value === typed.trim()) ? matches : [...matches, ...byNumber];
  return (
    <Select
      label="Member"
      placeholder="Name or record no."
      searchable
      selectFirstOptionOnChange
      nothingFoundMessage={search.length >= 2 ? 'No members match.' : undefined}
      filter={({ options }) => options}
      data={data}
      value={memberId}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={onChange}
    />
  );
}
