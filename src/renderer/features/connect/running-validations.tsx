import { Text } from '@mantine/core';
import { SmallButtonLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import styles from './connect.module.css';
import { describeTurn, isAsking } from './connect-labels.ts';
import { StateLabel } from './state-label.tsx';

/** Running validations and those that ended recently; they run independently of the open screen. */
export function RunningValidations(props: { title: string; except?: number }) {
  const list = useWorkspaceQuery('connect:listValidations');
  const validations = (list.data?.validations ?? []).filter(
    ({ policyHolderId }) => policyHolderId !== props.except,
  );
  if (validations.length === 0) return null;
  return (
    <Section title={props.title}>
      <ul className={styles.list} aria-label={props.title}>
        {validations.map((validation) => {
          const { policyHolderId, payerName, email } = validation;
          return (
            <li key={policyHolderId} className={styles.entry}>
              <div className={styles.state}>
                <StateLabel {...describeTurn(validation)} />
              </div>
              <div className={styles.text}>
                <Text size="sm" fw={600}>
                  {payerName ?? 'Carrier'} · {email}
                </Text>
                <Text size="sm">{validation.sentence}</Text>
              </div>
              <div className={styles.act}>
                <SmallButtonLink
                  to="/connections/$policyHolderId"
                  params={{ policyHolderId }}
                  variant={isAsking(validation) ? 'filled' : 'default'}
                >
                  {isAsking(validation) ? 'Answer' : 'View'}
                </SmallButtonLink>
              </div>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
