import { IconFlask } from '@tabler/icons-react';
import { AnchorLink, SmallButtonLink } from '../../components/links.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import styles from './connect.module.css';
import { isAsking } from './connect-labels.ts';
import { useWatchRunning } from './use-watch-running.ts';

/** Notices of Connect on every screen: demo data, and a carrier that waits for an answer. */
export function ConnectBanners() {
  const settings = useWorkspaceQuery('connect:getSettings');
  const isSetUp = settings.data !== undefined && settings.data.publicToken !== null;
  const list = useWorkspaceQuery('connect:listValidations', {}, { enabled: isSetUp });
  useWatchRunning(isSetUp, null);
  const asking = (list.data?.validations ?? []).filter(isAsking);
  const [first] = asking;
  return (
    <>
      {settings.data?.isDemo && (
        <section className={styles.demo} aria-label="Demo data">
          <IconFlask size={18} aria-hidden />
          <strong>Demo data</strong>
          <span>Demo data. Connect shows fictional members of the service.</span>
          <AnchorLink to="/settings/$section" params={{ section: 'integration' }} c="inherit">
            Integration settings
          </AnchorLink>
        </section>
      )}
      {first !== undefined && (
        <section className={styles.asks} aria-label="A carrier asks">
          <span role="status">
            {asking.length === 1
              ? `${first.payerName ?? 'A carrier'} waits for an answer.`
              : `${asking.length} carriers wait for an answer.`}
          </span>
          <SmallButtonLink
            size="compact-xs"
            to="/connections/$policyHolderId"
            params={{ policyHolderId: first.policyHolderId }}
          >
            Answer
          </SmallButtonLink>
        </section>
      )}
    </>
  );
}
