import { Button, Group, Progress, Radio, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { Validation } from '../../../contract/carrier-connections.ts';
import { errorTable } from '../../../contract/error-codes.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Form } from '../../components/form.tsx';
import { Section } from '../../components/page.tsx';
import { SmallPrint, Status } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useWorkspaceMutation } from '../../lib/desk-query.ts';
import { formatWhen } from '../../lib/format-date.ts';
import { useNow } from '../../lib/use-now.ts';
import { useWorkspaceSecret } from '../../lib/use-secret-call.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { CarrierSays } from './carrier-says.tsx';
import styles from './connect.module.css';
import { describeTurn } from './connect-labels.ts';
import { NextStep, StateLabel } from './state-label.tsx';

interface AnswerProps {
  readonly validation: Validation;
  readonly carrierName: string;
}

/** Takes the focus when a question appears while nothing else has it, since the member may be on the phone. */
function useQuestionFocus<E extends HTMLElement>() {
  const element = useRef<E>(null);
  useEffect(() => {
    const { activeElement } = document;
    const isFree =
      activeElement === null || activeElement === document.body || activeElement.tagName === 'H1';
    if (isFree) element.current?.focus();
  }, []);
  return element;
}

/** The choice of how the carrier sends its code, with the carrier's own labels. */
function MethodForm({ validation, carrierName }: AnswerProps) {
  const choose = useWorkspaceMutation('connect:chooseMethod');
  const [method, setMethod] = useState<string | null>(null);
  const first = useQuestionFocus<HTMLInputElement>();
  const { policyHolderId, email } = validation;
  return (
    <Form onSubmit={() => method !== null && choose.mutate({ policyHolderId, email, method })}>
      <Radio.Group label={`${carrierName} asks how to send a code`} value={method ?? ''} onChange={setMethod}>
        <Stack gap={6} mt={4}>
          {validation.methods.map((option, index) => (
            <Radio key={option} value={option} label={option} {...(index === 0 ? { ref: first } : {})} />
          ))}
        </Stack>
      </Radio.Group>
      <ErrorNotice error={choose.error} title="The choice was not sent" />
      <Group>
        <Button type="submit" disabled={method === null} loading={choose.isPending}>
          Send the code this way
        </Button>
      </Group>
    </Form>
  );
}

/** The code that the member reads out. After a wrong code it asks again, without submitting the login again. */
function CodeForm({ validation, carrierName }: AnswerProps) {
  const send = useWorkspaceSecret('connect:sendCode');
  const [code, setCode] = useState('');
  const field = useQuestionFocus<HTMLInputElement>();
  const { policyHolderId, email } = validation;
  return (
    <Form
      autoComplete="off"
      onSubmit={() => {
        const typed = code.trim();
        setCode('');
        if (typed !== '') void send.call({ policyHolderId, email, code: typed });
      }}
    >
      {validation.message !== null && (
        <div>
          <SmallPrint>{carrierName} says:</SmallPrint>
          <blockquote className={styles.quote}>{validation.message}</blockquote>
        </div>
      )}
      <Group align="flex-end" gap="xs">
        <TextField
          ref={field}
          label="Code from the carrier"
          inputMode="numeric"
          maxLength={50}
          value={code}
          onChange={setCode}
          w={220}
        />
        <Button type="submit" disabled={code.trim() === ''} loading={send.isPending}>
          Send the code
        </Button>
      </Group>
      <ErrorNotice error={send.error} title="The code was not sent" />
    </Form>
  );
}

const watchLabels = {
  stream: 'Updating live.',
  polling: 'Checking every few seconds.',
} as const;

/** A running validation: its state, the carrier's questions, its result. The engine watches it, not this page. */
export function ValidationPanel({ validation }: { validation: Validation }) {
  const { id: workspaceId } = useWorkspace();
  const now = useNow();
  const carrierName = validation.payerName ?? 'The carrier';
  const answer = { workspaceId, validation, carrierName };
  const hasEnded = validation.phase === 'ended';
  return (
    <Section title="Sign-in check">
      <Stack gap="sm">
        <div role="status" aria-label="State of the sign-in check">
          <StateLabel {...describeTurn(validation)} />
          <Text size="sm">{validation.sentence}</Text>
        </div>
        {validation.phase === 'working' && (
          <>
            <Progress.Root size="sm">
              <Progress.Section value={100} animated aria-label="The carrier is at work" />
            </Progress.Root>
            <SmallPrint>This usually takes up to 5 minutes.</SmallPrint>
          </>
        )}
        {validation.phase === 'chooseMethod' && <MethodForm {...answer} />}
        {validation.phase === 'enterCode' && <CodeForm {...answer} />}
        {validation.phase !== 'enterCode' && validation.message !== null && (
          <CarrierSays carrierName={validation.payerName} message={validation.message} />
        )}
        <NextStep step={validation.nextStep} />
        {validation.interruption !== null && (
          <Status>{errorTable[validation.interruption].message} Claimdesk keeps trying.</Status>
        )}
        {validation.outcome === 'unknown' && <CheckAgain policyHolderId={validation.policyHolderId} />}
        <Group gap="md">
          <SmallPrint>
            {validation.isStartedHere ? 'Submitted' : 'Started elsewhere, found'}{' '}
            {formatWhen(validation.startedAt, now)}.{' '}
            {validation.watchedBy !== null && !hasEnded && watchLabels[validation.watchedBy]}
          </SmallPrint>
        </Group>
      </Stack>
    </Section>
  );
}

/** Watches a validation again that reached its time limit without a result. */
function CheckAgain(props: { policyHolderId: number }) {
  const check = useWorkspaceMutation('connect:checkAgain');
  return (
    <Stack gap="sm" align="flex-start">
      <Button loading={check.isPending} onClick={() => check.mutate(props)}>
        Check again
      </Button>
      <ErrorNotice error={check.error} title="The result could not be checked" />
    </Stack>
  );
}
