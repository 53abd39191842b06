import { Button, Group, NativeSelect, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { type ExportResult, isReason, maxReasonLength } from '../../../contract/export.ts';
import type { RemovalCounts, TeamRemoval } from '../../../contract/store.ts';
import { wordOfRemoval } from '../../../contract/team.ts';
import { formatCountOf } from '../../../rules/count.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Form } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { SavedPath } from '../../components/saved-path.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { Status } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useAppActions } from '../../lib/app-actions.tsx';
import { useWorkspaceMutation, useWorkspaceQuery } from '../../lib/desk-query.ts';
import { fullNameOf } from '../../lib/format-name.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { describeRule } from './describe-removal.ts';

const kindLabels: Readonly<Record<TeamRemoval['kind'], string>> = {
  member: 'A member',
  claimsBefore: 'Old claims',
  employer: 'An employer',
  everything: 'Everything',
};
const kinds = Object.entries(kindLabels).map(([value, label]) => ({ value, label }));

interface Draft {
  readonly kind: TeamRemoval['kind'];
  readonly memberId: string | null;
  readonly date: string;
  readonly employerId: string;
}

/** The rule that was chosen; null while something is missing. */
function readRule({ kind, memberId, date, employerId }: Draft): TeamRemoval | null {
  if (kind === 'member') return memberId === null ? null : { kind, memberId: Number(memberId) };
  if (kind === 'claimsBefore') return date === '' ? null : { kind, date };
  if (kind === 'employer') return employerId === '' ? null : { kind, employerId: Number(employerId) };
  return { kind };
}

/** Removes for the team: chosen and counted first, exported where wanted, then removed once it is typed again. */
export function RemoveForTeam({ onClose }: { onClose: () => void }) {
  const [draft, setDraft] = useState<Draft>({
    kind: 'member',
    memberId: null,
    date: '',
    employerId: '',
  });
  const [reason, setReason] = useState('');
  const plan = useWorkspaceMutation('team:planRemoval');
  const rule = readRule(draft);
  const planned = plan.variables?.rule;
  const change = (next: Partial<Draft>): void => {
    setDraft({ ...draft, ...next });
    plan.reset();
  };
  const isReady = rule !== null && isReason(reason);
  return (
    <Stack gap="sm">
      <Text size="sm">
        Permanently deletes records and reviews, including backups, from every computer of the team, and the
        reviews from its server. The claims service is not affected. Later syncs skip these records.
      </Text>
      <Form onSubmit={() => isReady && plan.mutate({ rule })}>
        <NativeSelect
          label="What to remove"
          data={kinds}
          value={draft.kind}
          onChange={(event) => change({ kind: event.currentTarget.value as Draft['kind'] })}
        />
        {draft.kind === 'member' && (
          <MemberField memberId={draft.memberId} onChange={(memberId) => change({ memberId })} />
        )}
        {draft.kind === 'claimsBefore' && (
          <TextField
            type="date"
            label="Claims with service ending before"
            value={draft.date}
            onChange={(date) => change({ date })}
          />
        )}
        {draft.kind === 'employer' && (
          <EmployerField value={draft.employerId} onChange={(employerId) => change({ employerId })} />
        )}
        <TextField
          label="Reason"
          description="All team members can read this, now and later."
          maxLength={maxReasonLength}
          value={reason}
          onChange={setReason}
        />
        <Group gap="xs">
          <Button type="submit" variant="default" disabled={!isReady} loading={plan.isPending}>
            Preview removal
          </Button>
          <Button variant="subtle" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Form>
      <ErrorNotice error={plan.error} title="Couldn’t count what would be removed" />
      {plan.data !== undefined && planned !== undefined && (
        <ConfirmRemoval
          key={JSON.stringify(planned)}
          rule={planned}
          reason={reason}
          onDone={onClose}
          counts={plan.data}
        />
      )}
    </Stack>
  );
}

function EmployerField(props: { value: string; onChange: (value: string) => void }) {
  const { value, onChange } = props;
  const employers = useWorkspaceQuery('records:listEmployers').data?.employers ?? [];
  return (
    <NativeSelect
      label="Employer"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[
        { value: '', label: 'Choose an employer' },
        ...employers.map(({ id, name }) => ({
          value: String(id),
          label: name === null ? `Employer ${id}` : `${name} · ID ${id}`,
        })),
      ]}
    />
  );
}

function ConfirmRemoval(props: {
  rule: TeamRemoval;
  reason: string;
  counts: RemovalCounts;
  onDone: () => void;
}) {
  const { rule, reason, counts, onDone } = props;
  const [typed, setTyped] = useState('');
  const remove = useWorkspaceMutation('team:remove');
  const word = wordOfRemoval(rule);
  const parts = [
    ...(rule.kind === 'claimsBefore' ? [] : [formatCountOf(counts.members, 'member')]),
    formatCountOf(counts.claims, 'claim'),
    formatCountOf(counts.reviews, 'review entry', 'review entries'),
  ];
  return (
    <Notice tone="bad" title={`${describeRule(rule)}: ${parts.join(', ')}`}>
      <Form onSubmit={() => remove.mutate({ rule, reason, typed }, { onSuccess: onDone })}>
        <Text size="sm">
          Counted on this computer; other computers may have more. This can’t be undone, not even from a
          backup.
        </Text>
        {counts.sharedClaims > 0 && (
          <Text size="sm">
            {formatCountOf(counts.sharedClaims, 'claim')} of this member will be kept because they also belong
            to someone else.
          </Text>
        )}
        {counts.claims > 0 && <ExportFirst rule={rule} claims={counts.claims} />}
        <Group align="flex-end" gap="xs">
          <TextField label={`Type ${word} to confirm`} value={typed} onChange={setTyped} />
          <Button type="submit" color="red.9" disabled={typed.trim() !== word} loading={remove.isPending}>
            Remove for the team
          </Button>
        </Group>
        <ErrorNotice error={remove.error} title="Couldn’t remove for the team" />
      </Form>
    </Notice>
  );
}

const exportedColumns = [
  ...['id', 'date_of_service.first_day', 'date_of_service.last_day', 'patient_name', 'service_provider'],
  ...['status', 'amount_billed', 'amount_allowed', 'amount_paid', 'patient_responsibility'],
  ...['review.state', 'review.outcome', 'review.at'],
];

/** Offers a file of exactly the claims that would be removed, and shows where it was saved. */
function ExportFirst(props: { rule: TeamRemoval; claims: number }) {
  const { id: workspaceId } = useWorkspace();
  const { rule, claims } = props;
  const { requestExport } = useAppActions();
  const [exported, setExported] = useState<ExportResult | null>(null);
  const start = (): void =>
    requestExport({
      workspaceId,
      source: { kind: 'list', query: { entity: 'claims', includesMissing: true } },
      removal: rule,
      total: claims,
      shownColumns: exportedColumns,
      onExported: setExported,
    });
  return (
    <Group gap="xs">
      <SmallButton onClick={start}>Export {formatCountOf(claims, 'claim')}…</SmallButton>
      {exported !== null && (
        <Status>
          Exported {formatCountOf(exported.rows, 'row')} to <SavedPath path={exported.files[0]?.path ?? ''} />
        </Status>
      )}
    </Group>
  );
}

/** A member, found by typing; also by the record number alone, since the records here may no longer have the member. */
function MemberField(props: { memberId: string | null; onChange: (memberId: string | null) => void }) {
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
