import { NativeSelect, Stack } from '@mantine/core';
import { useState } from 'react';
import type { LetterSettings } from '../../../contract/letter-settings.ts';
import { type LetterFacts, letterCauseOf, letterEmployerOf, makeLetter } from '../../../contract/letters.ts';
import { localDayOf } from '../../../rules/days.ts';
import {
  type LetterKind,
  letterKinds,
  letterTable,
  requiredOf,
} from '../../../rules/letters/letter-kinds.ts';
import { findShownAppeal } from '../../../rules/review/appeals.ts';
import type { ClaimReview } from '../../../rules/review/review.ts';
import { isSameJson } from '../../../rules/review/same-value.ts';
import { Details } from '../../components/details.tsx';
import { DialogButton } from '../../components/dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Form, FormEnd } from '../../components/form.tsx';
import { LongField } from '../../components/long-field.tsx';
import { LoadingState } from '../../components/states.tsx';
import { Hint } from '../../components/text.tsx';
import { CauseFields, LetterPreview, LetterText, SenderFields } from '../../domain/letter/letter-fields.tsx';
import { useLetterDraft, useLetterFacts, useLetters } from '../../domain/letter/use-letters.ts';
import { useDraft } from '../../domain/review/use-draft.ts';
import { WriterOnly } from '../../domain/team/writer-only.tsx';
import { useAppActions } from '../../lib/app-actions.tsx';
import { useWorkspace } from '../../lib/workspace-context.tsx';

interface OfClaim {
  readonly claimId: number;
}

/** Makes a letter about the claim; its file is saved like any export. */
export function LetterButton({ claimId, mayPress }: OfClaim & { mayPress: () => boolean }) {
  return (
    <WriterOnly isSaid={false}>
      <DialogButton
        label="Letter…"
        button={{ size: 'compact-sm' }}
        mayPress={mayPress}
        title={`Letter about claim ${claimId}`}
        size="lg"
      >
        {(close) => <LoadLetter claimId={claimId} onClose={close} />}
      </DialogButton>
    </WriterOnly>
  );
}

/** Reads the content of a letter: the claim, its review, the member’s address, and the employer's texts. */
function LoadLetter(props: OfClaim & { onClose: () => void }) {
  const { claimId } = props;
  const letters = useLetters();
  const { facts, error } = useLetterFacts(claimId);
  const failure = error ?? letters.views.error;
  if (failure !== null) return <ErrorNotice error={failure} title="Couldn’t load the letter" />;
  if (facts === undefined || letters.views.data === undefined) return <LoadingState what="the letter" />;
  return <LetterForm {...props} facts={facts} letters={letters} />;
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

const hasRightsOf = (kind: LetterKind): boolean =>
  (['appeal', 'rights', 'documents'] as const).some((field) => requiredOf(kind).includes(field));

/** The edited settings that the dialog shows, and the stored ones of other letters, reasons, and rights. */
function shownIn(
  kind: LetterKind,
  cause: string | null,
  { edited, stored }: Readonly<Record<'edited' | 'stored', LetterSettings>>,
): LetterSettings {
  const replace = <Value,>(all: Record<string, Value>, name: string | null, by: Record<string, Value>) =>
    Object.fromEntries(
      Object.keys({ ...all, ...by }).flatMap((key) => {
        const { [key]: value } = key === name ? by : all;
        return value === undefined ? [] : [[key, value]];
      }),
    );
  return {
    ...(hasRightsOf(kind) ? edited : stored),
    contact: edited.contact,
    returnAddress: edited.returnAddress,
    byCause: replace(stored.byCause, cause, edited.byCause),
    templates: replace(stored.templates, kind, edited.templates),
  };
}

/**
 * Texts and choices of the letter with its preview, which names what is missing. Typed text is kept until the letter is
 * saved, even if the dialog is closed with Esc.
 */
function LetterForm(
  props: OfClaim & { facts: LetterFacts; letters: ReturnType<typeof useLetters>; onClose: () => void },
) {
  const { id: workspaceId } = useWorkspace();
  const { claimId, facts, letters, onClose } = props;
  const { requestExport } = useAppActions();
  const [kind, setKind] = useState<LetterKind>(guessKind(facts.review));
  const employer = letterEmployerOf(facts.claim);
  const { settings: before, isReadable } = letters.of(employer);
  /** The typed texts of each kind: the member's texts are never sent to the carrier. */
  const [note, writeNote] = useDraft(claimId, `letter ${kind}`);
  const { isToCarrier = false, typedLabel } = letterTable[kind];
  const [address, writeAddress] = useDraft(claimId, `letter to ${isToCarrier}`);
  const [settings, change] = useLetterDraft(employer, before);
  const hasAddress = !isToCarrier && (facts.address ?? '').trim() !== '';
  const typed = { note: note ?? '', ...(hasAddress ? {} : { address: address ?? '' }) };
  const hasCause = kind !== 'appealDecided' && requiredOf(kind).includes('provision');
  const cause = hasCause ? letterCauseOf(kind, facts.review) : null;
  const shown = shownIn(kind, cause, { edited: settings, stored: before });
  const letter = makeLetter(kind, facts, { settings: shown, typed, today: localDayOf(new Date()) });
  const missing = [
    ...letter.missing,
    ...(isReadable ? [] : ['A newer version of Claimdesk wrote the settings of letters. Update first.']),
  ];
  const start = async () => {
    if (missing.length > 0) return;
    if (!isSameJson(shown, before)) await letters.save(employer, shown);
    change(settings, shown);
    onClose();
    const conditions = [{ field: 'id', operator: 'is' as const, values: [claimId] }];
    const query = { entity: 'claims' as const, conditions, includesMissing: true };
    const source = { kind: 'letters' as const, query, letter: kind, typed };
    const onExported = () => {
      writeNote(null);
      writeAddress(null);
    };
    requestExport({ workspaceId, source, total: 1, shownColumns: [], onExported });
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
        <LongField label={typedLabel} maxLength={2_000} value={note ?? ''} onChange={writeNote} />
      )}
      {!hasAddress && (
        <LongField
          label={isToCarrier ? 'Carrier’s address' : 'Member’s address'}
          description="The records have no address. Leave it blank to write it by hand."
          maxLength={500}
          value={address ?? ''}
          onChange={writeAddress}
        />
      )}
      <RememberedFields
        kind={kind}
        cause={cause}
        isShared={letters.isShared}
        settings={settings}
        onChange={change}
      />
      <LetterPreview letter={letter} missing={missing} />
      <ErrorNotice error={letters.error} title="Couldn’t save the letter texts" />
      <FormEnd
        action="Save letter…"
        isReady={missing.length === 0}
        isPending={letters.isPending}
        onCancel={onClose}
      />
    </Form>
  );
}

/** The employer's texts beyond the claim, which are typed once; *Settings* has all of them. */
function RememberedFields(props: {
  kind: LetterKind;
  cause: string | null;
  isShared: boolean;
  settings: LetterSettings;
  onChange: (settings: LetterSettings) => void;
}) {
  const { kind, cause, isShared, ...edited } = props;
  return (
    <Stack gap="xs">
      <Hint>
        The fields below are remembered for this employer,{' '}
        {isShared ? 'for everyone in your team.' : 'encrypted on this computer.'}
      </Hint>
      {cause !== null && (
        <CauseFields cause={cause} hasChange={requiredOf(kind).includes('change')} {...edited} />
      )}
      <SenderFields {...edited} hasRights={hasRightsOf(kind)} />
      <Details summary="Change the text">
        <LetterText key={kind} kind={kind} {...edited} />
      </Details>
    </Stack>
  );
}
