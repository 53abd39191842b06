import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useState } from 'react';
import { type LetterSettings, refuseLetters } from '../../../contract/letter-settings.ts';
import { makeLetter } from '../../../contract/letters.ts';
import { localDayOf } from '../../../rules/days.ts';
import { type LetterKind, letterKinds, letterTable } from '../../../rules/letters/letter-kinds.ts';
import type { Condition } from '../../../rules/query.ts';
import { appealAnswerLabels } from '../../../rules/review/appeals.ts';
import { isSameJson } from '../../../rules/review/same-value.ts';
import { ErrorNotice, NotLoaded } from '../../components/error-notice.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { LoadingState } from '../../components/states.tsx';
import { Hint } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { CauseFields, LetterPreview, LetterText, SenderFields } from '../../domain/letter/letter-fields.tsx';
import { useLetterDraft, useLetterFacts, useLetters } from '../../domain/letter/use-letters.ts';
import { useDeclineCauses } from '../../domain/review/decline-causes.ts';
import { useIsReader } from '../../domain/team/use-is-reader.ts';
import { OfActiveWorkspace } from '../../domain/workspace/of-active-workspace.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { ByEmployer } from './by-employer.tsx';

/** The texts for letters of each employer, with a preview on a claim. */
export function LettersSettings() {
  return (
    <OfActiveWorkspace none="No workspaces yet, so there are no letters.">
      {(active) => (
        <ByEmployer title="What letters say" label="Letters for" about={<AboutLetters />}>
          {(employerId) => (
            <LettersOf key={`${active.id} ${employerId}`} employer={String(employerId ?? '')} />
          )}
        </ByEmployer>
      )}
    </OfActiveWorkspace>
  );
}

const AboutLetters = () => (
  <Hint>
    {useLetters().isShared
      ? 'What you save here is the same on every computer of the team. Admins and reviewers can change it.'
      : 'These texts stay on this computer, encrypted, and aren’t part of a hand-over. A team shares them.'}{' '}
    <AnchorLink to="/reports" hash="letters">
      Log of letters
    </AnchorLink>
  </Hint>
);

function LettersOf({ employer }: { employer: string }) {
  const letters = useLetters();
  const isReader = useIsReader();
  const { causes } = useDeclineCauses();
  const [kind, setKind] = useState<LetterKind>('notEligible');
  const [chosenCause, setCause] = useState<string | null>(null);
  const { id, settings: saved, isReadable, isOfTeam } = letters.of(employer);
  const [settings, setTyped] = useLetterDraft(employer, saved);
  if (letters.views.data === undefined) return <NotLoaded query={letters.views} what="the letters" />;
  if (!isReadable)
    return <Hint>A newer version of Claimdesk stored these texts. Update Claimdesk to change them.</Hint>;
  const refused = refuseLetters(settings);
  const allCauses = [...new Set([...causes, ...Object.keys(settings.byCause), letterTable.owedBack.label])];
  const cause = chosenCause ?? allCauses[0];
  const isUnshared = letters.isShared && id !== null && !isOfTeam;
  const isChanged = !isSameJson(settings, saved);
  const end = () => setTyped(null);
  return (
    <Stack gap="sm">
      {isUnshared && <Hint>These are on this computer only. Save them to share them with the team.</Hint>}
      <SenderFields settings={settings} onChange={setTyped} hasRights />
      {cause !== undefined && (
        <>
          <NativeSelect
            label="Reason"
            value={cause}
            onChange={(event) => setCause(event.currentTarget.value)}
            data={allCauses}
          />
          <CauseFields
            cause={cause}
            hasChange={cause !== letterTable.owedBack.label}
            settings={settings}
            onChange={setTyped}
          />
        </>
      )}
      <NativeSelect
        label="Letter"
        value={kind}
        onChange={(event) => setKind(event.currentTarget.value as LetterKind)}
        data={letterKinds.map((value) => ({
          value,
          label: `${letterTable[value].label}${settings.templates[value] === undefined ? '' : ' (changed)'}`,
        }))}
      />
      <LetterText key={kind} kind={kind} settings={settings} onChange={setTyped} />
      {refused.map((sentence) => (
        <Hint key={sentence}>{sentence}</Hint>
      ))}
      <Group gap="xs">
        <Button
          variant="default"
          aria-label="Save letters"
          disabled={isReader || refused.length > 0 || !(isChanged || isUnshared)}
          loading={letters.isPending}
          onClick={() => letters.save(employer, settings).then(end, () => undefined)}
        >
          Save
        </Button>
        {isChanged && (
          <Button variant="subtle" aria-label="Discard changes of letters" onClick={end}>
            Discard changes
          </Button>
        )}
        {id !== null && !isReader && (
          <Button variant="subtle" onClick={() => letters.remove(employer).then(end, () => undefined)}>
            {employer === '' ? 'Reset letters' : 'Use the letters of all employers'}
          </Button>
        )}
      </Group>
      <ErrorNotice error={letters.error} title="Couldn’t save the letter texts" />
      <PreviewOnClaim key={`preview ${kind}`} employer={employer} kind={kind} settings={settings} />
    </Stack>
  );
}

/** The claims that a kind of letter is for. */
const fitting: Readonly<Record<LetterKind, Condition>> = {
  notEligible: { field: 'review.outcome', operator: 'is', values: ['notEligible'] },
  partlyEligible: { field: 'review.outcome', operator: 'is', values: ['partlyEligible'] },
  documentsNeeded: { field: 'review.state', operator: 'isOneOf', values: ['waiting', 'back'] },
  owedBack: { field: 'facts.owed', operator: 'moreThan', values: [0] },
  disagrees: { field: 'review.outcome', operator: 'is', values: ['disputed'] },
  appealReceived: { field: 'review.appeal', operator: 'is', values: ['Received'] },
  appealDecided: { field: 'review.appeal', operator: 'isOneOf', values: Object.values(appealAnswerLabels) },
};

interface Previewed {
  readonly kind: LetterKind;
  readonly settings: LetterSettings;
}

/** The letter about the newest suitable claim, or about the claim whose number is typed. */
function PreviewOnClaim({ employer, ...previewed }: Previewed & { employer: string }) {
  const { kind } = previewed;
  const [typed, setTyped] = useState<string | null>(null);
  const ofEmployer: Condition[] =
    employer === '' ? [] : [{ field: 'members.employer.id', operator: 'is', values: [Number(employer)] }];
  const claims = useWorkspaceQuery('records:readFirst', {
    query: {
      entity: 'claims',
      conditions: [fitting[kind], ...ofEmployer],
      sort: [{ field: 'id', direction: 'desc' }],
    },
    limit: 1,
    fields: ['id'],
  }).data?.rows;
  const claim = typed ?? String(claims?.[0]?.id ?? '');
  return (
    <>
      <TextField
        label="Preview on claim"
        description={
          claims?.length === 0 ? 'No claim needs this letter now. Type another claim’s number.' : undefined
        }
        inputMode="numeric"
        value={claim}
        onChange={(next) => setTyped(next.replace(/\D/g, '').slice(0, 15))}
      />
      {claim !== '' && <PreviewOf key={claim} claimId={Number(claim)} {...previewed} />}
    </>
  );
}

function PreviewOf({ claimId, kind, settings }: Previewed & { claimId: number }) {
  const { facts, error } = useLetterFacts(claimId);
  if (error !== null) return <ErrorNotice error={error} title="Couldn’t load the claim" />;
  if (facts === undefined) return <LoadingState what="the claim" />;
  const { typedLabel } = letterTable[kind];
  const typed = typedLabel === undefined ? {} : { note: `[${typedLabel}]` };
  const letter = makeLetter(kind, facts, { settings, typed, today: localDayOf(new Date()) });
  return <LetterPreview letter={letter} missing={letter.missing} />;
}
