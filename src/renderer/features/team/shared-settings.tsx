import { Button, Group, Input, NumberInput, Stack, Text } from '@mantine/core';
import { useEffect, useId, useState } from 'react';
import type { Output } from '../../../contract/procedures.ts';
import { formatCount } from '../../../rules/count.ts';
import type { TeamChange } from '../../../rules/review/team-settings.ts';
import { DataTable } from '../../components/data-table.tsx';
import { ErrorNotice, NotLoaded } from '../../components/error-notice.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { Notice } from '../../components/notice.tsx';
import { FoldedSection } from '../../components/page.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import { CountsDiffer } from '../../domain/team/counts-differ.tsx';
import { useWorkspaceMutation, useWorkspaceQuery } from '../../lib/desk-query.ts';
import { formatDateTime } from '../../lib/format-date.ts';
import {
  describeChange,
  describeCurrent,
  describeSetting,
  employerOf,
  settingsOfAll,
} from './describe-setting.ts';
import { MinimumVersion } from './minimum-version.tsx';
import styles from './team.module.css';

const dollar = 10_000;

/** Shows what all computers of the team share: the two-person rule, and who changed which setting. */
export function SharedSettings({ isAdmin }: { isAdmin: boolean }) {
  const shared = useWorkspaceQuery('team:getSettings');
  if (shared.data === undefined) return <NotLoaded query={shared} what="the settings of the team" />;
  const { settings, current, history, computers } = shared.data;
  const above = settings?.twoPeopleAbove ?? null;
  return (
    <Stack gap="xs">
      <Text fw={600}>Team settings</Text>
      <Hint>
        Reimbursement rules, plan years, the first day of service, reasons for declining, note templates,
        letters, and shared views are the same on every computer of the team. Admins change them under
        Reviews; reviewers can change note templates, letters, and shared views. The newest change of each
        counts.
      </Hint>
      <CountsDiffer />
      {computers.map(({ computer, email, auditMissingFrom }) =>
        auditMissingFrom === null ? null : (
          <Notice key={computer} tone="caution" title={`The audit log of ${email}’s computer was cut back`}>
            The team has evidence of entry {auditMissingFrom} and later ones, which the log no longer has.
          </Notice>
        ),
      )}
      <CurrentSettings current={current} />
      <TwoPeople above={above} isAdmin={isAdmin} />
      <MinimumVersion least={settings?.minVersion ?? null} computers={computers} isAdmin={isAdmin} />
      <FoldedSection title="Changes">
        <Changes history={history} />
      </FoldedSection>
    </Stack>
  );
}

/** Sets the amount above which the author of a decision may not record the claim's payment. */
function TwoPeople(props: { above: number | null; isAdmin: boolean }) {
  const { above, isAdmin } = props;
  const change = useWorkspaceMutation('team:changeSettings');
  const saved = above === null ? '' : above / dollar;
  const [typed, setTyped] = useState<number | string>(saved);
  const id = useId();
  useEffect(() => setTyped(saved), [saved]);
  const save = (): void => {
    const rule: TeamChange = {
      setting: 'twoPeopleAbove',
      ...(typeof typed === 'number' ? { value: Math.round(typed * dollar) } : {}),
    };
    change.mutate({ changes: [rule] });
  };
  return (
    <Stack gap={4}>
      <Input.Wrapper
        id={id}
        label="Two-person rule: payments above"
        description="Above this amount, the person who decided a claim can’t record its payment. Leave blank for no limit."
        inputWrapperOrder={['label', 'input', 'description']}
      >
        <Group gap="xs">
          <NumberInput
            id={id}
            aria-describedby={`${id}-description`}
            min={0}
            max={100_000_000}
            decimalScale={2}
            prefix="$"
            thousandSeparator=","
            disabled={!isAdmin}
            value={typed}
            onChange={setTyped}
          />
          {isAdmin && (
            <Button
              variant="default"
              aria-label="Save two-person rule"
              disabled={typed === saved}
              loading={change.isPending}
              onClick={save}
            >
              Save
            </Button>
          )}
        </Group>
      </Input.Wrapper>
      <ErrorNotice error={change.error} title="Couldn’t save the rule" />
    </Stack>
  );
}

/** Names of employers, where settings of single ones are shown. */
function useEmployerNames(shown: readonly { readonly change: TeamChange }[]) {
  const enabled = shown.some(({ change }) => employerOf(change) !== null);
  const named = useWorkspaceQuery('records:listEmployers', {}, { enabled }).data?.employers ?? [];
  return new Map(named.map(({ id, name }) => [id, name]));
}

const shownRows = 200;

/** Shows each current setting, and who changed it last. */
function CurrentSettings(props: { current: Output<'team:getSettings'>['current'] }) {
  const { current } = props;
  const employers = useEmployerNames(current);
  const isIn = (candidate: TeamChange): boolean =>
    current.some(
      ({ change }) =>
        change.setting === candidate.setting && !('employerId' in change && change.employerId !== null),
    );
  const changed = current.filter(
    ({ change: { setting, value } }) =>
      setting !== 'twoPeopleAbove' && setting !== 'minVersion' && (setting !== 'view' || value !== undefined),
  );
  const rows = [
    ...changed.map((entry) => ({ ...entry, by: entry })),
    ...settingsOfAll.filter((change) => !isIn(change)).map((change) => ({ change, by: null })),
  ];
  return (
    <>
      <DataTable
        label="Team settings"
        verticalSpacing={3}
        rows={rows.slice(0, shownRows)}
        keyOf={({ change }) => describeSetting(change, new Map())}
        columns={[
          ['Setting', ({ change }) => <SettingLink change={change} employers={employers} />],
          ['Value', ({ change }) => describeCurrent(change)],
          ['Changed', ({ by }) => (by === null ? '–' : `${by.author} · ${formatDateTime(by.at)}`)],
        ]}
      />
      {rows.length > shownRows && <SmallPrint>Showing the first {formatCount(shownRows)}.</SmallPrint>}
    </>
  );
}

/** The name of a setting, as a link to where it is changed; a view is changed in its list. */
function SettingLink(props: { change: TeamChange; employers: ReadonlyMap<number, string | null> }) {
  const name = describeSetting(props.change, props.employers);
  if (props.change.setting === 'view') return name;
  return (
    <AnchorLink to="/settings/$section" params={{ section: 'reviews' }}>
      {name}
    </AnchorLink>
  );
}

function Changes(props: { history: Output<'team:getSettings'>['history'] }) {
  const { history } = props;
  const employers = useEmployerNames(history);
  if (history.length === 0) return <Hint>No changes yet.</Hint>;
  return (
    <ul className={styles.list} aria-label="Changes of team settings">
      {history.map(({ at, author, change }) => (
        <li key={`${at} ${JSON.stringify(change)}`}>
          <Text size="sm">{describeChange(author, change, employers)}</Text>
          <SmallPrint>{formatDateTime(at)}</SmallPrint>
        </li>
      ))}
    </ul>
  );
}
