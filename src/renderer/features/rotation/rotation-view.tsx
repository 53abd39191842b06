import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { RotationState } from '../../../contract/rotation.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice, ReportNotice } from '../../components/error-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { StepList } from '../../components/step-list.tsx';
import { Hint } from '../../components/text.tsx';
import { RotationKeys } from './rotation-keys.tsx';
import { endText, setbackText, stepIndexOf, stepTitles, stopOf } from './rotation-messages.ts';
import { RotationTask } from './rotation-task.tsx';
import styles from './rotation-view.module.css';
import type { Rotation } from './use-rotation.ts';

/** The state of a rotation, its last failure, and the next task. */
export function RotationView(props: { rotation: Rotation; state: RotationState; workspace: Workspace }) {
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
