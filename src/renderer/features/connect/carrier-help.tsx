import { Code, Stack } from '@mantine/core';
import { useState } from 'react';
import type { PayerForm } from '../../../contract/connect-views.ts';
import { SmallButton } from '../../components/small-button.tsx';
import { Hint } from '../../components/text.tsx';
import { UntrustedFrame } from './untrusted-frame.tsx';

/** What the service says about a carrier: where the member can register, and help articles. */
export function CarrierHelp({ payer }: { payer: PayerForm }) {
  const [openTitle, setOpenTitle] = useState<string | null>(null);
  const open = payer.articles.find(({ title }) => title === openTitle);
  if (payer.registerUrl === null && payer.website === null && payer.articles.length === 0) return null;
  return (
    <Stack gap={6} align="flex-start" mt="sm">
      {payer.website !== null && (
        <Hint>
          The carrier’s site: <Code>{payer.website}</Code>
        </Hint>
      )}
      {payer.registerUrl !== null && (
        <Hint>
          A member without a login registers at <Code>{payer.registerUrl}</Code>
        </Hint>
      )}
      {payer.articles.map(({ title }) => (
        <SmallButton
          key={title}
          aria-expanded={title === openTitle}
          onClick={() => setOpenTitle(title === openTitle ? null : title)}
        >
          {title}
        </SmallButton>
      ))}
      {open !== undefined && <UntrustedFrame untrustedHtml={open.untrustedHtml} title={open.title} />}
    </Stack>
  );
}
