import { Button, Group, List, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { RuleStanding, RuleTrial } from '../../../contract/decision-rule-procedures.ts';
import { sayTrial } from '../../../contract/say-trial.ts';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import { formatDay, localDayOf } from '../../../rules/days.ts';
import { type DecisionRule, type RuleDraft, ruleDraftSchema } from '../../../rules/decide/decision-rule.ts';
import { splitConditions } from '../../../rules/decide/split-conditions.ts';
import { decidingRuleField, proposingRuleField, writeIdFilter } from '../../../rules/review/id-filter.ts';
import { isSameJson } from '../../../rules/review/same-value.ts';
import { fullNameOf, worklistTable } from '../../../rules/worklists/worklist-table.ts';
import { Total } from '../../components/amount.tsx';
import { ScrollableTable } from '../../components/data-table.tsx';
import { ConfirmButton } from '../../components/dialog.tsx';
import { ErrorNotice, Loaded, NotLoaded } from '../../components/error-notice.tsx';
import { Form } from '../../components/form.tsx';
import { linkClaim } from '../../components/links.tsx';
import { MissingPage } from '../../components/missing-page.tsx';
import { FieldList, Page, Section } from '../../components/page.tsx';
import { BackButton } from '../../components/record-nav.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import { TextButton } from '../../components/text-button.tsx';
import { useFilterLabels } from '../../domain/list/grid/use-filter-labels.ts';
import { useListMemory } from '../../domain/list/list-memory.tsx';
import type { ListRef } from '../../domain/list/list-ref.ts';
import { toListQuery } from '../../domain/list/list-settings.ts';
import { useOpenList } from '../../domain/list/use-open-list.ts';
import { WriterOnly } from '../../domain/team/writer-only.tsx';
import { useWorkspaceMutation, useWorkspaceQuery } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { RuleFields } from './rule-fields.tsx';
import { RuleStateButtons } from './rule-state.tsx';
import { RuleUndo } from './rule-undo.tsx';
import { findMissing, newRule, readTyped, typedOf } from './typed-rule.ts';

/**
 * One rule: its form, its trial, its state, and its decisions. The ID `new` is a new rule made from the filter of the
 * list in `from`.
 */
export function RulePage({ ruleId, from }: { ruleId: string; from: ListRef }) {
  const navigate = useNavigate();
  const rules = useWorkspaceQuery('rules:list');
  const standing = rules.data?.rules.find(({ rule }) => rule.id === ruleId) ?? null;
  const isNew = ruleId === 'new';
  const title = isNew ? 'New rule' : (standing?.rule.name ?? 'Rule');
  const toRules = () => void navigate({ to: '/settings/$section', params: { section: 'rules' } });
  return (
    <Page
      title={title}
      documentTitle={isNew ? 'New rule' : 'Rule'}
      actions={<BackButton label="Rules" onBack={toRules} />}
    >
      {isNew || standing !== null ? (
        <RuleSections key={ruleId} standing={standing} from={from} onRemoved={toRules} />
      ) : rules.data === undefined ? (
        <NotLoaded query={rules} what="the rule" />
      ) : (
        <MissingPage what="rule" section="rules" />
      )}
    </Page>
  );
}

const draftOf = (rule: DecisionRule | null): RuleDraft | null =>
  rule === null ? null : ruleDraftSchema.parse(rule);

function RuleSections(props: { standing: RuleStanding | null; from: ListRef; onRemoved: () => void }) {
  const { standing, from } = props;
  const rule = standing?.rule ?? null;
  const { id: workspaceId } = useWorkspace();
  const navigate = useNavigate();
  const memory = useListMemory();
  const employers = useWorkspaceQuery('records:listEmployers').data?.employers ?? [];
  // The filter with which a new rule begins, as it is when the page opens.
  const [start] = useState(() => {
    const list = rule === null && from.list !== undefined ? memory.find(workspaceId, from.list) : null;
    const { search = '', conditions = [] } = list === null ? {} : toListQuery(list.plan, list.getSettings());
    const labels = new Map(list?.labels);
    for (const { id } of worklistTable) labels.set(`worklist ${id}`, fullNameOf(id));
    return { ...splitConditions(conditions), search, labels };
  });
  for (const { id, name } of employers)
    if (name !== null) start.labels.set(`members.employer.id ${id}`, name);
  const describe = useFilterLabels(start, 'claims');
  const { conditions } = start;
  const leftOut = start.leftOut.map(describe);
  if (start.search !== '') leftOut.push(`Search “${start.search}”`);
  const [typed, setTyped] = useState(() =>
    rule === null ? { ...newRule, conditions, employers: start.employers } : typedOf(rule),
  );
  // The version that the form was filled from. A newer one replaces it only if no typed text would be lost.
  const [shown, setShown] = useState(rule);
  const saved = draftOf(shown);
  const [tried, setTried] = useState<RuleDraft | null>(saved);
  const draft = readTyped(typed);
  const isChanged = !isSameJson(draft, saved);
  const isOutdated = rule !== null && rule.version !== shown?.version;
  if (isOutdated && (!isChanged || isSameJson(draft, draftOf(rule)))) {
    setShown(rule);
    setTyped(typedOf(rule));
    setTried(draftOf(rule));
  }
  const save = useWorkspaceMutation('rules:save');
  const trial = useWorkspaceQuery(
    'rules:try',
    { draft: tried ?? (draft as RuleDraft) },
    { enabled: tried !== null },
  );
  const store = () => {
    if (draft === null) return;
    save.mutate(
      { draft, ...(shown === null ? {} : { id: shown.id, version: shown.version }) },
      {
        onSuccess: ({ id }) =>
          void navigate({ to: '/settings/rules/$ruleId', params: { ruleId: id }, replace: true }),
      },
    );
  };
  const missing = findMissing(typed);
  return (
    <Stack gap={10}>
      <Section
        title="Rule"
        actions={
          rule !== null && (
            <WriterOnly isSaid={false}>
              <RemoveRule id={rule.id} name={rule.name} onRemoved={props.onRemoved} />
            </WriterOnly>
          )
        }
      >
        {isOutdated && (
          <Hint>
            A colleague changed this rule while you were typing. Your text is kept until you leave this page;
            open the rule again to see theirs.
          </Hint>
        )}
        {leftOut.length > 0 && <Hint>Left out, because a rule can’t use it: {leftOut.join('; ')}.</Hint>}
        <Form onSubmit={store}>
          <WriterOnly>
            <RuleFields
              employers={employers}
              labels={start.labels}
              typed={typed}
              onChange={(part) => setTyped({ ...typed, ...part })}
            />
          </WriterOnly>
          <Group gap="xs">
            <WriterOnly isSaid={false}>
              <Button type="submit" disabled={draft === null || !isChanged} loading={save.isPending}>
                Save rule
              </Button>
            </WriterOnly>
            <Button
              variant="default"
              disabled={draft === null}
              loading={trial.isFetching}
              onClick={() => (isSameJson(draft, tried) ? void trial.refetch() : setTried(draft))}
            >
              Try rule
            </Button>
          </Group>
          <SmallPrint role="status">
            {missing.length > 0
              ? `To save or try the rule, set: ${missing.join(', ')}.`
              : !isChanged && 'Everything is saved.'}
          </SmallPrint>
          {rule !== null && isChanged && rule.state !== 'off' && (
            <SmallPrint>A changed rule begins at Watch.</SmallPrint>
          )}
          <ErrorNotice error={save.error} title="Couldn’t save the rule" />
        </Form>
      </Section>
      {tried !== null && (
        <Section title="Trial">
          {!isSameJson(draft, tried) && <Hint>The rule was changed since this trial.</Hint>}
          <Loaded query={trial} what="the trial">
            {(result) => <TrialResult trial={result} />}
          </Loaded>
        </Section>
      )}
      {standing !== null && (
        <>
          <Section title="State">
            <Stack gap="xs">
              <WriterOnly isSaid={false}>
                <RuleStateButtons
                  standing={standing}
                  trial={isSameJson(tried, saved) ? (trial.data ?? null) : null}
                  isChanged={isChanged}
                />
              </WriterOnly>
            </Stack>
          </Section>
          <Section
            title="Decisions"
            actions={
              <>
                <ShowDecided rule={standing.rule} />
                <WriterOnly isSaid={false}>
                  <RuleUndo id={standing.rule.id} />
                </WriterOnly>
              </>
            }
          >
            <StandingFacts standing={standing} />
          </Section>
        </>
      )}
    </Stack>
  );
}

/** Opens the claims that a rule decided or has a proposal for. */
function useOpenClaims({ id, name }: DecisionRule) {
  const openList = useOpenList();
  return (field: string) =>
    openList('claims', [{ field, operator: 'is', values: [writeIdFilter(id, name)] }]);
}

function StandingFacts({ standing }: { standing: RuleStanding }) {
  const { rule, proposed, decided, overturned, checked, checkAgreed } = standing;
  const open = useOpenClaims(rule);
  return (
    <FieldList
      fields={[
        [
          'Proposed now',
          <TextButton key="proposed" onClick={() => open(proposingRuleField)}>
            {formatCountOf(proposed.claims, 'claim')}, <Total amount={proposed.amount} />
          </TextButton>,
        ],
        ['Decided in 30 days', formatCount(decided)],
        ['Overturned', formatCount(overturned)],
        [
          'Second look',
          checked === 0 ? 'None yet' : `Agreed in ${formatCount(checkAgreed)} of ${formatCount(checked)}`,
        ],
      ]}
    />
  );
}

function ShowDecided({ rule }: { rule: DecisionRule }) {
  const open = useOpenClaims(rule);
  return <SmallButton onClick={() => open(decidingRuleField)}>Show claims</SmallButton>;
}

function RemoveRule({ id, name, onRemoved }: { id: string; name: string; onRemoved: () => void }) {
  const remove = useWorkspaceMutation('rules:remove');
  return (
    <ConfirmButton
      label="Remove…"
      title={`Remove ${name}?`}
      button={{ size: 'compact-sm' }}
      action="Remove rule"
      isDestructive
      errorTitle="Couldn’t remove the rule"
      onConfirm={() => remove.mutateAsync({ id }).then(onRemoved)}
    >
      <Hint>The rule no longer proposes or decides. Its decisions stay unchanged.</Hint>
    </ConfirmButton>
  );
}

/** The decisions that a rule would have made, and those of users that differ, each with its claim. */
function TrialResult({ trial }: { trial: RuleTrial }) {
  return (
    <>
      <div role="status">
        <List size="sm">
          {sayTrial(trial).map((sentence) => (
            <List.Item key={sentence}>{sentence}</List.Item>
          ))}
        </List>
      </div>
      {trial.differing.length > 0 && (
        <ScrollableTable
          label="Decisions that differ"
          rows={trial.differing}
          columns={[
            ['Claim', linkClaim],
            ['Decided', ({ decided }) => decided],
            ['By the rule', ({ byRule }) => byRule],
            ['Amount', ({ amount }) => <Total amount={amount} />, 'amount'],
            ['On', ({ at }) => formatDay(localDayOf(new Date(at)))],
            ['By', ({ author }) => author],
          ]}
        />
      )}
      {trial.decisions > 0 && trial.differing.length > 0 && (
        <SmallPrint>Open a claim to see why. Then change the conditions, or the decision.</SmallPrint>
      )}
    </>
  );
}
