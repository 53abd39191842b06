import { randomUUID } from 'node:crypto';
import { fineLoginProblems } from '../../contract/carrier-connections.ts';
import type {
  ConnectPerson,
  ConnectTenant,
  Directory,
  DirectoryEmployer,
  EmployerNaming,
  PersonNaming,
} from './directory.ts';
import type { TokenIntegration } from './integrations.ts';

export type BootstrappedMember = {
  readonly email: string;
  readonly userId: number;
  readonly tenant: ConnectTenant;
  readonly publicToken: string;
  /** One for each employer they were bootstrapped for; the newest is last. */
  readonly employments: { readonly employer: DirectoryEmployer; readonly person: ConnectPerson }[];
  /** Whether they have accepted the terms of use, by an earlier submit. */
  hasAccepted: boolean;
};

/** A carrier connection ("policy holder"). No password is ever kept. */
export type Connection = {
  readonly id: number;
  readonly uuid: string;
  readonly payerId: number;
  readonly memberId: number;
  username: string;
  loginProblem: string | null;
  correctionMessage: string | null;
  lastCrawlEnd: string | null;
  readonly createdDate: string;
  /** ID of the running validation. */
  taskId: string | null;
};

/** The Connect state of one world: the production data, or the demo data. */
export class Realm {
  readonly name: 'production' | 'demo';
  readonly directory: Directory;
  private readonly members = new Map<string, BootstrappedMember>();
  private readonly connections = new Map<number, Connection>();

  constructor(name: 'production' | 'demo', directory: Directory) {
    this.name = name;
    this.directory = directory;
  }

  /** A repeated bootstrap finds the same member (docs/service.md, "Connect calls"). */
  bootstrap(
    integration: TokenIntegration,
    tenant: ConnectTenant,
    employerNaming: EmployerNaming,
    personNaming: PersonNaming,
  ): { member: BootstrappedMember; employer: DirectoryEmployer } {
    const employer = this.directory.resolveEmployer(tenant, employerNaming);
    const person = this.directory.resolvePerson(employer, personNaming);
    const key = keyOf(integration, tenant, personNaming.email);
    const member: BootstrappedMember = this.members.get(key) ?? {
      email: personNaming.email,
      userId: person.userId,
      tenant,
      publicToken: integration.publicToken,
      employments: [],
      hasAccepted: false,
    };
    this.members.set(key, member);
    if (!member.employments.some((employment) => employment.employer.id === employer.id))
      member.employments.push({ employer, person });
    for (const connection of this.directory.connectionsOf(person)) {
      if (this.connections.has(connection.id)) continue;
      this.connections.set(connection.id, {
        ...connection,
        uuid: randomUUID(),
        memberId: person.memberId,
        correctionMessage: correctionFor(connection.loginProblem),
        taskId: null,
      });
    }
    return { member, employer };
  }

  /** A member counts as bootstrapped per token (docs/service.md, "Connect calls"), and within one tenant. */
  findMember(
    integration: TokenIntegration,
    tenant: ConnectTenant,
    email: string,
  ): BootstrappedMember | undefined {
    return this.members.get(keyOf(integration, tenant, email));
  }

  listMembers(): readonly BootstrappedMember[] {
    return [...this.members.values()];
  }

  listConnections(): readonly Connection[] {
    return [...this.connections.values()];
  }

  connectionsOf(member: BootstrappedMember): readonly Connection[] {
    const memberIds = new Set(member.employments.map(({ person }) => person.memberId));
    return this.listConnections().filter((connection) => memberIds.has(connection.memberId));
  }

  findConnection(id: number): Connection | undefined {
    return this.connections.get(id);
  }

  /** The connection with this username at this carrier, of any member. */
  findHolder(payerId: number, username: string): Connection | undefined {
    return this.listConnections().find(
      (connection) => connection.payerId === payerId && isSameUsername(connection.username, username),
    );
  }

  addConnection(person: ConnectPerson, payerId: number, username: string): Connection {
    const connection: Connection = {
      id: this.directory.newConnectionId(),
      uuid: randomUUID(),
      payerId,
      memberId: person.memberId,
      username,
      loginProblem: null,
      correctionMessage: null,
      lastCrawlEnd: null,
      createdDate: this.directory.nowText(),
      taskId: null,
    };
    this.connections.set(connection.id, connection);
    return connection;
  }
}

/** Whether the member must act on it. docs/service.md, "Login problems". */
export const needsCorrection = (problem: string | null): boolean =>
  problem !== null && !(fineLoginProblems as readonly string[]).includes(problem);

/** The message to the member about a login problem. */
export function correctionFor(problem: string | null): string | null {
  if (!needsCorrection(problem)) return null;
  return CORRECTIONS[problem ?? ''] ?? 'Please sign in to your carrier again.';
}

const CORRECTIONS: Readonly<Record<string, string>> = {
  invalid: 'Your carrier no longer accepts this username and password. Please enter them again.',
  locked: 'Your carrier has locked this account. Unlock it on the carrier’s website, then try again.',
  broken: 'We cannot reach your carrier’s website at the moment.',
  needs_two_factor: 'Your carrier asks for a code each time. Please connect again.',
  sec_question: 'Your carrier asks a security question. Please answer it on the carrier’s website.',
};

const keyOf = (integration: TokenIntegration, tenant: ConnectTenant, email: string): string =>
  `${integration.publicToken} ${tenant.id} ${email.trim().toLowerCase()}`;

const isSameUsername = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();
