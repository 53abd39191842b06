import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { TextField } from '../../components/text-field.tsx';
import { readFirstRows } from '../../domain/list/read-first-rows.ts';
import { useBridge } from '../../lib/desk-context.tsx';
import { fullNameOf } from '../../lib/format-name.ts';
import styles from './connect.module.css';

const shown = 8;
const fields = ['id', 'first_name', 'last_name', 'email', 'employer.name'];

/** Finds a member among the records on this computer. The search is stored nowhere. */
export function MemberSearch(props: { workspaceId: string; onChoose: (memberId: number) => void }) {
  const bridge = useBridge();
  const { workspaceId } = props;
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 150);
  const found = useQuery({
    queryKey: ['palette', workspaceId, 'add member', search],
    enabled: search.length >= 2,
    gcTime: 0,
    queryFn: async () => {
      return readFirstRows(bridge, {
        workspaceId,
        query: { entity: 'members', search },
        limit: shown,
        fields,
      });
    },
  });
  const rows = search.length >= 2 ? (found.data ?? []) : [];
  return (
    <div>
      <TextField
        label="Find a member on this computer"
        description="Search by name, email, or employer, or fill in the form below."
        value={typed}
        onChange={setTyped}
      />
      <div role="status" className={styles.found}>
        {search.length >= 2 && found.data?.length === 0 && 'No members match.'}
      </div>
      {rows.length > 0 && (
        <ul className={styles.choices} aria-label="Members found">
          {rows.map((row) => (
            <li key={String(row.id)}>
              <button type="button" className={styles.choice} onClick={() => props.onChoose(Number(row.id))}>
                <span>{fullNameOf(row, `Member ${row.id}`)}</span>
                <span>{[row.email, row['employer.name']].filter(Boolean).join(' · ')}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
