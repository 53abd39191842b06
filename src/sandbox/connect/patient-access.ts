import { randomBytes } from 'node:crypto';
import type { PatientAccessStatus } from '../../contract/carrier-connections.ts';
import type { SandboxClock } from '../clock.ts';
import type { OfferedPayer } from './payers.ts';
import type { BootstrappedMember, Connection, Realm } from './realm.ts';

/** A Patient Access flow: a member signs in at the carrier's own page and agrees or refuses. */
export type SignInFlow = {
  /** The secret part of the page's address. */
  readonly id: string;
  readonly stateId: string;
  readonly member: BootstrappedMember;
  readonly realm: Realm;
  readonly payer: OfferedPayer;
  /** When the carrier stops waiting, by the server's clock. */
  readonly untilMs: number;
  status: PatientAccessStatus;
  /** Set once the member has signed in. */
  username: string | null;
  policyHolderId: number | null;
  error: string | null;
};

type Address = Pick<SignInFlow, 'member' | 'realm' | 'payer'>;

const EXPIRED = 'The carrier closed the sign-in page because nobody came.';

export class PatientAccess {
  private readonly clock: SandboxClock;
  private readonly onAccepted: (connection: Connection) => void;
  private readonly flows = new Map<string, SignInFlow>();
  private readonly addresses = new Map<string, Address>();

  /** @param onAccepted called when a member has agreed */
  constructor(clock: SandboxClock, onAccepted: (connection: Connection) => void) {
    this.clock = clock;
    this.onAccepted = onAccepted;
  }

  /**
   * The secret part of a carrier's own address for a member (`interoperability_authorization_url`), made at the first
   * call.
   */
  addressOf(given: Address): string {
    for (const [id, address] of this.addresses) {
      if (address.member === given.member && address.payer === given.payer) return id;
    }
    const id = randomBytes(24).toString('base64url');
    this.addresses.set(id, given);
    return id;
  }

  /** Called when that address is visited: continues the flow that `POST /interop` started, or starts one. */
  enter(addressId: string, flowMs: number): SignInFlow | undefined {
    const address = this.addresses.get(addressId);
    if (address === undefined) return undefined;
    const begun = this.list().filter(
      ({ member, payer, status }) =>
        member === address.member && payer === address.payer && status === 'IN_PROGRESS',
    );
    return begun.at(-1) ?? this.begin({ ...address, stateId: `entered ${addressId}` }, flowMs);
  }

  /** Starts a flow; an earlier one of the same member and state id ends. */
  begin(given: Pick<SignInFlow, 'stateId' | 'member' | 'realm' | 'payer'>, flowMs: number): SignInFlow {
    const earlier = this.find(given.member, given.stateId);
    if (earlier !== undefined) this.flows.delete(earlier.id);
    const flow: SignInFlow = {
      ...given,
      id: randomBytes(24).toString('base64url'),
      untilMs: this.clock.serverNowMs() + flowMs,
      status: 'IN_PROGRESS',
      username: null,
      policyHolderId: null,
      error: null,
    };
    this.flows.set(flow.id, flow);
    return flow;
  }

  find(member: BootstrappedMember, stateId: string): SignInFlow | undefined {
    const match = [...this.flows.values()].find((flow) => flow.member === member && flow.stateId === stateId);
    return match && this.expire(match);
  }

  findById(id: string): SignInFlow | undefined {
    const flow = this.flows.get(id);
    return flow && this.expire(flow);
  }

  list(): readonly SignInFlow[] {
    return [...this.flows.values()].map((flow) => this.expire(flow));
  }

  /** The member signs in. Words in the username have the same effects as with the other test carriers. */
  signIn(flow: SignInFlow, username: string): 'signed-in' | 'refused' | 'over' {
    if (flow.status !== 'IN_PROGRESS') return 'over';
    if (username.toLowerCase().includes('invalid')) return 'refused';
    if (username.toLowerCase().includes('break')) {
      fail(flow, 'The member details do not meet our match criteria.');
      return 'over';
    }
    flow.username = username;
    return 'signed-in';
  }

  /** The member agrees or refuses; agreeing makes the connection. */
  decide(flow: SignInFlow, isAllowed: boolean): void {
    if (flow.status !== 'IN_PROGRESS' || flow.username === null) return;
    if (!isAllowed) {
      fail(flow, 'The member did not agree to share their data.');
      return;
    }
    const employment = flow.member.employments.at(-1);
    if (employment === undefined) return;
    const held = flow.realm
      .connectionsOf(flow.member)
      .find(({ payerId, username }) => payerId === flow.payer.id && username === flow.username);
    const connection = held ?? flow.realm.addConnection(employment.person, flow.payer.id, flow.username);
    connection.loginProblem = 'valid';
    connection.correctionMessage = null;
    this.onAccepted(connection);
    flow.policyHolderId = connection.id;
    flow.status = 'SUCCESS';
  }

  private expire(flow: SignInFlow): SignInFlow {
    if (flow.status === 'IN_PROGRESS' && this.clock.serverNowMs() >= flow.untilMs) fail(flow, EXPIRED);
    return flow;
  }
}

function fail(flow: SignInFlow, error: string): void {
  flow.status = 'FAILURE';
  flow.error = error;
}
