import { Badge, Button, Group, Radio, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  tokenHeaderSchema,
  tokenSchemeSchema,
  type Workspace,
  workspaceColors,
} from '../../../contract/workspace.ts';
import { ErrorNotice, NotLoaded } from '../../components/error-notice.tsx';
import { Form } from '../../components/form.tsx';
import { AnchorLink, SmallButtonLink } from '../../components/links.tsx';
import { MissingPage } from '../../components/missing-page.tsx';
import { FieldList, Page, Section } from '../../components/page.tsx';
import { BackButton } from '../../components/record-nav.tsx';
import { Hint } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { MakeKey } from '../../domain/key/make-key.tsx';
import { useWorkspaces } from '../../domain/workspace/use-workspaces.ts';
import { WorkspaceDot } from '../../domain/workspace/workspace-dot.tsx';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';
import { formatWhen, titleWhen } from '../../lib/format-date.ts';
import { useNow } from '../../lib/use-now.ts';
import { RemoveWorkspace } from './remove-workspace.tsx';

const names = {
  blue: 'Blue',
  teal: 'Teal',
  grape: 'Purple',
  orange: 'Orange',
  gray: 'Gray',
} as const satisfies Record<Workspace['color'], string>;

/** The common name of a color. */
const nameColor = (color: Workspace['color']): string => names[color];

const usual = { header: 'Authorization', scheme: 'SSH-JWT' } as const;

/** The header and scheme of the signed token, as given by the service's support. */
function TokenHeader({ workspace }: { workspace: Workspace }) {
  const update = useDeskMutation('workspaces:update');
  const [header, setHeader] = useState(workspace.header);
  const [scheme, setScheme] = useState(workspace.scheme);
  const isHeaderGood = tokenHeaderSchema.safeParse(header.trim()).success;
  const isSchemeGood = tokenSchemeSchema.safeParse(scheme.trim()).success;
  const isChanged = header.trim() !== workspace.header || scheme.trim() !== workspace.scheme;
  const isUsual = header.trim() === usual.header && scheme.trim() === usual.scheme;
  return (
    <Form
      onSubmit={() =>
        update.mutate({ workspaceId: workspace.id, header: header.trim(), scheme: scheme.trim() })
      }
    >
      <Hint>Change this only if support tells you to.</Hint>
      <Group gap="xs" align="flex-start">
        <TextField
          label="Header"
          value={header}
          onChange={setHeader}
          error={
            isHeaderGood ? null : 'Letters, digits, and dashes. Don’t use a header that is already in use.'
          }
          w={260}
        />
        <TextField
          label="Scheme"
          value={scheme}
          onChange={setScheme}
          error={isSchemeGood ? null : 'One word that starts with a letter.'}
          w={260}
        />
      </Group>
      <ErrorNotice error={update.error} />
      <Group gap="xs">
        <Button
          type="submit"
          variant="default"
          disabled={!isHeaderGood || !isSchemeGood || !isChanged}
          loading={update.isPending}
        >
          Save header and scheme
        </Button>
        {!isUsual && (
          <Button
            variant="subtle"
            onClick={() => {
              setHeader(usual.header);
              setScheme(usual.scheme);
            }}
          >
            Reset to default
          </Button>
        )}
      </Group>
    </Form>
  );
}

function NameAndColor({ workspace }: { workspace: Workspace }) {
  const update = useDeskMutation('workspaces:update');
  const [name, setName] = useState(workspace.name);
  const [color, setColor] = useState<string>(workspace.color);
  const chosen = workspaceColors.find((workspaceColor) => workspaceColor === color) ?? workspace.color;
  const isChanged = name.trim() !== workspace.name || chosen !== workspace.color;
  return (
    <Form
      onSubmit={() => update.mutate({ workspaceId: workspace.id, name: name.trim(), color: chosen })}
      gap={null}
    >
      <Stack gap="sm" align="flex-start">
        <TextField label="Name" maxLength={80} w="100%" maw={340} value={name} onChange={setName} />
        <Radio.Group label="Color" value={color} onChange={setColor}>
          <Group gap="md" mt={4}>
            {workspaceColors.map((workspaceColor) => (
              <Radio
                key={workspaceColor}
                value={workspaceColor}
                label={
                  <>
                    <WorkspaceDot color={workspaceColor} /> {nameColor(workspaceColor)}
                  </>
                }
              />
            ))}
          </Group>
        </Radio.Group>
        <ErrorNotice error={update.error} />
        <Button
          type="submit"
          variant="default"
          disabled={name.trim() === '' || !isChanged}
          loading={update.isPending}
        >
          Save name and color
        </Button>
      </Stack>
    </Form>
  );
}

/** One workspace: its address, its key, its name and color, its removal. */
export function WorkspacePage({ workspaceId }: { workspaceId: string }) {
  const state = useWorkspaces();
  const navigate = useNavigate();
  const toList = () => void navigate({ to: '/settings/$section', params: { section: 'workspaces' } });
  const workspace = state.workspaces.find(({ id }) => id === workspaceId);
  return (
    <Page
      title={workspace?.name ?? 'Workspace'}
      documentTitle="Workspace"
      beside={
        workspace !== undefined && (
          <Group gap="xs">
            <WorkspaceDot color={workspace.color} />
            {workspace.isSample && <Badge variant="default">Sample</Badge>}
          </Group>
        )
      }
      actions={<BackButton label="Workspaces" onBack={toList} />}
      isNarrow
    >
      {workspace !== undefined ? (
        <Sections workspace={workspace} />
      ) : state.error !== null || state.isLoading ? (
        <NotLoaded query={state} what="the workspace" />
      ) : (
        <MissingPage what="workspace" section="workspaces" />
      )}
    </Page>
  );
}

function Sections({ workspace }: { workspace: Workspace }) {
  const now = useNow();
  const navigate = useNavigate();
  const keys = useDeskQuery('keys:list', {});
  const key = keys.data?.keys.find(({ id }) => id === workspace.keyId);
  const params = { workspaceId: workspace.id };
  return (
    <Stack gap={10}>
      <Section
        title="Connection"
        actions={
          <SmallButtonLink to="/settings/$section" params={{ section: 'doctor' }} search={params}>
            Doctor
          </SmallButtonLink>
        }
      >
        <FieldList
          fields={[
            ['Service', workspace.baseUrl],
            ['Account', workspace.email],
            ['Added', titleWhen(workspace.createdAt, now)],
          ]}
        />
      </Section>
      <Section
        title="Key"
        actions={
          <>
            <MakeKey
              label={key === undefined ? 'Make key…' : 'Make another key…'}
              workspaceId={workspace.id}
              onMade={({ id }) => void navigate({ to: '/settings/keys/$keyId', params: { keyId: id } })}
              button={{ size: 'compact-sm' }}
            />
            {key !== undefined && (
              <SmallButtonLink to="/settings/workspaces/$workspaceId/rotate" params={params}>
                Rotate key
              </SmallButtonLink>
            )}
          </>
        }
      >
        <FieldList
          fields={[
            [
              'SSH key',
              key === undefined ? (
                <AnchorLink key="none" to="/settings/$section" params={{ section: 'keys' }}>
                  No key yet. Make or import one.
                </AnchorLink>
              ) : (
                <AnchorLink key="key" to="/settings/keys/$keyId" params={{ keyId: key.id }}>
                  {key.name}
                </AnchorLink>
              ),
            ],
            ['Fingerprint', key === undefined ? undefined : <code key="print">{key.fingerprint}</code>],
            [
              'Registration',
              key === undefined
                ? undefined
                : key.provenAt === null
                  ? 'Not verified'
                  : `Verified ${formatWhen(key.provenAt, now)}`,
            ],
          ]}
        />
      </Section>
      <Section title="Name and color">
        <NameAndColor key={`${workspace.name} ${workspace.color}`} workspace={workspace} />
      </Section>
      <Section title="Authentication header (Advanced)">
        <TokenHeader key={`${workspace.header} ${workspace.scheme}`} workspace={workspace} />
      </Section>
      <Section title={workspace.isSample ? 'Exit sample' : 'Remove'}>
        <RemoveWorkspace workspace={workspace} sshKey={key} />
      </Section>
    </Stack>
  );
}
