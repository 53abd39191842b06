import { Button, Group, Radio, Stack } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { Validation } from '../../../contract/carrier-connections.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Form } from '../../components/form.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { useSecretCall } from '../../lib/use-secret-call.ts';
import styles from './connect.module.css';

interface AnswerProps {
  readonly workspaceId: string;
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
export function MethodForm({ workspaceId, validation, carrierName }: AnswerProps) {
  const choose = useDeskMutation('connect:chooseMethod');
  const [method, setMethod] = useState<string | null>(null);
  const first = useQuestionFocus<HTMLInputElement>();
  const { policyHolderId, email } = validation;
  return (
    <Form onSubmit={() => method !== null && choose.mutate({ workspaceId, policyHolderId, email, method })}>
      <Radio.Group label={`${carrierName} asks how to send a code`} value={method ?? ''} onChange={setMethod}>
        <Stack gap={6} mt={4}>
          {validation.methods.map((one, index) => (
            <Radio key={one} value={one} label={one} {...(index === 0 ? { ref: first } : {})} />
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
export function CodeForm({ workspaceId, validation, carrierName }: AnswerProps) {
  const send = useSecretCall('connect:sendCode');
  const [code, setCode] = useState('');
  const field = useQuestionFocus<HTMLInputElement>();
  const { policyHolderId, email } = validation;
  return (
    <Form
      autoComplete="off"
      onSubmit={() => {
        const typed = code.trim();
        setCode('');
        if (typed !== '') void send.call({ workspaceId, policyHolderId, email, code: typed });
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
