import { FileInput, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Output } from '../../../contract/procedures.ts';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import { DialogButton, DialogForm, DoneButton } from '../../components/dialog.tsx';
import { FieldList } from '../../components/page.tsx';
import { PassphraseField, PassphrasePair } from '../../components/passphrase-fields.tsx';
import { SavedPath } from '../../components/saved-path.tsx';
import { SmallPrint, Status } from '../../components/text.tsx';
import { WriterOnly } from '../../domain/team/writer-only.tsx';
import { useAsk } from '../../lib/desk-query.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';
import { sendFile } from '../../lib/send-file.ts';
import { useSaveLabel } from '../../lib/use-save-label.ts';
import { useSaveFile, useSecretWork } from '../../lib/use-secret-call.ts';
import { describeDoubt, describeLeftOut, describePerson } from './describe-import.ts';

type Report = Output<'reviews:import'>;

/** Writes all reviews of the workspace to one file with a passphrase. */
export const ExportReviews = () => (
  <DialogButton label="Export reviews…" title="Export reviews" closeOnClickOutside={false}>
    {(close) => <ExportForm onClose={close} />}
  </DialogButton>
);

interface FormProps {
  readonly onClose: () => void;
}

function ExportForm({ onClose }: FormProps) {
  const ask = useAsk();
  const saveLabel = useSaveLabel();
  const [passphrase, setPassphrase] = useState<string | null>(null);
  const { saved, save, isPending, error } = useSaveFile<Output<'reviews:export'>>({
    purpose: 'reviews',
    suggestedName: 'reviews.claimdesk-reviews',
  });
  if (saved !== null) {
    return (
      <Stack gap="sm">
        <Status>
          {formatCountOf(saved.events, 'event')} of {formatCountOf(saved.claims, 'claim')} saved as{' '}
          <SavedPath path={saved.displayPath} />
        </Status>
        <DoneButton onClose={onClose} />
      </Stack>
    );
  }
  return (
    <DialogForm
      action={saveLabel}
      isReady={passphrase !== null}
      isPending={isPending}
      error={error}
      errorTitle="Couldn’t export the reviews"
      onSubmit={() => {
        if (passphrase === null) return;
        void save((targetId) => ask('reviews:export', { passphrase, targetId }));
      }}
      onCancel={onClose}
    >
      <Text size="sm">
        The file holds decisions, notes, and payments, and the claim values they were made on. Send the file
        and the passphrase separately.
      </Text>
      <PassphrasePair label="File passphrase" onChange={setPassphrase} isFirst />
    </DialogForm>
  );
}

/** Adds the reviews of such a file, and reports what was added. */
export const ImportReviews = () => (
  <WriterOnly>
    <DialogButton label="Import reviews…" title="Import reviews" closeOnClickOutside={false}>
      {(close) => <ImportForm onClose={close} />}
    </DialogButton>
  </WriterOnly>
);

function ImportForm({ onClose }: FormProps) {
  const ask = useAsk();
  const cache = useQueryClient();
  const { run, isPending, error } = useSecretWork();
  const [file, setFile] = useState<File | null>(null);
  const [passphrase, setPassphrase] = useState('');
  const [report, setReport] = useState<Report | null>(null);
  const submit = async () => {
    if (file === null) return;
    const answer = await run(async () =>
      ask('reviews:import', { ...(await sendFile(ask, file)), passphrase }),
    );
    if (answer === null) return;
    setPassphrase('');
    setReport(answer);
    await cache.invalidateQueries({ queryKey: keyPrefixes.domain('reviews') });
  };
  if (report !== null) return <Imported report={report} onClose={onClose} />;
  return (
    <DialogForm
      action="Import"
      isReady={file !== null && passphrase !== ''}
      isPending={isPending}
      error={error}
      errorTitle="Couldn’t import the reviews"
      onSubmit={submit}
      onCancel={onClose}
    >
      <FileInput
        label="Reviews file"
        placeholder="Choose file…"
        accept=".claimdesk-reviews"
        value={file}
        onChange={setFile}
        data-autofocus
      />
      <PassphraseField
        label="File passphrase"
        autoComplete="off"
        value={passphrase}
        onChange={setPassphrase}
      />
    </DialogForm>
  );
}

function Imported({ report, onClose }: { report: Report; onClose: () => void }) {
  const leftOut = describeLeftOut(report);
  const doubt = describeDoubt(report);
  return (
    <Stack gap="sm" role="status">
      <FieldList
        fields={[
          ['New events', formatCount(report.events)],
          ['Already here', formatCount(report.known)],
          ['Claims', formatCount(report.claims)],
          ['Claims not on this computer', formatCount(report.unknownClaims)],
          ['Removed claims, left out', formatCount(report.removedClaims)],
        ]}
      />
      {report.people.length > 0 && <FieldList fields={report.people.map(describePerson)} />}
      {leftOut !== null && <Text size="sm">{leftOut}</Text>}
      {doubt !== null && <SmallPrint>{doubt}</SmallPrint>}
      {report.unknownClaims > 0 && (
        <SmallPrint>
          Reviews of claims that are not on this computer are kept until a sync brings the claims.
        </SmallPrint>
      )}
      <DoneButton onClose={onClose} />
    </Stack>
  );
}
