import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { AuditVerdict } from '../../../contract/audit.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { describeVerdict } from './describe-entry.ts';

/** What verifying found; where the log is not intact, a person can accept it, which is recorded. */
export function AuditVerdictNotice(props: {
  verdict: AuditVerdict;
  onAccepted: (verdict: AuditVerdict) => void;
}) {
  const { verdict } = props;
  const [isAsked, setIsAsked] = useState(false);
  const accept = useDeskMutation('audit:accept');
  const { reason, firstBad } = verdict;
  return (
    <Alert role="status" variant="light" color={verdict.isIntact ? 'teal' : 'red'}>
      <Text size="sm" fw={600}>
        {describeVerdict(verdict)}
      </Text>
      {!verdict.isIntact && reason !== null && firstBad !== null && (
        <Stack gap="xs" align="flex-start" mt="xs">
          <Text size="sm">
            Leave the profile folder unchanged and tell your compliance team. If you restored this profile
            from a backup, you can accept the log as it is; what was found is recorded.
          </Text>
          {isAsked ? (
            <Group gap="xs">
              <Button
                size="compact-sm"
                color="red"
                loading={accept.isPending}
                onClick={() => accept.mutate({ reason, firstBad }, { onSuccess: props.onAccepted })}
              >
                Accept and record
              </Button>
              <SmallButton onClick={() => setIsAsked(false)}>Cancel</SmallButton>
            </Group>
          ) : (
            <SmallButton onClick={() => setIsAsked(true)}>Accept log from here…</SmallButton>
          )}
          <ErrorNotice error={accept.error} />
        </Stack>
      )}
    </Alert>
  );
}
