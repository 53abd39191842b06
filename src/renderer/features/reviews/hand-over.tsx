import { Button, FileInput, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../../contract/procedures.ts';
import { filePartBytes } from '../../../contract/review-procedures.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FormEnd } from '../../components/form-end.tsx';
import { FieldList } from '../../components/page.tsx';
import { PassphrasePair } from '../../components/passphrase-pair.tsx';
import { SmallPrint, Status } from '../../components/text.tsx';
import { agreedPassphrase, minLengthOf } from '../../lib/agreed-passphrase.ts';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { formatCount, formatCountOf } from '../../lib/format-value.ts';
import { useSecretCall } from '../../lib/use-secret-call.ts';

/** Writes all reviews of the workspace to one file under a passphrase. */
export function ExportReviews({ workspaceId }: { workspaceId: string }) {
  const bridge = useBridge();
  const write = useSecretCall('reviews:export');
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState({ first: '', second: '' });
  const [targetError, setTargetError] = useState<unknown>(null);
  const [saved, setSaved] = useState<(Output<'reviews:export'> & { displayPath: string }) | null>(null);
  const passphrase = agreedPassphrase(typed, minLengthOf.unlock);
  const close = () => {
    setIsOpen(false);
    setTyped({ first: '', second: '' });
    setSaved(null);
    setTargetError(null);
    write.reset();
  };
  const save = async (chosen: string) => {
    setTargetError(null);
    try {
      const target = await ask(bridge, 'files:chooseSaveTarget', {
        purpose: 'reviews',
        suggestedName: 'reviews.claimdesk-reviews',
      });
      if (target === null) return;
      const written = await write.call({ workspaceId, passphrase: chosen, targetId: target.targetId });
      if (written === null) return;
      setTyped({ first: '', second: '' });
      setSaved({ ...written, displayPath: target.displayPath });
    } catch (error) {
      setTargetError(error);
    }
  };
  const error = write.error ?? targetError;
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        Export reviews…
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title="Export reviews"
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {saved === null ? (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (passphrase !== null) void save(passphrase);
            }}
          >
            <Stack gap="sm">
              <Text size="sm">
                The file holds decisions, notes, and payments, and the claim values they were made on. Send
                the file and the passphrase separately.
              </Text>
              <PassphrasePair
                label="File passphrase"
                value={typed}
                onChange={setTyped}
                minLength={minLengthOf.unlock}
                isFirst
              />
              <ErrorNotice error={error} title="Couldn’t export the reviews" />
              <FormEnd
                action="Save as…"
                isReady={passphrase !== null}
                isPending={write.isPending}
                onCancel={close}
              />
            </Stack>
          </form>
        ) : (
          <Stack gap="sm">
            <Status>
              {formatCountOf(saved.events, 'event')} of {formatCountOf(saved.claims, 'claim')} saved as{' '}
              {saved.displayPath}
            </Status>
            <Button onClick={close} ml="auto">
              Done
            </Button>
          </Stack>
        )}
      </Modal>
    </>
  );
}

/** Adds the reviews of such a file, and reports what came. */
export function ImportReviews({ workspaceId }: { workspaceId: string }) {
  const bridge = useBridge();
  const read = useSecretCall('reviews:import');
  const [isOpen, setIsOpen] = useState(false);
  const [file, setFile] = useState<File | null>(null);
  const [passphrase, setPassphrase] = useState('');
  const [isSending, setIsSending] = useState(false);
  const [sendError, setSendError] = useState<unknown>(null);
  const [report, setReport] = useState<Output<'reviews:import'> | null>(null);
  const close = () => {
    setIsOpen(false);
    setFile(null);
    setPassphrase('');
    setReport(null);
    setSendError(null);
    read.reset();
  };
  const sendParts = async (whole: File): Promise<{ uploadId?: string; file: string }> => {
    let sent: { uploadId?: string } = {};
    let at = 0;
    for (; whole.size - at > filePartBytes; at += filePartBytes) {
      const part = await readBase64(whole.slice(at, at + filePartBytes));
      sent = await ask(bridge, 'reviews:addFilePart', { workspaceId, ...sent, part });
    }
    return { ...sent, file: await readBase64(whole.slice(at)) };
  };
  const submit = async () => {
    if (file === null) return;
    setSendError(null);
    setIsSending(true);
    try {
      const sent = await sendParts(file);
      const answer = await read.call({ workspaceId, ...sent, passphrase });
      if (answer === null) return;
      setPassphrase('');
      setReport(answer);
    } catch (error) {
      setSendError(error);
    } finally {
      setIsSending(false);
    }
  };
  const error = read.error ?? sendError;
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        Import reviews…
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title="Import reviews"
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {report === null ? (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void submit();
            }}
          >
            <Stack gap="sm">
              <FileInput
                label="Reviews file"
                placeholder="Choose file…"
                accept=".claimdesk-reviews"
                value={file}
                onChange={setFile}
                data-autofocus
              />
              <PasswordInput
                label="File passphrase"
                autoComplete="off"
                value={passphrase}
                onChange={(event) => setPassphrase(event.currentTarget.value)}
                visibilityToggleButtonProps={{ 'aria-label': 'Show passphrase' }}
              />
              <ErrorNotice error={error} title="Couldn’t import the reviews" />
              <FormEnd
                action="Import"
                isReady={file !== null && passphrase !== ''}
                isPending={isSending || read.isPending}
                onCancel={close}
              />
            </Stack>
          </form>
        ) : (
          <Stack gap="sm" role="status">
            <FieldList
              fields={[
                ['New events', formatCount(report.events)],
                ['Already here', formatCount(report.known)],
                ['Claims', formatCount(report.claims)],
                ['Claims not on this computer', formatCount(report.unknownClaims)],
                ['Removed claims, left out', formatCount(report.removedClaims)],
                ['Authors', report.authors.length === 0 ? '—' : report.authors.join(', ')],
              ]}
            />
            {report.unknownClaims > 0 && (
              <SmallPrint>
                Reviews of claims that are not on this computer are kept until a sync brings the claims.
              </SmallPrint>
            )}
            <Button onClick={close} ml="auto">
              Done
            </Button>
          </Stack>
        )}
      </Modal>
    </>
  );
}

async function readBase64(file: Blob): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
  return url.slice(url.indexOf(',') + 1);
}
