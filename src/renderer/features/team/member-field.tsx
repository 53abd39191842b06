import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DeskBridge } from '../../../contract/bridge.ts';
import { readFirstRows } from '../../domain/list/read-first-rows.ts';
import { useBridge } from '../../lib/desk-context.tsx';
import { fullNameOf } from '../../lib/format-name.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';

interface Choice {
  readonly value: string;
  readonly label: string;
}

async function findMembers(bridge: DeskBridge, workspaceId: string, search: string): Promise<Choice[]> {
  const rows = await readFirstRows(bridge, {
    workspaceId,
    query: { entity: 'members', search, includesArchived: true, includesMissing: true },
    limit: 8,
    fields: ['id', 'first_name', 'last_name', 'employer.name'],
    isLookup: true,
  });
  return rows.map((row) => {
    const employer = row['employer.name'];
    const facts = [fullNameOf(row), `Record no. ${row.id}`, ...(employer ? [String(employer)] : [])];
    return { value: String(row.id), label: facts.filter(Boolean).join(' · ') };
  });
}

/** A member, found by typing; also by the record number alone, since the records here may no longer have the member. */
export function MemberField(props: { memberId: string | null; onChange: (memberId: string | null) => void }) {
  const { id: workspaceId } = useWorkspace();
  const { memberId, onChange } = props;
  const bridge = useBridge();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 80);
  const { data: matches = [] } = useQuery({
    queryKey: ['member to remove', workspaceId, search],
    enabled: search.length >= 2,
    gcTime: 0,
    queryFn: () => findMembers(bridge, workspaceId, search),
  });
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
