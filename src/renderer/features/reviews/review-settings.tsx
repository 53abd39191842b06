import { Button, Group, Stack, Textarea } from '@mantine/core';
import { useEffect, useState } from 'react';
import { usualTemplates } from '../../../contract/note-templates.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { localDayOf } from '../../../rules/days.ts';
import { reviewPeriodOf } from '../../../rules/plans/review-period.ts';
import {
  type ReviewEffect,
  reviewEffects,
  reviewedFields,
  reviewedLineFields,
} from '../../../rules/review/reviewed-fields.ts';
import { DataTable } from '../../components/data-table.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Form } from '../../components/form.tsx';
import { NumberSetting } from '../../components/number-setting.tsx';
import { Section } from '../../components/page.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { readCauses, useDeclineCauses } from '../../domain/review/decline-causes.ts';
import { readTemplates, useNoteTemplates } from '../../domain/review/use-note-templates.ts';
import { OfActiveWorkspace } from '../../domain/workspace/of-active-workspace.tsx';
import { useWorkspaceSettings } from '../../domain/workspace/use-workspace-settings.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { ExportReviews, ImportReviews } from './hand-over.tsx';
import { PlanRulesForm } from './plan-rules-form.tsx';
import { ReimbursementRulesForm } from './reimbursement-rules-form.tsx';
import { SpellingSettings } from './spelling-settings.tsx';

/**
 * The settings of reviews: which claims need one, reimbursed amounts, note templates, reasons for declining, reviews
 * from files, and changes that reopen a review.
 */
export const ReviewSettings = () => (
  <OfActiveWorkspace none="No workspaces yet, so there is nothing to review.">
    {(active) => <SettingsOfReviews active={active} />}
  </OfActiveWorkspace>
);

function SettingsOfReviews({ active }: { active: Workspace }) {
  return (
    <Stack gap="lg">
      {active.team !== undefined && (
        <Hint>
          This workspace is in a team: what is changed here changes for everyone in it. Only admins can change
          the rules, the first day of service, and the reasons for declining.
        </Hint>
      )}
      <ScopeSetting />
      <NumberSetting
        name="reviewsADay"
        label="Your goal (claims a day)"
        description="Start shows your progress. Enter 0 for no goal."
        action="Save goal"
        min={0}
        max={1000}
      />
      <ReimbursementRulesForm />
      <PlanRulesForm />
      <Section title="Notes">
        <NoteTemplatesForm />
      </Section>
      <Section title="Reasons for declining">
        <DeclineCausesForm />
      </Section>
      <SpellingSettings />
      <Section title="Hand over">
        <Stack gap="xs" align="flex-start">
          <Hint>
            All reviews, notes, and payments of this workspace as one encrypted file, to continue on another
            computer. An import adds what is new; the newest decision counts.
          </Hint>
          <ExportReviews />
          <ImportReviews />
        </Stack>
      </Section>
      <Section title="What reopens a review">
        <ReopenTable />
        <SmallPrint pt={6}>
          Spaces, capitals, dashes in an NPI, TIN or NDC, and numbers sent as text are no changes.
        </SmallPrint>
      </Section>
    </Stack>
  );
}

/** Edits the reasons that a partly eligible or not eligible claim offers. */
function DeclineCausesForm() {
  const { causes, hasOwn, isSaving, error, save } = useDeclineCauses();
  return (
    <LinesForm
      what="reasons for declining"
      label="Reasons for declining"
      description="One per line. Partly eligible and Not eligible offer them; anything else can be typed there."
      lines={causes}
      read={readCauses}
      isReady
      isSaving={isSaving}
      error={error}
      onSave={save}
      onRestore={hasOwn ? () => save(null) : null}
      restore="Restore default reasons"
    />
  );
}

function NoteTemplatesForm() {
  const { texts, isOfTeam, isReady, isSaving, error, save } = useNoteTemplates();
  return (
    <LinesForm
      what="note templates"
      label="Note templates"
      description={
        isOfTeam
          ? 'One per line. The team shares them.'
          : 'One per line. They stay on this computer, encrypted, and aren’t part of a hand-over.'
      }
      lines={texts}
      read={readTemplates}
      isReady={isReady}
      isSaving={isSaving}
      error={error}
      onSave={save}
      onRestore={texts.join('\n') === usualTemplates.join('\n') ? null : () => save(usualTemplates)}
      restore="Restore default templates"
    />
  );
}

/** A list that is edited as text, one entry a line. */
function LinesForm(props: {
  /** The label as written within a sentence. */
  what: string;
  label: string;
  description: string;
  lines: readonly string[];
  /** The entries of what was typed. */
  read: (typed: string) => string[];
  isReady: boolean;
  isSaving: boolean;
  error: unknown;
  onSave: (lines: readonly string[]) => void;
  /** Null: it is the default list. */
  onRestore: (() => void) | null;
  restore: string;
}) {
  const saved = props.lines.join('\n');
  const [typed, setTyped] = useState(saved);
  useEffect(() => setTyped(saved), [saved]);
  const typedLines = props.read(typed);
  return (
    <Form onSubmit={() => props.onSave(typedLines)} gap="xs">
      <Textarea
        label={props.label}
        description={props.description}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={20_000}
        disabled={!props.isReady}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Group gap="xs">
        <Button
          type="submit"
          variant="default"
          aria-label={`Save ${props.what}`}
          disabled={!props.isReady || typedLines.join('\n') === saved}
          loading={props.isSaving}
        >
          Save
        </Button>
        {props.onRestore !== null && (
          <Button variant="subtle" onClick={props.onRestore}>
            {props.restore}
          </Button>
        )}
      </Group>
      <ErrorNotice error={props.error} title={`Couldn’t save the ${props.what}`} />
    </Form>
  );
}

const effectLabels: Readonly<Record<ReviewEffect, string>> = {
  reopen: 'Moves a done claim to Changed',
  noted: 'Shown with the review, but doesn’t reopen it',
  ignored: 'Ignored',
};

/** The labels of an effect's fields, those of claims and those of lines. */
export function labelsOf(effect: ReviewEffect): { claim: string[]; line: string[] } {
  const listLabels = (fields: typeof reviewedFields) => [
    ...new Set(fields.filter((field) => field.effect === effect).map(({ label }) => label)),
  ];
  return { claim: listLabels(reviewedFields), line: listLabels(reviewedLineFields) };
}

/** Shows how each change by a sync affects a reviewed claim. */
const ReopenTable = () => (
  <DataTable
    label="What reopens a review"
    verticalSpacing={4}
    rows={reviewEffects}
    rowOf={() => ({ style: { verticalAlign: 'top' } })}
    columns={[
      ['A sync changes', (effect) => effectLabels[effect]],
      ['On the claim', (effect) => labelsOf(effect).claim.join(', ')],
      ['On its lines', (effect) => labelsOf(effect).line.join(', ') || '–'],
    ]}
  />
);

/** Sets the first day of service from which claims need a review. */
function ScopeSetting() {
  const workspace = useWorkspace();
  const { settings, isSaving, error, save } = useWorkspaceSettings();
  const { from: saved, on } = reviewPeriodOf(settings, workspace.id, localDayOf(new Date()));
  const isOwn = on === null;
  const [typed, setTyped] = useState(saved);
  useEffect(() => setTyped(saved), [saved]);
  const { [workspace.id]: _own, ...others } = settings.reviewsFrom;
  return (
    <Stack gap="xs">
      <Group align="flex-end" gap="xs">
        <TextField
          type="date"
          label={`Review claims of ${workspace.name} from`}
          description={`The first day of service.${isOwn ? ' Earlier claims are not selected for review.' : ''}`}
          value={typed}
          onChange={setTyped}
        />
        <Button
          variant="default"
          aria-label="Save first day of service"
          disabled={typed === '' || typed === saved}
          loading={isSaving}
          onClick={() =>
            save({ reviewsFrom: { ...others, [workspace.id]: typed } }, [
              { setting: 'reviewsFrom', value: typed },
            ])
          }
        >
          Save
        </Button>
        {isOwn && (
          <Button
            variant="subtle"
            onClick={() => save({ reviewsFrom: others }, [{ setting: 'reviewsFrom' }])}
          >
            Use this plan year
          </Button>
        )}
      </Group>
      {!isOwn && (
        <SmallPrint>
          The start of this plan year, until you choose another day. Earlier claims stay until the run-out of
          their plan year ends, and denials until their last day to appeal.
        </SmallPrint>
      )}
      <ErrorNotice error={error} />
    </Stack>
  );
}
