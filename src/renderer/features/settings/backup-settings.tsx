import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { BackupState } from '../../../contract/backup-procedures.ts';
import { formatBytes, formatCountOf } from '../../../rules/count.ts';
import { ErrorNotice, NotLoaded, ReportNotice } from '../../components/error-notice.tsx';
import { Form } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { NumberSetting } from '../../components/number-setting.tsx';
import { FieldList, Section } from '../../components/page.tsx';
import { PassphrasePair } from '../../components/passphrase-fields.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { TextField } from '../../components/text-field.tsx';
import { reportOfCode } from '../../lib/desk-error.ts';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';
import { formatDateTime } from '../../lib/format-date.ts';
import { useSecretCall } from '../../lib/use-secret-call.ts';

/** When the last backup was made, its size, and what it could not read. */
function describeBackup({ last }: Pick<BackupState, 'last'>): string {
  if (last === null) return 'None yet';
  const missing = last.missing === 0 ? '' : `; without ${formatCountOf(last.missing, 'unreadable document')}`;
  return `${formatDateTime(last.at)}, ${formatBytes(last.bytes)} (${formatBytes(last.written)} new)${missing}`;
}

const seals = {
  recoveryCode: 'Your recovery code',
  passphrase: 'A separate passphrase',
  none: 'Nothing yet: make a recovery code under Security, or set a passphrase',
} as const;

/**
 * Backups in a folder of the user's choice: the folder, how they are opened, the last one, and folders that could not
 * be reached.
 */
export function BackupSettings() {
  const query = useDeskQuery('backup:getState', {});
  const backUp = useDeskMutation('backup:now');
  const seal = useSecretCall('backup:set');
  const [isTyping, setIsTyping] = useState(false);
  const state = query.data;
  const cancel = (
    <Button variant="subtle" onClick={() => setIsTyping(false)}>
      Cancel
    </Button>
  );
  return (
    <Section title="Backups elsewhere">
      {state === undefined ? (
        <NotLoaded query={query} what="the backups" />
      ) : (
        <Stack gap="sm">
          <Text size="sm">
            Once a day, Claimdesk copies what you reviewed and wrote, documents, settings, and the audit log
            to this folder, sealed. A sync reads records again; SSH keys are never copied.
          </Text>
          <BackupFolder key={state.folder} state={state} />
          {state.folder !== '' && (
            <>
              <FieldList
                fields={[
                  ['Last backup', describeBackup(state)],
                  ['Opened by', seals[state.sealedBy ?? 'none']],
                ]}
              />
              {state.failed !== null && (
                <ReportNotice
                  report={reportOfCode(state.failed.code, null)}
                  title={`The last backup failed, ${formatDateTime(state.failed.at)}`}
                />
              )}
              <NumberSetting
                name="backupsKept"
                label="Keep backups (days)"
                description="Older ones are deleted. 1 to 365."
                action="Save days of backups"
                min={1}
                max={365}
              />
              {isTyping ? (
                <BackupPassphrase onSet={() => setIsTyping(false)} beside={cancel} />
              ) : (
                <Group gap="xs">
                  <Button
                    disabled={state.sealedBy === null}
                    loading={backUp.isPending}
                    onClick={() => backUp.mutate({})}
                  >
                    Back up now
                  </Button>
                  <Button variant="default" onClick={() => setIsTyping(true)}>
                    {state.sealedBy === 'passphrase' ? 'Change backup passphrase' : 'Set backup passphrase'}
                  </Button>
                  {state.sealedBy === 'passphrase' && (
                    <Button
                      variant="default"
                      disabled={!state.hasRecoveryCode}
                      onClick={() => void seal.call({ passphrase: null })}
                    >
                      Use recovery code
                    </Button>
                  )}
                  {state.sealedBy === 'passphrase' && !state.hasRecoveryCode && (
                    <Text size="sm">To use one, make a recovery code under Security first.</Text>
                  )}
                </Group>
              )}
              {state.failed === null && <ErrorNotice error={backUp.error} />}
              <ErrorNotice error={seal.error} />
            </>
          )}
          {state.owing.map(({ folder, code }) => (
            <Owing key={folder} folder={folder} code={code} />
          ))}
        </Stack>
      )}
    </Section>
  );
}

/** A folder whose backups still have removed data, or an earlier seal, and the reason. */
function Owing({ folder, code }: BackupState['owing'][number]) {
  const forget = useDeskMutation('backup:set');
  const report = code === null ? null : reportOfCode(code, null);
  return (
    <Notice tone="caution" title={`Backups in ${folder} aren’t up to date`}>
      <Stack gap={6} align="flex-start">
        <Text size="sm">
          They still have what you removed since, or open with an earlier code or passphrase.{' '}
          {report === null ? 'Claimdesk is updating them.' : `${report.message} ${report.nextStep}`}
        </Text>
        <SmallButton loading={forget.isPending} onClick={() => forget.mutate({ forget: folder })}>
          These backups no longer exist
        </SmallButton>
        <ErrorNotice error={forget.error} />
      </Stack>
    </Notice>
  );
}

function BackupFolder({ state: { folder, failed, isSetByOrganization } }: { state: BackupState }) {
  const [typed, setTyped] = useState(folder);
  const change = useDeskMutation('backup:set');
  const choose = useDeskMutation('files:chooseFolder');
  const hasDialog = useDeskQuery('app:getInfo', {}).data?.shell === 'electron';
  const chosen = typed.trim();
  return (
    <Form gap="xs" onSubmit={() => change.mutate({ folder: chosen })}>
      <Group align="flex-end" gap="xs">
        <TextField
          label="Folder"
          description={
            isSetByOrganization
              ? 'Set by your IT.'
              : 'A network drive, a synced folder, or a USB drive. Leave blank for none.'
          }
          value={typed}
          onChange={setTyped}
          disabled={isSetByOrganization}
          w={340}
        />
        {hasDialog && !isSetByOrganization && (
          <Button
            variant="default"
            loading={choose.isPending}
            onClick={() => choose.mutate({}, { onSuccess: ({ path }) => path !== null && setTyped(path) })}
          >
            Choose…
          </Button>
        )}
        <Button
          variant="default"
          type="submit"
          // If the folder is chosen again without its backups, the drive was replaced and the folder is right.
          disabled={isSetByOrganization || (chosen === folder && failed?.code !== 'backup.folderMissing')}
          loading={change.isPending}
        >
          {chosen === '' && folder !== '' ? 'Stop backups' : 'Use folder'}
        </Button>
      </Group>
      <ErrorNotice error={change.error ?? choose.error} />
    </Form>
  );
}

function BackupPassphrase({ onSet, beside }: { onSet: () => void; beside: ReactNode }) {
  const [passphrase, setPassphrase] = useState<string | null>(null);
  const { call, isPending, error } = useSecretCall('backup:set');
  return (
    <Form
      onSubmit={async () => {
        if (passphrase !== null && (await call({ passphrase })) !== null) onSet();
      }}
    >
      <Stack gap="xs" maw={340}>
        <PassphrasePair label="Backup passphrase" onChange={setPassphrase} isFirst />
        <Text size="sm">Write it down. Without it, nothing can be restored from these backups.</Text>
        <ErrorNotice error={error} />
        <Group gap="xs">
          <Button type="submit" disabled={passphrase === null} loading={isPending}>
            Save backup passphrase
          </Button>
          {beside}
        </Group>
      </Stack>
    </Form>
  );
}
