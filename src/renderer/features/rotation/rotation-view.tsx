import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { RotationState } from '../../../contract/rotation.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice, ReportNotice } from '../../components/error-notice.tsx';
import { Section } from '../../components/page.tsx';
import { StepList } from '../../components/step-list.tsx';
import { RotationKeys } from './rotation-keys.tsx';
import { endWords, placeOf, rotationPlaces, setbackWords, wayOutOf } from './rotation-messages.ts';
import { RotationTask } from './rotation-task.tsx';
import styles from './rotation-view.module.css';
import type { Rotation } from './use-rotation.ts';

/** Where a rotation stands, what went against it, and the one thing that is next. */
export function RotationView(props: { rotation: Rotation; state: RotationState; workspace: Workspace }) {
  const { rotation, state, workspace } = props;
  const place = useRef<HTMLDivElement>(null);
  const shownStep = useRef(state.step);
  // The button that was pressed is gone with its step: the keyboard goes on at the next one.
  useEffect(() => {
    if (shownStep.current !== state.step) place.current?.focus();
    shownStep.current = state.step;
  }, [state.step]);
  const setback = state.setback === null ? null : setbackWords[state.setback];
  return (
    <Stack gap="md">
      <StepList steps={rotationPlaces} current={placeOf(state.step)} />
      {setback !== null && (
        <Alert
          role="alert"
          color="yellow"
          variant="light"
          icon={<IconAlertTriangle aria-hidden />}
          title={setback.title}
        >
          <Text size="sm">{setback.text}</Text>
        </Alert>
      )}
      {rotation.refusal !== null && (
        <ErrorNotice error={rotation.refusal} title="Couldn’t update the rotation" />
      )}
      {state.problem !== null && (
        <ReportNotice report={state.problem} title="Couldn’t continue the rotation" />
      )}
      <div ref={place} tabIndex={-1} className={styles.place}>
        {state.isOver ? (
          <Ended rotation={rotation} state={state} />
        ) : (
          <RotationTask key={state.nextTask} rotation={rotation} state={state} workspace={workspace} />
        )}
      </div>
      <RotationKeys state={state} />
      {!state.isOver && <WayOut rotation={rotation} state={state} />}
    </Stack>
  );
}

function Ended({ rotation, state }: { rotation: Rotation; state: RotationState }) {
  if (state.step !== 'retired' && state.step !== 'kept' && state.step !== 'canceled') return null;
  const { title, text } = endWords[state.step];
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

/** Back before the switch; out with both keys after it. Nothing is lost either way. */
function WayOut({ rotation, state }: { rotation: Rotation; state: RotationState }) {
  const way = wayOutOf(state.step);
  if (way === null) return null;
  return (
    <Group gap="xs">
      <Button
        variant="default"
        size="compact-sm"
        disabled={rotation.isPending}
        onClick={() => rotation.answer(way)}
      >
        {way === 'cancel' ? 'Cancel rotation' : 'Keep both keys'}
      </Button>
      <Text size="sm" c="dimmed">
        {way === 'cancel'
          ? 'Removes the new key from this computer. The workspace uses the old key.'
          : 'The workspace uses the new key. The old key stays here and at the service.'}
      </Text>
    </Group>
  );
}
