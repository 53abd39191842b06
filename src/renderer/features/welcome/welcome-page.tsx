import { Button, Kbd, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FirstScreen } from '../../components/first-screen.tsx';
import { AnchorLink, ButtonLink } from '../../components/links.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';
import styles from './welcome-page.module.css';

/** The first page without a workspace: open sample data, connect a service, or join a team. */
export function WelcomePage() {
  const navigate = useNavigate();
  const { allowSample } = useDeskQuery('app:getInfo', {}).data?.policy ?? {};
  const sample = useOpenSample(() => void navigate({ to: '/start' }));
  useEffect(() => {
    document.title = 'Welcome · Claimdesk';
  }, []);
  return (
    <FirstScreen>
      <div>
        <h1 className={styles.title}>Welcome to Claimdesk</h1>
        <Text c="dimmed">
          Your health plan’s members, dependents, and claims on this computer: encrypted, searchable, and
          available offline.
        </Text>
      </div>
      <ErrorNotice error={sample.error} title="Couldn’t open the sample" />
      <ul className={styles.choices}>
        <Choice
          text={
            allowSample === false
              ? 'Off, set by your IT.'
              : 'Fictional people and claims. Nothing leaves this computer.'
          }
        >
          <Button
            fullWidth
            size="md"
            onClick={sample.open}
            loading={sample.isOpening}
            disabled={allowSample === false}
          >
            Explore sample data
          </Button>
        </Choice>
        <Choice text="You need your claims service’s URL and your account email. Claimdesk makes a key, you register it once, and the first sync starts.">
          <ButtonLink fullWidth size="md" variant="default" to="/welcome/connect">
            Connect to your service
          </ButtonLink>
        </Choice>
        <Choice text="You need an invitation from an admin of the team. You get its service, settings, and reviews, and make your own key.">
          <ButtonLink
            fullWidth
            size="md"
            variant="default"
            to="/welcome/connect"
            search={{ isNew: true, isInvited: true }}
          >
            Join a team
          </ButtonLink>
        </Choice>
      </ul>
      <Hint>
        First time here? Read{' '}
        <AnchorLink to="/help" search={{ topic: 'first-run' }}>
          First run
        </AnchorLink>
        . Help opens anywhere with <Kbd size="xs">F1</Kbd>.
      </Hint>
    </FirstScreen>
  );
}

/** A way to begin: its button and its description. */
const Choice = ({ text, children }: { text: string; children: ReactNode }) => (
  <li className={styles.choice}>
    {children}
    <SmallPrint>{text}</SmallPrint>
  </li>
);

/** Starts the sample service, opens its workspace, and starts the sync. */
function useOpenSample(onOpened: () => void) {
  const bridge = useBridge();
  const cache = useQueryClient();
  const opening = useMutation({
    mutationFn: async () => {
      const workspace = await ask(bridge, 'sample:open', {});
      const { activeId } = await ask(bridge, 'workspaces:list', {});
      if (activeId !== workspace.id) await ask(bridge, 'workspaces:activate', { workspaceId: workspace.id });
      const status = await ask(bridge, 'sync:getStatus', { workspaceId: workspace.id });
      if (status.running === null && status.lastComplete === null)
        await ask(bridge, 'sync:start', { workspaceId: workspace.id });
    },
    onSuccess: async () => {
      for (const domain of ['workspaces', 'sample', 'sync', 'keys'])
        await cache.invalidateQueries({ queryKey: keyPrefixes.domain(domain) });
      onOpened();
    },
  });
  return { open: () => opening.mutate(), isOpening: opening.isPending, error: opening.error };
}
