import type { SandboxClock } from '../clock.ts';
import { instantText } from '../data/calendar.ts';
import type { ConnectEmployer, ConnectPerson, Directory } from './directory.ts';

const DEMO_EMPLOYER_BASE = 900;
const DEMO_USER_BASE = 9_000_000;
const DEMO_MEMBER_BASE = 9_500_000;
const DEMO_CONNECTION_BASE = 90_000_000;

/** Who the demo shows to those that fetch the bootstrap instead of posting it (field notes §4). */
export const DEMO_PERSON = {
  system_key: 'DEMO',
  vendor: 'demo',
  employer_name: 'Demo Employer',
  user_email: 'demo.member@demo.example',
  user_first_name: 'Demo',
  user_last_name: 'Member',
} as const;

/** The demo data: kept in memory, and in none of the data API's lists. */
export function createDemoDirectory(clock: SandboxClock): Directory {
  const employers = new Map<string, ConnectEmployer>();
  const people = new Map<string, ConnectPerson>();
  let connections = 0;
  const nowText = (): string => instantText(clock.dataNowMs());
  return {
    resolveEmployer: (tenant, { systemKey, name }) => {
      const key = `${tenant.id} ${systemKey}`;
      const known = employers.get(key) ?? { id: DEMO_EMPLOYER_BASE + employers.size, name };
      employers.set(key, known);
      return known;
    },
    resolvePerson: (employer, naming) => {
      const key = `${employer.id} ${naming.email.toLowerCase()}`;
      const known = people.get(key) ?? {
        userId: DEMO_USER_BASE + people.size,
        memberId: DEMO_MEMBER_BASE + people.size,
        firstName: naming.firstName,
        lastName: naming.lastName,
      };
      people.set(key, known);
      return known;
    },
    connectionsOf: () => [],
    newConnectionId: () => {
      connections += 1;
      return DEMO_CONNECTION_BASE + connections;
    },
    claimsOf: () => ({ count: 0, mostRecentDate: null }),
    nowText,
  };
}
