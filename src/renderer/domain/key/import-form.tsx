import { FileButton, Group, Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useState } from 'react';
import { errorTable } from '../../../contract/error-codes.ts';
import type { ErrorReport } from '../../../contract/result.ts';
import type { KeySource, SshKey } from '../../../contract/ssh-keys.ts';
import { ReportNotice } from '../../components/error-notice.tsx';
import { Form, FormEnd } from '../../components/form.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { PassphraseField } from '../../components/passphrase-fields.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { Status } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask, DeskError, reportOf } from '../../lib/desk-error.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';
import { useArrivalFocus } from '../../lib/use-arrival-focus.ts';
import { useSecretWork } from '../../lib/use-secret-call.ts';
import styles from './import-form.module.css';

/** Imports a key by file, drop or paste; its passphrase is requested only if it has one. */
export function ImportForm(props: {
  workspaceId: string | undefined;
  onImported: (key: SshKey) => void;
  onCancel: () => void;
}) {
  const [given, setGiven] = useState<GivenKey | null>(null);
  const [text, setText] = useState('');
  const [name, setName] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const [unreadable, setUnreadable] = useState<ErrorReport | null>(null);
  const importing = useImportKey(props.workspaceId, props.onImported);

  const give = (next: GivenKey | null) => {
    importing.forget();
    setPassphrase('');
    setUnreadable(null);
    setGiven(next);
  };
  const giveFile = async (file: File | null) => {
    if (file === null) return;
    setText('');
    try {
      const source = await readDroppedFile(file);
      give({ source, label: `The file ${file.name}`, wasPasted: false });
    } catch (thrown) {
      give(null);
      setUnreadable(reportOf(thrown));
    }
  };
  const giveText = (typed: string, wasPasted: boolean) => {
    setText(typed);
    const source = { kind: 'text', text: typed } as const;
    give(typed.trim() === '' ? null : { source, label: 'The pasted key', wasPasted });
  };
  const error = unreadable ?? importing.error;
  const isAsking = importing.wantsPassphrase;
  return (
    <Form onSubmit={() => given !== null && importing.run(given, name, passphrase)}>
      <KeySources
        onFile={giveFile}
        onAskMain={(kind) => {
          const asked = { source: { kind }, label: '', wasPasted: false } as const;
          give(asked);
          void importing.run(asked, name, '', true);
        }}
      />
      {given?.source.kind === 'bytes' && <Status>{given.label} is ready to be imported.</Status>}
      <Textarea
        label="Or paste the private key"
        description="Include the BEGIN and END lines"
        classNames={{ input: styles.key ?? '' }}
        rows={4}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={(event) => giveText(event.currentTarget.value, given?.wasPasted ?? false)}
        onPaste={(event) => {
          event.preventDefault();
          giveText(event.clipboardData.getData('text/plain'), true);
        }}
      />
      <TextField
        label="Key name"
        description="Optional. If blank, the file’s comment is used."
        maxLength={80}
        value={name}
        onChange={setName}
      />
      {isAsking && <FilePassphrase value={passphrase} onChange={setPassphrase} />}
      {error !== null && <ImportError error={error} />}
      <FormEnd
        action="Import key"
        isReady={given !== null && (!isAsking || passphrase !== '')}
        isPending={importing.isPending}
        onCancel={props.onCancel}
      />
    </Form>
  );
}

/** Sources of a key other than pasting into the field: a dropped file, a chosen file, the clipboard. */
function KeySources(props: {
  onFile: (file: File | null) => Promise<void>;
  /** Main opens its own dialog or reads the clipboard, so that the key does not pass through the page. */
  onAskMain: (kind: 'file' | 'clipboard') => void;
}) {
  const { shell } = useBridge();
  const [isOver, setIsOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    void props.onFile(event.dataTransfer.files.item(0));
  };
  return (
    <section
      className={styles.drop}
      data-over={isOver}
      aria-label="Key file"
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <Text size="sm">Drop a key file here, or</Text>
      <Group gap="xs">
        {shell === 'electron' ? (
          <>
            <SmallButton data-autofocus onClick={() => props.onAskMain('file')}>
              Choose a file…
            </SmallButton>
            <SmallButton onClick={() => props.onAskMain('clipboard')}>Paste from clipboard</SmallButton>
          </>
        ) : (
          <FileButton onChange={(file) => void props.onFile(file)}>
            {(button) => (
              <SmallButton data-autofocus {...button}>
                Choose a file…
              </SmallButton>
            )}
          </FileButton>
        )}
      </Group>
    </section>
  );
}

function FilePassphrase(props: { value: string; onChange: (value: string) => void }) {
  const field = useArrivalFocus<HTMLInputElement>();
  return <PassphraseField {...props} ref={field} label="Key file passphrase" autoComplete="off" />;
}

/** The error of an import; a key that already exists is named, with a link to it. */
function ImportError({ error }: { error: ErrorReport }) {
  const keyId = error.details?.keyId;
  const isTwice = error.code === 'key.duplicate' && typeof keyId === 'string';
  const title = error.code === 'key.passphraseNeeded' ? 'Passphrase needed' : 'Couldn’t import the key';
  return (
    <ReportNotice
      report={error}
      title={title}
      action={
        isTwice && (
          <AnchorLink to="/settings/keys/$keyId" params={{ keyId }}>
            Show “{String(error.details?.name)}”
          </AnchorLink>
        )
      }
    />
  );
}

/** A chosen key, with a description for the screen. The private key itself is shown nowhere. */
interface GivenKey {
  readonly source: KeySource;
  readonly label: string;
  /** The key was pasted into this page, so the clipboard still contains it. */
  readonly wasPasted: boolean;
}

const passphraseCodes: ReadonlySet<string> = new Set(['key.passphraseNeeded', 'key.wrongPassphrase']);

/**
 * One import: the key is sent to main once; where only its passphrase is missing, main keeps it and the second
 * attempt sends the passphrase alone.
 */
function useImportKey(workspaceId: string | undefined, onImported: (key: SshKey) => void) {
  const bridge = useBridge();
  const cache = useQueryClient();
  const sending = useSecretWork();
  const [heldId, setHeldId] = useState<string | null>(null);
  const error = sending.error === null ? null : reportOf(sending.error);
  const send = async (source: KeySource, name: string, passphrase: string): Promise<SshKey | null> => {
    try {
      const key = await ask(bridge, 'keys:import', {
        source,
        ...(passphrase === '' ? {} : { passphrase }),
        ...(name.trim() === '' ? {} : { name: name.trim() }),
        ...(workspaceId === undefined ? {} : { workspaceId }),
      });
      if (key !== null) setHeldId(null);
      return key;
    } catch (thrown) {
      const { code, details } = reportOf(thrown);
      const sourceId = details?.sourceId;
      if (typeof sourceId === 'string') setHeldId(sourceId);
      else if (code === 'key.sourceMissing') setHeldId(null);
      throw thrown;
    }
  };
  const run = async (given: GivenKey, name: string, passphrase: string, isNew = false): Promise<void> => {
    const source: KeySource = heldId === null || isNew ? given.source : { kind: 'held', sourceId: heldId };
    const key = await sending.run(() => send(source, name, passphrase));
    if (key === null) return;
    // Electron's main process clears the clipboard itself.
    if (given.wasPasted && bridge.shell === 'browser') await emptyClipboard();
    for (const domain of ['keys', 'workspaces'])
      await cache.invalidateQueries({ queryKey: keyPrefixes.domain(domain) });
    onImported(key);
  };
  /** Another key was chosen: main drops the one that it holds. */
  const forget = () => {
    setHeldId(null);
    sending.reset();
  };
  return {
    run,
    forget,
    error,
    isPending: sending.isPending,
    wantsPassphrase: (error !== null && passphraseCodes.has(error.code)) || heldId !== null,
  };
}

/** Where the shell cannot clear the clipboard, the page overwrites the pasted key there; this may fail. */
async function emptyClipboard(): Promise<void> {
  await navigator.clipboard?.writeText('').catch(() => undefined);
}

/** The largest file that is sent to main; no key file is larger. */
const maxBytes = 256 * 1024;

/**
 * Reads a file that was dropped or chosen in the page as bytes: an old PuTTY file is not UTF-8.
 * @throws DeskError `key.notAKey` where it is too large, `key.fileUnreadable` (for example a folder)
 */
export async function readDroppedFile(file: File): Promise<KeySource> {
  if (file.size > maxBytes) throw new DeskError(errorTable['key.notAKey']);
  const bytes = await file.arrayBuffer().catch(() => {
    throw new DeskError(errorTable['key.fileUnreadable']);
  });
  let text = '';
  for (const byte of new Uint8Array(bytes)) text += String.fromCharCode(byte);
  return { kind: 'bytes', base64: btoa(text) };
}
