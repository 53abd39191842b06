import { Button, Group, List, Select, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { RotationState } from '../../../contract/rotation.ts';
import type { KeyType, SshKey } from '../../../contract/ssh-keys.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice, NotLoaded, ReportNotice } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { MissingPage } from '../../components/missing-page.tsx';
import { Notice } from '../../components/notice.tsx';
import { FieldSection, Page, Section } from '../../components/page.tsx';
import { BackButton } from '../../components/record-nav.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { StepList } from '../../components/step-list.tsx';
import { Hint } from '../../components/text.tsx';
import { keyTypeChoices, nameKeyType } from '../../domain/key/key-labels.ts';
import { useWorkspaces } from '../../domain/workspace/use-workspaces.ts';
import styles from './rotation.module.css';
import { endText, setbackText, stepIndexOf, stepTitles, stopOf } from './rotation-messages.ts';
import { RotationTask } from './rotation-task.tsx';
import { type Rotation, useRotation } from './use-rotation.ts';

/** Replaces the key of a workspace so that a key works at every moment; it can be left and continued any time. */
export function RotationPage({ workspaceId }: { workspaceId: string }) {
  const navigate = useNavigate();
  const state = useWorkspaces();
  const rotation = useRotation(workspaceId);
  const workspace = state.workspaces.find(({ id }) => id === workspaceId);
  const toWorkspace = () =>
    void navigate({ to: '/settings/workspaces/$workspaceId', params: { workspaceId } });
  const content = () => {
    if (rotation.error !== null || rotation.isLoading)
      return <NotLoaded query={rotation} what="the rotation" />;
    if (state.error !== null || state.isLoading) return <NotLoaded query={state} what="the rotation" />;
    if (workspace === undefined) return <MissingPage what="workspace" section="workspaces" />;
    if (rotation.state !== null)
      return <CurrentRotation rotation={rotation} state={rotation.state} workspace={workspace} />;
    return <BeginRotation rotation={rotation} workspace={workspace} />;
  };
  return (
    <Page
      title={workspace === undefined ? 'Rotate key' : `Rotate key of ${workspace.name}`}
      documentTitle="Rotate key"
      actions={<BackButton label="Workspace" onBack={toWorkspace} />}
      isNarrow
    >
      {content()}
    </Page>
  );
}

/** The explanation of a rotation before it begins. */
function BeginRotation({ rotation, workspace }: { rotation: Rotation; workspace: Workspace }) {
  const [type, setType] = useState<string | null>('same');
  if (workspace.keyId === null) {
    return (
      <Section title="No key to rotate">
        <Stack gap="sm" align="flex-start">
          <Text size="sm">This workspace has no SSH key yet. Make or import a key first.</Text>
          <ButtonLink to="/settings/$section" params={{ section: 'keys' }}>
            Go to keys
          </ButtonLink>
        </Stack>
      </Section>
    );
  }
  return (
    <Section title="Before you begin">
      <Stack gap="sm">
        <List size="sm" spacing={4}>
          <List.Item>Claimdesk makes a new key, and you register it next to the old one.</List.Item>
          <List.Item>
            The workspace switches once the service accepts the new key. The old key still works.
          </List.Item>
          <List.Item>
            When nothing else uses the old key, you delete it at the service. Claimdesk verifies that the
            service refuses it and retires it here.
          </List.Item>
          <List.Item>You can stop at any step and finish later.</List.Item>
        </List>
        <Group align="flex-end" gap="xs">
          <Select
            label="New key type"
            data={[{ value: 'same', label: 'Same as old key' }, ...keyTypeChoices]}
            value={type}
            onChange={setType}
            allowDeselect={false}
          />
          <Button
            loading={rotation.isPending}
            onClick={() => rotation.begin(type === 'same' ? null : (type as KeyType))}
          >
            Start rotation
          </Button>
        </Group>
        <ErrorNotice error={rotation.refusal} title="Couldn’t start the rotation" />
      </Stack>
    </Section>
  );
}

/** The state of a rotation, its last failure, and the next task. */
function CurrentRotation(props: { rotation: Rotation; state: RotationState; workspace: Workspace }) {
  const { rotation, state, workspace } = props;
  const currentStep = useRef<HTMLDivElement>(null);
  const shownStep = useRef(state.step);
  // The pressed button disappears with its step: the focus moves to the next step.
  useEffect(() => {
    if (shownStep.current !== state.step) currentStep.current?.focus();
    shownStep.current = state.step;
  }, [state.step]);
  const setback = state.setback === null ? null : setbackText[state.setback];
  return (
    <Stack gap="md">
      <StepList steps={stepTitles} current={stepIndexOf(state.step)} />
      {setback !== null && (
        <Notice tone="caution" role="alert" title={setback.title}>
          <Text size="sm">{setback.text}</Text>
        </Notice>
      )}
      <ErrorNotice error={rotation.refusal} title="Couldn’t update the rotation" />
      {state.problem !== null && (
        <ReportNotice report={state.problem} title="Couldn’t continue the rotation" />
      )}
      <div ref={currentStep} tabIndex={-1} className={styles.current}>
        {state.isOver ? (
          <Ended rotation={rotation} state={state} />
        ) : (
          <RotationTask key={state.nextTask} rotation={rotation} state={state} workspace={workspace} />
        )}
      </div>
      <RotationKeys state={state} />
      {!state.isOver && <StopRotation rotation={rotation} state={state} />}
    </Stack>
  );
}

function Ended({ rotation, state }: { rotation: Rotation; state: RotationState }) {
  if (state.step !== 'retired' && state.step !== 'kept' && state.step !== 'canceled') return null;
  const { title, text } = endText[state.step];
  return (
    <Section title={title}>
      <Stack gap="sm" align="flex-start" role="status">
        <Text size="sm">{text}</Text>
        <Button variant="default" onClick={rotation.forget}>
          Close rotation
        </Button>
      </Stack>
    </Section>
  );
}

/** Cancels before the switch; keeps both keys after it. Nothing is lost either way. */
function StopRotation({ rotation, state }: { rotation: Rotation; state: RotationState }) {
  const stop = stopOf(state.step);
  if (stop === null) return null;
  return (
    <Group gap="xs">
      <SmallButton disabled={rotation.isPending} onClick={() => rotation.answer(stop)}>
        {stop === 'cancel' ? 'Cancel rotation' : 'Keep both keys'}
      </SmallButton>
      <Hint>
        {stop === 'cancel'
          ? 'Removes the new key from this computer. The workspace uses the old key.'
          : 'The workspace uses the new key. The old key stays here and at the service.'}
      </Hint>
    </Group>
  );
}

/** The keys of a rotation, to compare with the service's page. */
function RotationKeys({ state }: { state: RotationState }) {
  const describe = (key: SshKey | null, removed: string) =>
    key === null ? (
      removed
    ) : (
      <>
        {key.name} ({nameKeyType(key)})<br />
        <code>{key.fingerprint}</code>
      </>
    );
  return (
    <FieldSection
      title="Keys"
      fields={[
        ['Old key', describe(state.oldKey, state.step === 'retired' ? 'removed here' : 'can’t be read')],
        ['New key', describe(state.newKey, state.step === 'canceled' ? 'canceled' : 'not made yet')],
      ]}
    />
  );
}
