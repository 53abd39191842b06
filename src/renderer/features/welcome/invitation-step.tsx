import { Button, Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Output } from '../../../contract/procedures.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Form } from '../../components/form.tsx';
import { FieldList } from '../../components/page.tsx';
import { Hint } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import { InvitationField } from '../../domain/team/invitation-field.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';
import { useSecretCall, useSecretWork } from '../../lib/use-secret-call.ts';
import { WorkspaceNameField } from './workspace-name-field.tsx';

/**
 * Shows the address step of a user who was invited to a team: the invitation has the service's address, which
 * main asks the user to confirm outside the page when the workspace is added.
 */
export function InvitationStep({ onAdded }: { onAdded: (invitation: string) => void }) {
  const bridge = useBridge();
  const cache = useQueryClient();
  const reading = useSecretCall('team:readInvitation');
  const adding = useSecretWork();
  const [invitation, setInvitation] = useState('');
  const [read, setRead] = useState<Output<'team:readInvitation'> | null>(null);
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const pasted = invitation.trim();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is read when another one is pasted, and then alone
  useEffect(() => {
    let isCurrent = true;
    setRead(null);
    if (pasted === '') reading.reset();
    else
      void reading.call({ invitation: pasted }).then((readInvitation) => {
        if (!isCurrent) return;
        setRead(readInvitation);
        if (readInvitation !== null) setName(readInvitation.service.name);
      });
    return () => {
      isCurrent = false;
    };
  }, [pasted]);
  const add = () =>
    adding.run(async () => {
      if (read === null) return;
      const { address, header, scheme } = read.service;
      const workspace = await ask(bridge, 'workspaces:add', {
        baseUrl: address,
        email: email.trim(),
        header,
        scheme,
        awaitsTeam: true,
        ...(name.trim() === '' ? {} : { name: name.trim() }),
      });
      await ask(bridge, 'workspaces:activate', { workspaceId: workspace.id });
      await cache.invalidateQueries({ queryKey: keyPrefixes.domain('workspaces') });
      onAdded(pasted);
    });
  return (
    <Form onSubmit={add} noValidate>
      <InvitationField value={invitation} onChange={setInvitation} />
      <ErrorNotice error={reading.error} title="Couldn’t read the invitation" />
      {read !== null && (
        <>
          <FieldList
            fields={[
              ['Claims service', read.service.address],
              ['Team server', read.server],
            ]}
          />
          <Hint>Continue only if you know these addresses, or the person who invited you confirms them.</Hint>
        </>
      )}
      <TextField
        label="Account email"
        description="The email you use to sign in to the service"
        type="email"
        autoComplete="email"
        required
        value={email}
        onChange={setEmail}
      />
      <WorkspaceNameField value={name} onChange={setName} />
      <ErrorNotice error={adding.error} title="Couldn’t add the workspace" />
      <Group justify="flex-end">
        <Button
          type="submit"
          disabled={read === null || !/^\S+@\S+$/.test(email.trim())}
          loading={adding.isPending}
        >
          Continue
        </Button>
      </Group>
    </Form>
  );
}
