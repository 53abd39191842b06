import { Button, Text, Title } from '@mantine/core';
import { IconFlask, IconPlugConnected } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { useOpenSample } from '../../lib/use-open-sample.ts';
import styles from './welcome-page.module.css';

/** The first thing anyone sees: look around with invented data, or connect a service. */
export function WelcomePage() {
  const navigate = useNavigate();
  const sample = useOpenSample(() => void navigate({ to: '/claims' }));
  useEffect(() => {
    document.title = 'Welcome · Claimdesk';
  }, []);
  return (
    <div className={styles.page}>
      <div className={styles.intro}>
        <Title order={1} size="1.75rem">
          Welcome to Claimdesk
        </Title>
        <Text c="dimmed" maw={560}>
          Members, dependents and claims of your health plan, on this computer: encrypted, searchable, and
          there without a network.
        </Text>
      </div>
      {sample.error !== null && <ErrorNotice error={sample.error} title="The sample did not open" />}
      <div className={styles.choices}>
        <section className={styles.choice} aria-labelledby="choice-sample">
          <IconFlask size={28} stroke={1.5} aria-hidden />
          <h2 id="choice-sample" className={styles.choiceTitle}>
            Look around
          </h2>
          <Text size="sm" className={styles.choiceText ?? ''}>
            Invented people and claims from a sample service on this computer. Nothing is sent anywhere, and
            nothing of it mixes with real data.
          </Text>
          <Button size="md" onClick={sample.open} loading={sample.isOpening}>
            Explore sample data
          </Button>
        </section>
        <section className={styles.choice} aria-labelledby="choice-connect">
          <IconPlugConnected size={28} stroke={1.5} aria-hidden />
          <h2 id="choice-connect" className={styles.choiceTitle}>
            Start working
          </h2>
          <Text size="sm" className={styles.choiceText ?? ''}>
            You need the address of your claims service and the email of your account there. Claimdesk makes a
            key, you register it once, and the first sync begins.
          </Text>
          <ButtonLink size="md" variant="default" to="/welcome/connect">
            Connect to your service
          </ButtonLink>
        </section>
      </div>
    </div>
  );
}
