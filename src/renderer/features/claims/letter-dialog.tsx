import { Checkbox, NativeSelect, Stack } from '@mantine/core';
import { useState } from 'react';
import {
  answerDaysOf,
  findLetters,
  type LetterFacts,
  type LetterSettings,
  letterEmployerOf,
  lettersOf,
  makeLetter,
  type StoredLetters,
  toStoredLetters,
} from '../../../contract/letters.ts';
import { localDayOf } from '../../../rules/days.ts';
import {
  type LetterKind,
  letterFields,
  letterKinds,
  letterTable,
} from '../../../rules/letters/letter-kinds.ts';
import { serviceOf } from '../../../rules/money/reimbursement.ts';
import { findShownAppeal } from '../../../rules/review/appeals.ts';
import type { ClaimReview } from '../../../rules/review/review.ts';
import { Details } from '../../components/details.tsx';
import { DialogButton } from '../../components/dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Form, FormEnd } from '../../components/form.tsx';
import { LongField } from '../../components/long-field.tsx';
import { Notice } from '../../components/notice.tsx';
import { LoadingState } from '../../components/states.tsx';
import { Hint } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useReview } from '../../domain/review/use-review.ts';
import { useIsReader } from '../../domain/team/use-is-reader.ts';
import { useWorkspaceSettings } from '../../domain/workspace/use-workspace-settings.ts';
import { useAppActions } from '../../lib/app-actions.tsx';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import styles from './claim-page.module.css';

/** Makes a letter about the claim; its file is saved like any export. */
export function LetterButton({ workspaceId, claimId }: { workspaceId: string; claimId: number }) {
  const isReader = useIsReader(workspaceId);
  if (isReader) return null;
  return (
    <DialogButton
      label="Letter…"
      button={{ size: 'compact-sm' }}
      title={`Letter about claim ${claimId}`}
      size="lg"
    >
      {(close) => <LoadLetter workspaceId={workspaceId} claimId={claimId} onClose={close} />}
    </DialogButton>
  );
}

/** Reads what a letter says: the claim, its review, the member's address, and what letters of the employer say. */
function LoadLetter(props: { workspaceId: string; claimId: number; onClose: () => void }) {
  const { workspaceId, claimId } = props;
  const claim = useDeskQuery('records:getClaim', { workspaceId, id: claimId });
  const views = useDeskQuery('views:list', { workspaceId });
  const { review, error } = useReview(workspaceId, claimId);
  const workspace = useWorkspace();
  const { reimbursementRules } = useWorkspaceSettings(workspace).settings;
  const memberId = claim.data?.claim.members?.[0]?.id;
  const member = useDeskQuery(
    'records:getMember',
    { workspaceId, id: memberId ?? 0, isLookup: true },
    { enabled: typeof memberId === 'number' },
  );
  const failure = claim.error ?? views.error ?? error;
  if (failure !== null) return <ErrorNotice error={failure} title="Couldn’t load the letter" />;
  if (claim.data === undefined || views.data === undefined || review === undefined || member.isLoading)
    return <LoadingState what="the letter" />;
  const facts = {
    claim: claim.data.claim,
    review,
    carrier: claim.data.carrier ?? null,
    address: member.data?.member.address ?? null,
    answerDays: answerDaysOf(claim.data.claim, { reimbursementRules, service: serviceOf(workspace) }),
  };
  return <LetterForm {...props} facts={facts} stored={findLetters(views.data.views)} />;
}

/** The kind that the decision asks for. */
function guessKind({ appeals, outcome, owed, state }: ClaimReview): LetterKind {
  const asked = findShownAppeal({ appeals });
  if (asked?.direction === 'received') {
    if (asked.answered === null) return 'appealReceived';
    if (asked.answered.answer !== 'withdrawn' && asked.answered.letterDay === null) return 'appealDecided';
  }
  if (owed !== null && owed > 0) return 'owedBack';
  if (outcome === 'partlyEligible') return outcome;
  if (outcome === 'disputed') return 'disagrees';
  return state === 'waiting' || state === 'back' ? 'documentsNeeded' : 'notEligible';
}

/** Texts and choices of the letter with its preview, which names what is missing. */
function LetterForm(props: {
  workspaceId: string;
  claimId: number;
  facts: LetterFacts;
  stored: StoredLetters;
  onClose: () => void;
}) {
  const { workspaceId, claimId, facts, stored, onClose } = props;
  const { requestExport } = useAppActions();
  const save = useDeskMutation('views:save');
  const [kind, setKind] = useState<LetterKind>(guessKind(facts.review));
  /** What is typed for each kind: the member's texts are never sent to the carrier. */
  const [notes, setNotes] = useState<Partial<Record<LetterKind, string>>>({});
  const [addresses, setAddresses] = useState({ member: '', carrier: '' });
  const employer = letterEmployerOf(facts.claim);
  const { id, settings: before, isReadable } = lettersOf(stored, employer);
  const [settings, setSettings] = useState(before);
  const { isToCarrier = false, typedLabel } = letterTable[kind];
  const addressee = isToCarrier ? 'carrier' : 'member';
  const { [kind]: note = '' } = notes;
  const { [addressee]: address } = addresses;
  const hasAddress = !isToCarrier && (facts.address ?? '').trim() !== '';
  const typed = { note, ...(hasAddress ? {} : { address }) };
  const letter = makeLetter(kind, facts, { settings, typed, today: localDayOf(new Date()) });
  const missing = [
    ...letter.missing,
    ...(isReadable ? [] : ['A newer version of Claimdesk wrote the settings of letters. Update first.']),
  ];
  const start = async () => {
    if (missing.length > 0) return;
    if (JSON.stringify(settings) !== JSON.stringify(before)) {
      const view = { ...toStoredLetters(employer, settings), ...(id === null ? {} : { id }) };
      await save.mutateAsync({ workspaceId, ...view });
    }
    onClose();
    const conditions = [{ field: 'id', operator: 'is' as const, values: [claimId] }];
    const query = { entity: 'claims' as const, conditions, includesMissing: true };
    const source = { kind: 'letters' as const, query, letter: kind, typed };
    requestExport({ workspaceId, source, total: 1, shownColumns: [] });
  };
  return (
    <Form onSubmit={() => start().catch(() => undefined)}>
      <NativeSelect
        label="Letter"
        value={kind}
        onChange={(event) => setKind(event.currentTarget.value as LetterKind)}
        data={letterKinds.map((value) => ({ value, label: letterTable[value].label }))}
      />
      {typedLabel !== undefined && (
        <LongField
          label={typedLabel}
          maxLength={2_000}
          value={note}
          onChange={(next) => setNotes({ ...notes, [kind]: next })}
        />
      )}
      {!hasAddress && (
        <LongField
          label={isToCarrier ? 'Carrier’s address' : 'Member’s address'}
          description="The records have no address. Leave it blank to write it by hand."
          maxLength={500}
          value={address}
          onChange={(next) => setAddresses({ ...addresses, [addressee]: next })}
        />
      )}
      <RememberedFields kind={kind} cause={facts.review.cause} settings={settings} onChange={setSettings} />
      {missing.length > 0 && (
        <Notice tone="caution" role="status" title="Missing">
          {missing.map((sentence) => (
            <div key={sentence}>{sentence}</div>
          ))}
        </Notice>
      )}
      <section aria-label="Preview">
        <pre className={styles.letter}>
          {[...letter.addressee, ...(letter.isAddressed ? [] : ['(address by hand)']), '', letter.text].join(
            '\n',
          )}
        </pre>
      </section>
      <ErrorNotice error={save.error} title="Couldn’t save what letters say" />
      <FormEnd
        action="Save letter…"
        isReady={missing.length === 0}
        isPending={save.isPending}
        onCancel={onClose}
      />
    </Form>
  );
}

/** What letters of this employer say beyond the claim, which is asked once. */
function RememberedFields(props: {
  kind: LetterKind;
  cause: string | null;
  settings: LetterSettings;
  onChange: (settings: LetterSettings) => void;
}) {
  const { kind, cause, settings, onChange } = props;
  const { required, text } = letterTable[kind];
  const change = (part: Partial<LetterSettings>) => onChange({ ...settings, ...part });
  const ofCause = (cause === null ? undefined : settings.byCause[cause]) ?? { provision: '', change: '' };
  const changeCause = (part: Partial<typeof ofCause>) =>
    cause !== null && change({ byCause: { ...settings.byCause, [cause]: { ...ofCause, ...part } } });
  return (
    <Stack gap="xs">
      <Hint>The fields below are remembered for this employer, encrypted on this computer.</Hint>
      {required.includes('change') && cause !== null && (
        <>
          <LongField
            label={`What the plan says about “${cause}”`}
            description="The plan’s provision, with its section."
            value={ofCause.provision}
            onChange={(provision) => changeCause({ provision })}
          />
          <LongField
            label="What would change the decision"
            description="Which documents are needed, and why."
            value={ofCause.change}
            onChange={(next) => changeCause({ change: next })}
          />
        </>
      )}
      <TextField
        label="Contact for questions"
        description="A sentence, such as: Call Ana Ruiz at 555-0100, weekdays 9 to 5."
        value={settings.contact}
        onChange={(contact) => change({ contact })}
      />
      <LongField
        label="Return address"
        description="Appeals are sent here too."
        value={settings.returnAddress}
        onChange={(returnAddress) => change({ returnAddress })}
      />
      {(required.includes('appeal') || required.includes('rights')) && (
        <>
          <Checkbox
            size="xs"
            label="The plan is under ERISA"
            checked={settings.isErisa}
            onChange={(event) => change({ isErisa: event.currentTarget.checked })}
          />
          <TextField
            label="Days to appeal"
            inputMode="numeric"
            value={String(settings.appealDays || '')}
            onChange={(typed) => change({ appealDays: Number(typed.replace(/\D/g, '').slice(0, 4)) })}
          />
        </>
      )}
      <Details summary="Change the text">
        <LongField
          label={`Text of “${letterTable[kind].label}”`}
          description={`Fields: ${Object.keys(letterFields)
            .map((field) => `{${field}}`)
            .join(', ')}. A blank text is the usual one.`}
          value={settings.templates[kind] ?? text}
          onChange={(next) => {
            const { [kind]: _dropped, ...others } = settings.templates;
            const isUsual = next.trim() === '' || next === text;
            change({ templates: isUsual ? others : { ...others, [kind]: next } });
          }}
        />
      </Details>
    </Stack>
  );
}
