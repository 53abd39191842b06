import type { SandboxClock } from '../clock.ts';
import { instantText } from '../data/instants.ts';
import type {
  ConnectPerson,
  Directory,
  DirectoryEmployer,
  KnownConnection,
  SyncedClaims,
} from './directory.ts';

const DEMO_EMPLOYER_BASE = 900;
const DEMO_USER_BASE = 9_000_000;
const DEMO_MEMBER_BASE = 9_500_000;
const DEMO_CONNECTION_BASE = 90_000_000;
const DEMO_NEW_CONNECTION_BASE = 95_000_000;

/** The person shown to clients that GET the bootstrap instead of posting it (docs/service.md, "Connect calls"). */
export const DEMO_PERSON = {
  system_key: 'DEMO',
  vendor: 'demo',
  employer_name: 'Demo Employer',
  user_email: 'demo.member@demo.example',
  user_first_name: 'Demo',
  user_last_name: 'Member',
} as const;

/** The demo data. They are kept in memory only and are in no list of the data API. */
export function createDemoDirectory(clock: SandboxClock): Directory {
  const employers = new Map<string, DirectoryEmployer>();
  const people = new Map<string, ConnectPerson>();
  const hasConnections = new Set<number>();
  const claims = new Map<number, SyncedClaims>();
  let connections = 0;
  const nowText = (): string => instantText(clock.dataNowMs());
  return {
    resolveEmployer: (tenant, { systemKey, name }) => {
      const key = `${tenant.id} ${systemKey}`;
      const employer = employers.get(key) ?? {
        id: DEMO_EMPLOYER_BASE + employers.size,
        name,
        supportEmail: 'support@demo.example',
      };
      employers.set(key, employer);
      return employer;
    },
    resolvePerson: (employer, naming) => {
      const key = `${employer.id} ${naming.email.toLowerCase()}`;
      const person = people.get(key) ?? {
        userId: DEMO_USER_BASE + people.size,
        memberId: DEMO_MEMBER_BASE + people.size,
        firstName: naming.firstName,
        lastName: naming.lastName,
      };
      people.set(key, person);
      if (naming.email === DEMO_PERSON.user_email) hasConnections.add(person.memberId);
      return person;
    },
    connectionsOf: (person) =>
      hasConnections.has(person.memberId) ? shownConnections(person, nowText()) : [],
    newConnectionId: () => {
      connections += 1;
      return DEMO_NEW_CONNECTION_BASE + connections;
    },
    claimsOf: (connectionId) => claims.get(connectionId) ?? { count: 0, newestDate: null },
    addClaims: (connectionId, _memberId, count) => {
      claims.set(connectionId, { count, newestDate: nowText().slice(0, 10) });
    },
    nowText,
  };
}

/** The demo member has one working connection and one that needs attention. */
function shownConnections(person: ConnectPerson, nowText: string): KnownConnection[] {
  const first = DEMO_CONNECTION_BASE + (person.memberId - DEMO_MEMBER_BASE) * 2;
  const shown = { lastCrawlEnd: nowText, createdDate: nowText };
  return [
    { ...shown, id: first, payerId: 11, username: `demo.medical.${first}`, loginProblem: null },
    { ...shown, id: first + 1, payerId: 13, username: `demo.dental.${first}`, loginProblem: 'invalid' },
  ];
}
