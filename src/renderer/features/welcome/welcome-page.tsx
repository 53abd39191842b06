import { Button, Kbd, Text, Title } from '@mantine/core';
import { IconFlask, IconPlugConnected, IconUsers } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { AnchorLink, ButtonLink } from '../../components/links.tsx';
import { Hint } from '../../components/text.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';
import styles from './welcome-page.module.css';

/** The first page without a workspace: open sample data, connect a service, or join a team. */
export function WelcomePage() {
  const navigate = useNavigate();
  const sample = useOpenSample(() => void navigate({ to: '/start' }));
  useEffect(() => {
    document.title = 'Welcome · Claimdesk';
  }, []);
  return (
    <div className={styles.page}>
      <div className={styles.intro}>
        <Title order={1} size="xl">
          Welcome to Claimdesk
        </Title>
        <Text c="dimmed" maw={560}>
          Your health plan’s members, dependents, and claims on this computer: encrypted, searchable, and
          available offline.
        </Text>
      </div>
      <ErrorNotice error={sample.error} title="Couldn’t open the sample" />
      <div className={styles.choices}>
        <section className={styles.choice} aria-labelledby="choice-sample">
          <IconFlask size={28} stroke={1.5} aria-hidden />
          <h2 id="choice-sample" className={styles.choiceTitle}>
            Explore
          </h2>
          <Text size="sm" className={styles.choiceText ?? ''}>
            Fictional people and claims. Nothing leaves this computer.
          </Text>
          <Button onClick={sample.open} loading={sample.isOpening}>
            Explore sample data
          </Button>
        </section>
        <section className={styles.choice} aria-labelledby="choice-connect">
          <IconPlugConnected size={28} stroke={1.5} aria-hidden />
          <h2 id="choice-connect" className={styles.choiceTitle}>
            Get started
          </h2>
          <Text size="sm" className={styles.choiceText ?? ''}>
            You need your claims service’s URL and your account email. Claimdesk makes a key, you register it
            once, and the first sync starts.
          </Text>
          <ButtonLink variant="default" to="/welcome/connect">
            Connect to your service
          </ButtonLink>
        </section>
        <section className={styles.choice} aria-labelledby="choice-team">
          <IconUsers size={28} stroke={1.5} aria-hidden />
          <h2 id="choice-team" className={styles.choiceTitle}>
            Join colleagues
          </h2>
          <Text size="sm" className={styles.choiceText ?? ''}>
            You need an invitation from an admin of the team. You get its service, settings, and reviews, and
            make a key of your own.
          </Text>
          <ButtonLink variant="default" to="/welcome/connect" search={{ isNew: true, isInvited: true }}>
            Join a team
          </ButtonLink>
        </section>
      </div>
      <Hint>
        First time here? Read{' '}
        <AnchorLink to="/help" search={{ topic: 'first-run' }}>
          First run
        </AnchorLink>
        . Help opens anywhere with <Kbd size="xs">F1</Kbd>.
      </Hint>
    </div>
  );
}

/** Starts the sample service, opens its workspace, and starts the sync. */
function useOpenSample(onOpened: () => void) {
  const bridge = useBridge();
  const cache = useQueryClient();
  const opening = useMutation({
    mutationFn: async () => {
      const workspace = await ask(bridge, 'sample:open', {});
      const { activeId } = await ask(bridge, 'workspaces:list', {});
      if (activeId !== workspace.id) {
        await ask(bridge, 'workspaces:activate', { workspaceId: workspace.id });
      }
      const status = await ask(bridge, 'sync:getStatus', { workspaceId: workspace.id });
      if (status.running === null && status.lastComplete === null) {
        await ask(bridge, 'sync:start', { workspaceId: workspace.id });
      }
    },
    onSuccess: async () => {
      for (const domain of ['workspaces', 'sample', 'sync', 'keys']) {
        await cache.invalidateQueries({ queryKey: keyPrefixes.domain(domain) });
      }
      onOpened();
    },
  });
  return { open: () => opening.mutate(), isOpening: opening.isPending, error: opening.error };
}
