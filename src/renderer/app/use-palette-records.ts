import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { Row } from '../../contract/query.ts';
import { findOrganizations } from '../domain/employer/organization-rows.ts';
import { readFirstRows } from '../domain/list/read-first-rows.ts';
import { serviceStatusOf } from '../domain/list/service-status.ts';
import { useBridge } from '../lib/desk-context.tsx';
import { useDeskQuery } from '../lib/desk-query.ts';
import { formatDateField } from '../lib/format-date.ts';
import { formatPersonName, fullNameOf } from '../lib/format-name.ts';
import { formatDaysCell } from '../lib/format-range.ts';
import { formatCountOf } from '../lib/format-value.ts';

export interface FoundRecord {
  readonly kind: 'member' | 'employer' | 'tenant' | 'dependent' | 'claim';
  readonly id: number;
  readonly label: string;
  readonly detail: string;
  /** How the record differs from the service's current data. */
  readonly status: string | null;
}

const limit = 5;
const maxOrganizations = 3;
const none: readonly FoundRecord[] = [];

function joinTexts(row: Row, paths: readonly string[], separator: string): string {
  return paths
    .map((path) => row[path])
    .filter((value) => value !== null && value !== undefined && value !== '')
    .join(separator);
}

function found(kind: FoundRecord['kind'], row: Row, label: string, detail: string): FoundRecord[] {
  if (typeof row.id !== 'number') return [];
  return [{ kind, id: row.id, label, detail, status: serviceStatusOf(row) }];
}

/** Archived people and those no longer in the service may call as well. */
const everybody = { includesArchived: true, includesMissing: true } as const;
const newestFirst = [{ field: 'date_of_service', direction: 'desc' }] as const;

const bornOn = ({ date_of_birth: day }: Row): string | null =>
  typeof day === 'string' && day !== '' ? `Born ${formatDateField(day)}` : null;

const listFacts = (facts: readonly (string | null)[]): string => facts.filter(Boolean).join(' · ');

/** The order of kinds in the results: first the people who may be calling. */
const kinds = [
  'member',
  'dependent',
  'employer',
  'tenant',
  'claim',
] as const satisfies readonly FoundRecord['kind'][];

/**
 * The first members, employers, tenants, claims and dependents that match the typed text; kept only while the palette
 * shows them.
 */
export function usePaletteRecords(workspaceId: string | null, typed: string): readonly FoundRecord[] {
  const bridge = useBridge();
  const [search] = useDebouncedValue(typed.trim(), 80);
  const isWanted = workspaceId !== null && search.length >= 2;
  const first = useQuery({
    queryKey: ['palette', workspaceId, search],
    enabled: isWanted,
    gcTime: 0,
    placeholderData: (previous: FoundRecord[] | undefined) => previous,
    queryFn: async (): Promise<FoundRecord[]> => {
      if (workspaceId === null) return [];
      const [members, dependents, claims] = await Promise.all([
        readFirstRows(bridge, {
          workspaceId,
          limit,
          query: { entity: 'members', search, ...everybody },
          fields: ['id', 'first_name', 'last_name', 'date_of_birth', 'employer.name', 'archived'],
        }),
        readFirstRows(bridge, {
          workspaceId,
          limit,
          query: { entity: 'dependents', search, ...everybody },
          fields: ['id', 'first_name', 'last_name', 'date_of_birth', '$member_id', 'member.name'],
        }),
        readFirstRows(bridge, {
          workspaceId,
          limit,
          query: { entity: 'claims', search, sort: [...newestFirst], includesMissing: true },
          fields: ['id', 'patient_name', 'service_provider', 'date_of_service'],
        }),
      ]);
      return [
        ...members.flatMap((row) =>
          found(
            'member',
            row,
            fullNameOf(row),
            listFacts([bornOn(row), `Member ID ${String(row.id)}`, joinTexts(row, ['employer.name'], '')]),
          ),
        ),
        ...dependents.flatMap((row) =>
          found(
            'dependent',
            row,
            fullNameOf(row),
            listFacts([
              bornOn(row),
              `Dependent of ${formatPersonName(joinTexts(row, ['member.name'], '')) || `member ${String(row.$member_id)}`}`,
            ]),
          ),
        ),
        ...claims.flatMap((row) =>
          found(
            'claim',
            row,
            `Claim ${String(row.id)}`,
            listFacts([
              formatPersonName(joinTexts(row, ['patient_name'], '')),
              joinTexts(row, ['service_provider'], ''),
              formatDaysCell(row.date_of_service),
            ]),
          ),
        ),
      ];
    },
  });
  const wanted = typed.trim();
  const organizations = usePaletteOrganizations(
    workspaceId,
    wanted,
    isWanted && first.isSuccess && !first.isPlaceholderData,
  );
  const records = useMemo(() => {
    const all = [...(first.data ?? []), ...organizations];
    return kinds.flatMap((listed) => all.filter(({ kind }) => kind === listed));
  }, [first.data, organizations]);
  const isOfBefore = first.isPlaceholderData || search !== wanted;
  return useMemo(() => {
    if (!isWanted || wanted.length < 2) return none;
    // Results for fewer letters are filtered, so that Enter does not open one that does not match.
    const isFit = ({ label }: FoundRecord) => label.toLowerCase().includes(wanted.toLowerCase());
    return isOfBefore ? records.filter(isFit) : records;
  }, [records, isWanted, isOfBefore, wanted]);
}

/**
 * Employers and tenants by name: few enough to be fetched once, when no other request is waiting. They are then found
 * without a request.
 */
function usePaletteOrganizations(
  workspaceId: string | null,
  wanted: string,
  mayAsk: boolean,
): readonly FoundRecord[] {
  const [isAsked, setIsAsked] = useState(false);
  useEffect(() => {
    if (mayAsk) setIsAsked(true);
  }, [mayAsk]);
  const options = { enabled: workspaceId !== null && isAsked && wanted.length >= 2, keepsPrevious: true };
  const input = { workspaceId: workspaceId ?? '' };
  const employers = useDeskQuery('records:listEmployers', input, options).data?.employers;
  const tenants = useDeskQuery('records:listTenants', input, options).data?.tenants;
  return useMemo(() => {
    if (wanted.length < 2) return none;
    return [
      ...findOrganizations(employers ?? [], wanted, maxOrganizations).map(
        ({ id, name, members, archivedMembers }) => ({
          kind: 'employer' as const,
          id,
          label: name ?? '',
          status: null,
          detail: `Employer · ${formatCountOf(members - archivedMembers, 'member')}`,
        }),
      ),
      ...findOrganizations(tenants ?? [], wanted, maxOrganizations).map(({ id, name, employers: own }) => ({
        kind: 'tenant' as const,
        id,
        label: name ?? '',
        status: null,
        detail: `Tenant · ${formatCountOf(own, 'employer')}`,
      })),
    ];
  }, [employers, tenants, wanted]);
}
