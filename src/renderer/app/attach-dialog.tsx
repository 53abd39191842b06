import { NativeSelect, Radio, Select, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Output } from '../../contract/procedures.ts';
import { formatBytes } from '../../rules/count.ts';
import {
  type DocumentKind,
  documentKinds,
  documentLabels,
  maxDocumentBytes,
} from '../../rules/document-kinds.ts';
import { memberOfSubject, subjectOfMember } from '../../rules/review/member-subject.ts';
import { Dialog, DialogForm } from '../components/dialog.tsx';
import { Hint, SmallPrint } from '../components/text.tsx';
import { readText } from '../domain/document/read-text.ts';
import { useReview } from '../domain/review/use-review.ts';
import { useReadOnlyReason } from '../domain/team/use-is-reader.ts';
import { useAsk } from '../lib/desk-query.ts';
import { showNotice } from '../lib/notice.ts';
import { beginRest, mayPress } from '../lib/presses.ts';
import { keyPrefixes } from '../lib/query-keys.ts';
import { sendFile } from '../lib/send-file.ts';
import { useSecretWork } from '../lib/use-secret-call.ts';
import { useWorkspace } from '../lib/workspace-context.tsx';
import { type FoundRecord, usePaletteRecords, useRecentRecords } from './use-palette-records.ts';

/** The files to attach. `subject`: the claim or the member on whose page they were dropped; null: the user chooses. */
export interface AttachRequest {
  readonly workspaceId: string;
  readonly files: readonly File[];
  readonly subject: number | null;
}

const nameSubject = (subject: number): string =>
  memberOfSubject(subject) === null ? `claim ${subject}` : 'member';

/** Asks of each file to which claim or member it is attached, and as what. Nothing is attached by itself. */
export function AttachDialog(props: {
  request: AttachRequest | null;
  onRequest: (request: AttachRequest | null) => void;
}) {
  const { id: workspaceId } = useWorkspace();
  const { request, onRequest } = props;
  const readOnlyReason = useReadOnlyReason();
  const [file, ...others] = request?.files ?? [];
  const subject = request?.subject ?? null;
  const closeFirst = () => onRequest(others.length === 0 ? null : { workspaceId, files: others, subject });
  const more = others.length === 0 ? '' : ` (${others.length} more after it)`;
  return (
    <Dialog
      isOpen={file !== undefined}
      onClose={closeFirst}
      title={`Attach file${subject === null ? '' : `: ${nameSubject(subject)}`}${more}`}
    >
      {file !== undefined && readOnlyReason !== null && <Text size="sm">{readOnlyReason}</Text>}
      {file !== undefined && readOnlyReason === null && (
        <AttachForm
          key={[others.length, subject, file.name, file.size, file.lastModified].join()}
          file={file}
          ofPage={subject}
          onClose={closeFirst}
        />
      )}
    </Dialog>
  );
}

/** How the text of a file was compared with the claims: scans and pictures have none. Null while it is read. */
type Read = {
  readonly text: 'compared' | 'none' | 'unreadable' | 'failed';
  readonly matches: Output<'documents:match'>['matches'];
} | null;

function useMatches(file: File): Read {
  const ask = useAsk();
  const [read, setRead] = useState<Read>(null);
  useEffect(() => {
    let isOn = true;
    const match = async (): Promise<Read> => {
      const text = file.size > maxDocumentBytes ? '' : await readText(file).catch(() => null);
      if (text === null) return { text: 'unreadable', matches: [] };
      if (text.trim() === '') return { text: 'none', matches: [] };
      return { text: 'compared', ...(await ask('documents:match', { text })) };
    };
    match()
      .catch((): Read => ({ text: 'failed', matches: [] }))
      .then((done) => isOn && setRead(done));
    return () => {
      isOn = false;
    };
  }, [ask, file]);
  return read;
}

function AttachForm(props: { file: File; ofPage: number | null; onClose: () => void }) {
  const { id: workspaceId } = useWorkspace();
  const { file, ofPage, onClose } = props;
  const ask = useAsk();
  const cache = useQueryClient();
  const { run, isPending, error } = useSecretWork();
  const [document, setDocument] = useState<DocumentKind>('receipt');
  const [picked, setPicked] = useState(ofPage);
  const [search, setSearch] = useState(emptySearch);
  // What the search shows counts before what was picked.
  const { typed, chosen } = search;
  const subject = typed === '' ? picked : chosen?.label === typed ? Number(chosen.value) : null;
  const isTooLarge = file.size > maxDocumentBytes;
  const attach = async (claimId: number | null) => {
    if (claimId === null || isTooLarge) return;
    const done = await run(async () => {
      const sent = await sendFile(ask, file);
      const what = { claimId, document, name: file.name };
      return ask('documents:attach', { ...what, ...sent });
    });
    if (done === null) return;
    if (claimId !== ofPage) showNotice('attached', { message: `Attached to ${nameSubject(claimId)}.` });
    onClose();
    await cache.invalidateQueries({ queryKey: keyPrefixes.ofWorkspace('reviews', workspaceId) });
  };
  return (
    <DialogForm
      action="Attach"
      isReady={!isTooLarge && subject !== null}
      isPending={isPending}
      error={error}
      errorTitle="Couldn’t attach the file"
      onSubmit={() => attach(subject)}
      onCancel={onClose}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {file.name} · {formatBytes(file.size)}
      </Text>
      {isTooLarge && (
        <Text size="sm" role="alert">
          This file is too large: a document has at most 25 MB.
        </Text>
      )}
      <SubjectChoice
        {...props}
        subject={subject}
        search={search}
        onPick={(next) => {
          setPicked(next);
          setSearch(emptySearch);
        }}
        onConfirm={(claimId) => !isPending && mayPress() && void attach(claimId)}
        onSearch={(next) => {
          if (next.typed !== '') setPicked(null);
          setSearch(next);
        }}
      />
      <NativeSelect
        label="Kind"
        {...(ofPage === null ? {} : { 'data-autofocus': true })}
        value={document}
        onChange={(event) => setDocument(event.currentTarget.value as DocumentKind)}
        data={documentKinds.map((value) => ({ value, label: documentLabels[value] }))}
      />
      {subject !== null && <WaitingNote subject={subject} document={document} />}
    </DialogForm>
  );
}

function WaitingNote(props: { subject: number; document: DocumentKind }) {
  const { review } = useReview(props.subject);
  if (review?.state !== 'waiting') return null;
  return (
    <SmallPrint>
      This claim is waiting.{' '}
      {props.document === 'other'
        ? 'A document of this kind doesn’t make it due.'
        : 'It becomes due as soon as the file is attached, whatever it is waiting for.'}
    </SmallPrint>
  );
}

function sayRead(read: Read): string | null {
  if (read === null) return 'Reading the file…';
  if (read.text === 'unreadable') return 'This file couldn’t be read. Choose the claim.';
  if (read.text === 'failed') return 'This file couldn’t be compared with the claims. Choose the claim.';
  if (read.text === 'none') return 'This file has no text. Choose the claim.';
  return read.matches.length === 0 ? 'No claim matches this file. Choose the claim.' : null;
}

/** The claims that match, and a search; on the page of a record only a claim whose number the file has. */
function SubjectChoice(props: {
  file: File;
  ofPage: number | null;
  subject: number | null;
  search: Search;
  onPick: (subject: number) => void;
  /** Enter on a proposal. */
  onConfirm: (subject: number) => void;
  onSearch: (search: Search) => void;
}) {
  const { id: workspaceId } = useWorkspace();
  const { file, ofPage, subject, search, onPick, onConfirm, onSearch } = props;
  const read = useMatches(file);
  const matches = (read?.matches ?? []).filter(
    ({ claimId, isByNumber }) => ofPage === null || (isByNumber && claimId !== ofPage),
  );
  const queries = useMemo(
    () => (read?.matches ?? []).map(({ claimId }) => ({ kind: 'claim' as const, id: claimId })),
    [read],
  );
  const records = useRecentRecords(workspaceId, queries, queries.length > 0);
  const detailOf = (claimId: number) => records.find(({ id }) => id === claimId)?.detail ?? '';
  const said = sayRead(read);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The search had the focus while the file was read; it keeps the focus where the user typed or is elsewhere.
    const focused = window.document.activeElement;
    if (
      read === null ||
      !(focused instanceof HTMLInputElement) ||
      focused.getAttribute('role') !== 'combobox'
    )
      return;
    if (focused.value !== '' || first.current === null) return;
    // Its outline is shown also where the file was dropped by a mouse.
    first.current.focus({ focusVisible: true });
    beginRest();
  }, [read]);
  return (
    <>
      {matches.length > 0 && (
        <Radio.Group
          label={ofPage === null ? 'Attach to' : 'This file has the number of another claim. Attach to'}
          value={subject === null ? null : String(subject)}
          onChange={(value) => onPick(Number(value))}
        >
          <Stack gap={6} mt={4}>
            {ofPage !== null && <Radio value={String(ofPage)} label={`This ${nameSubject(ofPage)}`} />}
            {matches.map(({ claimId, says }, at) => (
              <Radio
                key={claimId}
                {...(at === 0 && { ref: first })}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' || event.repeat) return;
                  event.preventDefault();
                  onConfirm(claimId);
                }}
                value={String(claimId)}
                label={[`Claim ${claimId}`, detailOf(claimId)].filter(Boolean).join(' · ')}
                description={`${says}.`}
              />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {ofPage === null && (
        <>
          {said !== null && <Hint role="status">{said}</Hint>}
          <SubjectSearch
            label={matches.length === 0 ? 'Claim or member' : 'Another claim or member'}
            search={search}
            onSearch={onSearch}
          />
        </>
      )}
    </>
  );
}

const toChoice = ({ kind, id, label, detail }: FoundRecord) => ({
  value: String(kind === 'member' ? subjectOfMember(id) : id),
  label: [label, detail].filter(Boolean).join(' · '),
});

/** The typed text, and the claim or member that was chosen, by its label. */
interface Search {
  readonly typed: string;
  readonly chosen: ReturnType<typeof toChoice> | null;
}
const emptySearch: Search = { typed: '', chosen: null };

/** Any claim or member, found as in the palette. */
function SubjectSearch(props: { label: string; search: Search; onSearch: (search: Search) => void }) {
  const { id: workspaceId } = useWorkspace();
  const { label, search, onSearch } = props;
  const { typed, chosen } = search;
  const { records } = usePaletteRecords(workspaceId, chosen?.label === typed ? '' : typed, false);
  const choices = records.filter(({ kind }) => kind === 'claim' || kind === 'member').map(toChoice);
  const isListed = chosen === null || choices.some(({ value }) => value === chosen.value);
  return (
    <Select
      label={label}
      placeholder="Claim number or name"
      data-autofocus
      searchable
      allowDeselect={false}
      openOnFocus={false}
      nothingFoundMessage={typed.trim().length >= 2 ? 'Nothing matches.' : undefined}
      filter={({ options }) => options}
      data={isListed ? choices : [...choices, chosen]}
      value={chosen?.value ?? null}
      searchValue={typed}
      onSearchChange={(text) => onSearch({ typed: text, chosen })}
      onOptionSubmit={(value) => {
        const choice = choices.find((candidate) => candidate.value === value) ?? chosen;
        if (choice !== null) onSearch({ typed: choice.label, chosen: choice });
      }}
    />
  );
}
