import { Group, NativeSelect } from '@mantine/core';
import { type AuditFilter, type AuditKind, auditKinds } from '../../../contract/audit.ts';
import { TextField } from '../../components/text-field.tsx';
import { dayToMoment, kindLabels } from './describe-entry.ts';

/** The filters that the user chose, as typed. */
export interface Chosen {
  readonly kind: AuditKind | '';
  readonly from: string;
  readonly to: string;
  readonly list: 'members' | 'dependents' | 'claims';
  readonly id: string;
}
export const nothingChosen: Chosen = { kind: '', from: '', to: '', list: 'members', id: '' };

/** The requested filter; a record is one of the active workspace. */
export function toFilter(chosen: Chosen, workspaceId: string | null): AuditFilter {
  const since = dayToMoment(chosen.from);
  const before = dayToMoment(chosen.to, true);
  const id = /^\d{1,15}$/.test(chosen.id.trim()) ? Number(chosen.id) : null;
  return {
    ...(chosen.kind === '' ? {} : { kinds: [chosen.kind] }),
    ...(since === undefined ? {} : { since }),
    ...(before === undefined ? {} : { before }),
    ...(id === null || workspaceId === null ? {} : { record: { workspaceId, list: chosen.list, id } }),
  };
}

/** Narrows the log to a kind, days, or one record. */
export function AuditFilters(props: {
  chosen: Chosen;
  hasWorkspace: boolean;
  onChange: (chosen: Chosen) => void;
}) {
  const { chosen } = props;
  const change = (part: Partial<Chosen>) => props.onChange({ ...chosen, ...part });
  return (
    <Group gap="xs" align="flex-end">
      <NativeSelect
        size="xs"
        label="Kind"
        value={chosen.kind}
        data={[
          { value: '', label: 'Everything' },
          ...auditKinds.map((value) => ({ value, label: kindLabels[value] })),
        ]}
        onChange={({ currentTarget }) => change({ kind: currentTarget.value as Chosen['kind'] })}
      />
      <TextField
        size="xs"
        type="date"
        label="From"
        value={chosen.from}
        onChange={(typed) => change({ from: typed })}
      />
      <TextField
        size="xs"
        type="date"
        label="To"
        value={chosen.to}
        onChange={(typed) => change({ to: typed })}
      />
      {props.hasWorkspace && (
        <>
          <NativeSelect
            size="xs"
            label="Record"
            value={chosen.list}
            data={[
              { value: 'members', label: 'Member' },
              { value: 'dependents', label: 'Dependent' },
              { value: 'claims', label: 'Claim' },
            ]}
            onChange={({ currentTarget }) => change({ list: currentTarget.value as Chosen['list'] })}
          />
          <TextField
            size="xs"
            label="Record ID"
            inputMode="numeric"
            w={110}
            value={chosen.id}
            error={chosen.id.trim() === '' || /^\d{1,15}$/.test(chosen.id.trim()) ? null : 'Digits only'}
            onChange={(typed) => change({ id: typed })}
          />
        </>
      )}
    </Group>
  );
}
