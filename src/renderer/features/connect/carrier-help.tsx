import { Button, Code, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { PayerForm } from '../../../contract/connect-members.ts';
import { UntrustedFrame } from './untrusted-frame.tsx';

/** What the service says about a carrier: where the member can register, and help articles. */
export function CarrierHelp({ payer }: { payer: PayerForm }) {
  const [openTitle, setOpenTitle] = useState<string | null>(null);
  const open = payer.articles.find(({ title }) => title === openTitle);
  if (payer.registerUrl === null && payer.website === null && payer.articles.length === 0) return null;
  return (
    <Stack gap={6} align="flex-start" mt="sm">
      {payer.website !== null && (
        <Text size="sm" c="dimmed">
          The carrier’s site: <Code>{payer.website}</Code>
        </Text>
      )}
      {payer.registerUrl !== null && (
        <Text size="sm" c="dimmed">
          A member without a login registers at <Code>{payer.registerUrl}</Code>
        </Text>
      )}
      {payer.articles.map(({ title }) => (
        <Button
          key={title}
          variant="default"
          size="compact-sm"
          aria-expanded={title === openTitle}
          onClick={() => setOpenTitle(title === openTitle ? null : title)}
        >
          {title}
        </Button>
      ))}
      {open !== undefined && <UntrustedFrame untrustedHtml={open.untrustedHtml} title={open.title} />}
    </Stack>
  );
}
