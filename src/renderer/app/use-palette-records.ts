import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import type { DeskBridge } from '../../contract/bridge.ts';
import { formatCountOf } from '../../rules/count.ts';
import { type Entity, fieldsOf } from '../../rules/list-fields.ts';
import { formatPersonName } from '../../rules/person-names.ts';
import type { Condition, ListQuery, Row } from '../../rules/query.ts';
import { findOrganizations } from '../domain/employer/organization-rows.ts';
import { readFirstRows } from '../domain/list/read-first-rows.ts';
import { serviceStatusOf } from '../domain/list/service-status.ts';
import { useBridge } from '../lib/desk-context.tsx';
import { useDeskQuery } from '../lib/desk-query.ts';
import { formatDateField } from '../lib/format-date.ts';
import { fullNameOf } from '../lib/format-name.ts';
import { formatDaysCell } from '../lib/format-range.ts';
import { formatCell } from '../lib/format-value.ts';

export interface FoundRecord {
  readonly kind: 'member' | 'employer' | 'tenant' | 'dependent' | 'claim';
  readonly id: number;
  readonly label: string;
  /** The facts that distinguish the record. The one with the typed words is first, unless it is the label. */
  readonly detail: string;
  /** How the record differs from the service's current data. */
  readonly status: string | null;
}

const limit = 5;
const maxOrganizations = 3;
const none: readonly FoundRecord[] = [];
const noRecords: FoundRecords = { records: none, hasMore: new Set() };

const textOf = (row: Row, path: string): string => String(row[path] ?? '');

function toFoundRecord(kind: FoundRecord['kind'], row: Row, label: string, detail: string): FoundRecord[] {
  if (typeof row.id !== 'number') return [];
  return [{ kind, id: row.id, label, detail, status: serviceStatusOf(row) }];
}

/** Archived members and those no longer in the service may call too. */
const everybody = { includesArchived: true, includesMissing: true } as const;
const newestFirst = [{ field: 'date_of_service', direction: 'desc' }] as const;

const bornOn = ({ date_of_birth: day }: Row): string | null =>
  typeof day === 'string' && day !== '' ? `Born ${formatDateField(day)}` : null;

const listFacts = (facts: readonly (string | null)[]): string =>
  facts.filter((fact, at) => fact && facts.indexOf(fact) === at).join(' · ');

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

const wordsBeyond = (typed: string, texts: readonly string[]): string[] => {
  const starts = texts.flatMap(wordsOf);
  return wordsOf(typed).filter((word) => !starts.some((textWord) => textWord.startsWith(word)));
};

/**
 * Returns the label and value of the first column with the typed words; null if the record's label has them all, or a
 * claim was found by its lines. Otherwise the record was found by an ID or a similar spelling.
 */
function whyFound(typed: string, row: Row, label: string, entity: Entity, paths: readonly string[]) {
  const missing = wordsBeyond(typed, [label]);
  if (missing.length === 0) return null;
  for (const path of paths) {
    const spec = fieldsOf[entity].find((field) => field.path === path);
    const value = row[path];
    if (spec === undefined || value === null || value === undefined || value === '') continue;
    const text = formatCell(value, spec.kind);
    const isFound =
      path === 'ssn'
        ? typed.replaceAll(/\D/g, '').endsWith(text.slice(-4))
        : wordsBeyond(missing.join(' '), [text]).length === 0;
    if (isFound) return `${spec.label} ${text}`;
  }
  if (entity === 'claims') return null;
  // A word with a digit matches exactly: here it is an ID of another system, which no column has.
  const isId = entity === 'members' && /^\S*\d\S*$/.test(typed.trim());
  return isId ? `Member ID ${typed.trim()}` : 'Similar spelling';
}

/** The fields by which a kind of record is found, in addition to those that its row always shows. */
const foundBy = {
  members: ['partner_key', 'email', 'address', 'ssn'],
  dependents: ['partner_key', 'email', 'address', 'id', 'ssn'],
  claims: [
    ...['amount_billed', 'patient_responsibility', 'amount_paid', 'amount_allowed'],
    ...['vendor_system_id', 'check_number', 'patient_account_number', 'group_name', 'group_number', 'status'],
    ...['service_provider_billing_name', 'policy_holder.last_name', 'policy_holder.first_name'],
  ],
} as const;

interface Part {
  readonly workspaceId: string;
  readonly limit: number;
  readonly query: Pick<ListQuery, 'search' | 'findsSimilar' | 'conditions'>;
}

async function readMembers(bridge: DeskBridge, { query, ...part }: Part): Promise<FoundRecord[]> {
  const rows = await readFirstRows(bridge, {
    ...part,
    query: { entity: 'members', ...query, ...everybody },
    fields: [
      ...['id', 'first_name', 'last_name', 'date_of_birth', 'employer.name', 'archived'],
      ...foundBy.members,
    ],
  });
  return rows.flatMap((row) => {
    const label = fullNameOf(row);
    const shown = [bornOn(row), `Record no. ${String(row.id)}`, textOf(row, 'employer.name')];
    const why = whyFound(query.search ?? '', row, [label, ...shown].join(' '), 'members', foundBy.members);
    return toFoundRecord('member', row, label, listFacts([why, ...shown]));
  });
}

async function readDependents(bridge: DeskBridge, { query, ...part }: Part): Promise<FoundRecord[]> {
  const rows = await readFirstRows(bridge, {
    ...part,
    query: { entity: 'dependents', ...query, ...everybody },
    fields: [
      ...['id', 'first_name', 'middle_name', 'last_name', 'date_of_birth', '$member_id', 'member.name'],
      ...foundBy.dependents,
    ],
  });
  return rows.flatMap((row) => {
    const label = fullNameOf(row);
    const memberLabel = formatPersonName(textOf(row, 'member.name')) || `member ${String(row.$member_id)}`;
    const shown = [bornOn(row), `Dependent of ${memberLabel}`];
    const texts = [label, ...shown].join(' ');
    const why = whyFound(query.search ?? '', row, texts, 'dependents', foundBy.dependents);
    return toFoundRecord('dependent', row, label, listFacts([why, ...shown]));
  });
}

async function readClaims(bridge: DeskBridge, { query, ...part }: Part): Promise<FoundRecord[]> {
  const rows = await readFirstRows(bridge, {
    ...part,
    query: { entity: 'claims', ...query, sort: [...newestFirst], includesMissing: true },
    fields: ['id', 'patient_name', 'service_provider', 'date_of_service', ...foundBy.claims],
  });
  return rows.flatMap((row) => {
    const label = `Claim ${String(row.id)}`;
    const shown = [
      formatPersonName(textOf(row, 'patient_name')),
      textOf(row, 'service_provider'),
      formatDaysCell(row.date_of_service),
    ];
    const why = whyFound(query.search ?? '', row, [label, ...shown].join(' '), 'claims', foundBy.claims);
    return toFoundRecord('claim', row, label, listFacts([why, ...shown]));
  });
}

/** The order of kinds in the results: first the people who may be calling. */
const peopleFirst = ['member', 'dependent', 'employer', 'tenant', 'claim'] as const;
/** The order if no person has the typed name: an employer before its members, who are found by its name. */
const employersFirst = ['employer', 'tenant', 'member', 'dependent', 'claim'] as const;

/** The first records of a search; `hasMore`: their lists may have others. */
interface FoundRecords {
  readonly records: readonly FoundRecord[];
  readonly hasMore: ReadonlySet<FoundRecord['kind']>;
}

/**
 * The first members, employers, tenants, claims and dependents that match the typed text; kept only while the palette
 * shows them.
 */
export function usePaletteRecords(workspaceId: string | null, typed: string, isOpen: boolean): FoundRecords {
  const bridge = useBridge();
  const search = useDeferredValue(typed.trim());
  const isWanted = workspaceId !== null && search.length >= 2;
  const first = useQuery({
    queryKey: ['palette', workspaceId, search],
    enabled: isWanted,
    gcTime: 0,
    placeholderData: (previous: FoundRecord[] | undefined) => previous,
    queryFn: async (): Promise<FoundRecord[]> => {
      if (workspaceId === null) return [];
      const part = { workspaceId, limit, query: { search, findsSimilar: true } };
      const read = [readMembers(bridge, part), readDependents(bridge, part), readClaims(bridge, part)];
      return (await Promise.all(read)).flat();
    },
  });
  const trimmed = typed.trim();
  const organizations = usePaletteOrganizations(workspaceId, trimmed, isOpen);
  const records = useMemo(() => {
    const all = [...(first.data ?? []), ...organizations];
    const isNamed = ({ kind, label }: FoundRecord): boolean =>
      (kind === 'member' || kind === 'dependent') && wordsBeyond(trimmed, [label]).length === 0;
    return (all.some(isNamed) ? peopleFirst : employersFirst).flatMap((listed) =>
      all.filter(({ kind }) => kind === listed),
    );
  }, [first.data, organizations, trimmed]);
  const isOfBefore = first.isPlaceholderData || search !== trimmed;
  return useMemo(() => {
    if (!isWanted || trimmed.length < 2) return noRecords;
    // Results for fewer letters are filtered, so that Enter does not open one that does not match.
    const isFit = ({ label }: FoundRecord) => label.toLowerCase().includes(trimmed.toLowerCase());
    if (isOfBefore) return { ...noRecords, records: records.filter(isFit) };
    const full = peopleFirst.filter(
      (kind) => records.filter((record) => record.kind === kind).length >= limit,
    );
    return { records, hasMore: new Set(full) };
  }, [records, isWanted, isOfBefore, trimmed]);
}

/** The kind and ID of an opened record, from the address. */
export interface OpenedRecord {
  readonly kind: 'member' | 'dependent' | 'claim';
  readonly id: number;
}

/** The records that were opened last, newest first, with their current data. */
export function useRecentRecords(
  workspaceId: string | null,
  opened: readonly OpenedRecord[],
  isWanted: boolean,
): readonly FoundRecord[] {
  const bridge = useBridge();
  const recent = useQuery({
    queryKey: ['palette recent', workspaceId, opened],
    enabled: isWanted && workspaceId !== null && opened.length > 0,
    gcTime: 0,
    queryFn: async (): Promise<FoundRecord[]> => {
      const readOf = { member: readMembers, dependent: readDependents, claim: readClaims };
      const read = (['member', 'dependent', 'claim'] as const).map((kind) => {
        const values = opened.filter((record) => record.kind === kind).map(({ id }) => id);
        const conditions: Condition[] = [{ field: 'id', operator: 'isOneOf', values }];
        return values.length === 0 || workspaceId === null
          ? []
          : readOf[kind](bridge, { workspaceId, limit: values.length, query: { conditions } });
      });
      const records = (await Promise.all(read)).flat();
      return opened.flatMap(
        ({ kind, id }) => records.find((record) => record.kind === kind && record.id === id) ?? [],
      );
    },
  });
  return isWanted ? (recent.data ?? none) : none;
}

/**
 * Employers and tenants by name. They are few enough to be fetched once, when the palette opens; then they are found
 * without a request, before the records, so that no row moves.
 */
function usePaletteOrganizations(
  workspaceId: string | null,
  typed: string,
  isOpen: boolean,
): readonly FoundRecord[] {
  const options = { enabled: workspaceId !== null && isOpen, keepsPrevious: true };
  const input = { workspaceId: workspaceId ?? '' };
  const employers = useDeskQuery('records:listEmployers', input, options).data?.employers;
  const tenants = useDeskQuery('records:listTenants', input, options).data?.tenants;
  return useMemo(() => {
    if (typed.length < 2) return none;
    return [
      ...findOrganizations(employers ?? [], typed, maxOrganizations).map(
        ({ id, name, members, archivedMembers }) => ({
          kind: 'employer' as const,
          id,
          label: name ?? '',
          status: null,
          detail: `Employer · ${formatCountOf(members - archivedMembers, 'member')}`,
        }),
      ),
      ...findOrganizations(tenants ?? [], typed, maxOrganizations).map(
        ({ id, name, employers: employerCount }) => ({
          kind: 'tenant' as const,
          id,
          label: name ?? '',
          status: null,
          detail: `Tenant · ${formatCountOf(employerCount, 'employer')}`,
        }),
      ),
    ];
  }, [employers, tenants, typed]);
}
