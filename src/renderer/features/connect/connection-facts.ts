import type { CarrierConnection } from '../../../contract/carrier-connections.ts';
import type { ConnectMember, PayerForm } from '../../../contract/connect-members.ts';
import { needsAttention } from '../../../contract/worklist-counts.ts';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import { formatDateField } from '../../lib/format-date.ts';

type Named = Pick<CarrierConnection, 'memberName' | 'email' | 'employerName' | 'payerName'>;

/** The connections whose names contain every typed word. */
export function findConnections<C extends Named>(connections: readonly C[], typed: string): C[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return connections.filter(({ memberName, email, employerName, payerName }) => {
    const text = [memberName, email, employerName, payerName].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/**
 * "12 connections, 3 require action, 1 needs attention, 2 without new claims for 60 days": together, those that the
 * start page counts. `today` is `YYYY-MM-DD`.
 */
export function describeConnections(
  connections: readonly Parameters<typeof needsAttention>[0][],
  today: string,
): string {
  const count = (severity: CarrierConnection['severity']) =>
    connections.filter((connection) => connection.severity === severity).length;
  const critical = count('critical');
  const warning = count('warning');
  const quiet =
    connections.filter((connection) => needsAttention(connection, today)).length - critical - warning;
  return [
    formatCountOf(connections.length, 'connection'),
    ...(critical === 0
      ? []
      : [critical === 1 ? '1 requires action' : `${formatCount(critical)} require action`]),
    ...(warning === 0
      ? []
      : [warning === 1 ? '1 needs attention' : `${formatCount(warning)} need attention`]),
    ...(quiet === 0 ? [] : [`${formatCount(quiet)} without new claims for 60 days`]),
  ].join(', ');
}

/** Returns whether the connection needs the user to act. */
export const isWrong = ({ severity }: Pick<CarrierConnection, 'severity'>): boolean =>
  severity === 'critical' || severity === 'warning';

/** "38 claims synced, newest 02/24/2026"; null where it is unknown. */
export function describeClaims({
  claimsSynced,
  newestClaimOn,
}: Pick<CarrierConnection, 'claimsSynced' | 'newestClaimOn'>): string | null {
  if (claimsSynced === null) return null;
  if (claimsSynced === 0) return 'No claims synced yet';
  const synced = `${formatCountOf(claimsSynced, 'claim')} synced`;
  return newestClaimOn === null ? synced : `${synced}, newest ${formatDateField(newestClaimOn)}`;
}

/** The member of a connection, at the employer that it is shown with. */
export function ownerOf(
  connection: Pick<CarrierConnection, 'email' | 'employerName'> | undefined,
  members: readonly ConnectMember[],
): ConnectMember | undefined {
  const same = members.filter(({ email }) => email.toLowerCase() === connection?.email.toLowerCase());
  return same.find(({ employer }) => employer.name === connection?.employerName) ?? same[0];
}

/** Describes what is needed for a carrier's login. */
export const needForLogin = ({
  name,
  hasSecurityQuestions,
}: Pick<PayerForm, 'name' | 'hasSecurityQuestions'>): string =>
  hasSecurityQuestions
    ? `Have the member’s ${name} username, password, and the answers to their security questions at hand.`
    : `Have the member’s ${name} username and password at hand.`;
