import { Code, Text } from '@mantine/core';
import { Notice } from '../../components/notice.tsx';

/** Shows what to do after asking to join: call the admin, and compare the code. */
export const WaitingForApproval = ({ code }: { code: string | null }) => (
  <Notice tone="open" title="Waiting for approval">
    <Text size="sm">
      {code === null ? (
        'Call the admin who invited you, and ask them to open Settings, Team. Then you both see the same code. Keep Claimdesk open.'
      ) : (
        <>
          Tell this code to the admin who invited you, best by phone: <Code>{code}</Code> The admin sees the
          same code and approves. This page can be closed.
        </>
      )}
    </Text>
  </Notice>
);
