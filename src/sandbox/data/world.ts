import type { SandboxClock } from '../clock.ts';
import type { Claim } from '../schemas/claim.ts';
import type { Member } from '../schemas/member.ts';
import { ClaimAssignment } from './assignment.ts';
import type { ClaimSource } from './claims.ts';
import { buildClaim, claimTypeOf, connectionOf, namesPartner, shareDeductibles } from './claims.ts';
import type { GeneratedEmployer } from './employers.ts';
import { employerIndexOf, makeEmployers } from './employers.ts';
import { isCouple, partnerOf } from './families.ts';
import { INSERTED_CLAIM_BASE, INSERTED_MEMBER_BASE } from './ids.ts';
import { instantText, MS_PER_DAY } from './instants.ts';
import { buildMember, employerOf, hasLeft } from './members.ts';
import type { ListOrder } from './ordered-list.ts';
import { OrderedList } from './ordered-list.ts';
import { hash32 } from './random.ts';
import type { SpecialClaim } from './special-claims.ts';
import { applySpecialCase, chooseSpecialClaims } from './special-claims.ts';

type WorldOptions = {
  readonly seed: number;
  readonly members: number;
  readonly claims: number;
  readonly order: ListOrder;
};

type RecordedEdit = {
  readonly changes: Readonly<Record<string, unknown>>;
  readonly atMs: number;
  readonly isMaterial: boolean;
};

/** A member whom Connect added, with the keys of the bootstrap. */
type Newcomer = { readonly employer: GeneratedEmployer; readonly memberKey: string | null };

/** The number of days before today in which the initial claims and members were created. */
const HISTORY_DAYS = 720;
const KEPT_DEDUCTIBLES = 4096;

/**
 * All records at the current time: generated ones are pure functions of (seed, index, clock), with edits as sparse maps
 * on top. Memory grows with edits, never with the number of records.
 */
export class World {
  readonly options: WorldOptions;
  readonly clock: SandboxClock;
  readonly employers: readonly GeneratedEmployer[];
  claims: OrderedList;
  members: OrderedList;
  readonly specialClaims: ReadonlyMap<number, SpecialClaim>;
  private readonly assignment: ClaimAssignment;
  private readonly copiesByMember = new Map<number, number[]>();
  private readonly claimEdits = new Map<number, RecordedEdit>();
  private readonly memberEdits = new Map<number, RecordedEdit>();
  private readonly insertedClaims = new Map<
    number,
    { readonly member: number; readonly createdMs: number }
  >();
  private readonly insertedMembers = new Map<number, number>();
  private readonly deductibles = new Map<number, ReadonlyMap<number, number>>();
  private readonly newcomers = new Map<number, Newcomer>();
  /** Employers that Connect created. The generated ones never change, since members are distributed among them. */
  readonly createdEmployers: GeneratedEmployer[] = [];
  /** Carrier connections that Connect created. */
  readonly newConnections = new Set<number>();
  /** The connection of each claim that a crawl of Connect added. */
  private readonly crawledBy = new Map<number, number>();

  constructor(options: WorldOptions, clock: SandboxClock) {
    this.options = options;
    this.clock = clock;
    this.employers = makeEmployers(options.seed, options.members);
    this.claims = new OrderedList(options.claims, options.order, options.seed);
    this.members = new OrderedList(options.members, options.order, options.seed + 1);
    this.assignment = new ClaimAssignment(options.seed, Math.max(1, options.members));
    this.specialClaims = chooseSpecialClaims(options, clock.today);
    for (const [index, special] of this.specialClaims) {
      if (special.copyOf === undefined) continue;
      const member = this.assignment.memberOf(special.copyOf);
      this.copiesByMember.set(member, [...(this.copiesByMember.get(member) ?? []), index]);
    }
  }

  /** Incremented with every change of the data, so that a long read can detect a change. */
  version = 0;

  /** Returns the claim with this index, which must be in the list, at the current time. */
  claimAt(index: number): Claim {
    const special = this.specialClaims.get(index);
    const claim = buildClaim(this.claimContext(), this.sourceOf(index));
    if (special !== undefined) applySpecialCase(claim, special, this.clock.dataNowMs());
    const edit = this.claimEdits.get(index);
    if (edit !== undefined) {
      Object.assign(claim, edit.changes);
      claim.modifieddate = instantText(edit.atMs);
      if (edit.isMaterial) claim.last_updated_status = instantText(edit.atMs);
    }
    return claim;
  }

  memberAt(index: number): Member {
    const member = buildMember(this.memberContext(index), index);
    const edit = this.memberEdits.get(index);
    if (edit !== undefined) Object.assign(member, edit.changes, { modifieddate: instantText(edit.atMs) });
    return member;
  }

  /** Returns `archived` of a member without generating the member. */
  isArchived(index: number): boolean {
    const edited = this.memberEdits.get(index)?.changes.archived;
    return edited === undefined ? hasLeft(this.memberContext(index), index) : edited === true;
  }

  /** Returns the indices of a member's claims, in the order of the list. */
  claimsOfMember(member: number): number[] {
    const ownIndices = this.ownClaims(member).filter((index) => this.hasLinks(index));
    const partner = partnerOf(member);
    if (!isCouple(this.options.seed, member) || partner >= this.options.members)
      return this.claims.inOrder(ownIndices);
    const context = { seed: this.options.seed, memberCount: this.options.members };
    const shared = this.ownClaims(partner).filter(
      (index) =>
        this.hasLinks(index) && !this.crawledBy.has(index) && namesPartner(context, this.sourceOf(index)),
    );
    return this.claims.inOrder([...ownIndices, ...shared]);
  }

  /** Returns the indices of the claims of one carrier connection, in the order of the list. */
  claimsOfConnection(member: number, connection: number): number[] {
    const indices = this.ownClaims(member).filter(
      (index) =>
        this.hasLinks(index) &&
        !this.crawledBy.has(index) &&
        connectionOf(claimTypeOf(this.options.seed, this.sourceOf(index).contentIndex).name) === connection,
    );
    return this.claims.inOrder(indices);
  }

  editClaim(index: number, edit: RecordedEdit): void {
    this.version += 1;
    const before = this.claimEdits.get(index);
    this.claimEdits.set(index, before ? { ...edit, changes: { ...before.changes, ...edit.changes } } : edit);
  }

  editMember(index: number, edit: RecordedEdit): void {
    this.version += 1;
    const before = this.memberEdits.get(index);
    this.memberEdits.set(index, before ? { ...edit, changes: { ...before.changes, ...edit.changes } } : edit);
  }

  insertClaim(position: number): number {
    this.version += 1;
    const index = INSERTED_CLAIM_BASE + this.insertedClaims.size;
    const member = hash32(this.options.seed, index, 71) % Math.max(1, this.options.members);
    this.insertedClaims.set(index, { member, createdMs: this.clock.dataNowMs() });
    this.claims.insert(position, index);
    return index;
  }

  /** Inserts a claim of a connection that Connect created, where the list adds new claims. */
  insertCrawledClaim(member: number, connectionId: number): number {
    const atMs = this.clock.tickEdit();
    const index = this.insertClaim(this.claims.order === 'desc' ? 0 : this.claims.length);
    this.insertedClaims.set(index, { member, createdMs: atMs });
    this.crawledBy.set(index, connectionId);
    const { id, email, first_name, last_name } = this.memberAt(member);
    const { employer, groupName, groupNumber } = this.employerOfMember(member);
    this.editClaim(index, {
      atMs,
      isMaterial: true,
      changes: {
        group_name: groupName,
        group_number: groupNumber,
        patient_name: `${first_name} ${last_name}`,
        policy_holder: { id: connectionId, first_name, last_name },
        members: [
          {
            id,
            email,
            first_name,
            last_name,
            employer: { id: employer.id, name: employer.name },
            system_key: null,
          },
        ],
      },
    });
    return index;
  }

  /** Returns the indices of the claims of a connection that Connect created, in the order of the list. */
  claimsOfNewConnection(connectionId: number): number[] {
    const indices = [...this.crawledBy].filter(([, id]) => id === connectionId).map(([index]) => index);
    return this.claims.inOrder(indices);
  }

  insertMember(position: number): number {
    this.version += 1;
    const index = INSERTED_MEMBER_BASE + this.insertedMembers.size;
    this.insertedMembers.set(index, this.clock.dataNowMs());
    this.members.insert(position, index);
    return index;
  }

  /** Inserts a member whom Connect added, where the list adds new members, and returns the index. */
  insertNewcomer(newcomer: Newcomer, changes: Readonly<Record<string, unknown>>): number {
    const atMs = this.clock.tickEdit();
    const index = this.insertMember(this.members.order === 'desc' ? 0 : this.members.length);
    this.newcomers.set(index, newcomer);
    this.editMember(index, { changes, atMs, isMaterial: true });
    return index;
  }

  /** Returns the index of the newcomer with this key at this employer, or -1. */
  newcomerWithKey(employer: GeneratedEmployer, memberKey: string): number {
    for (const [index, newcomer] of this.newcomers) {
      if (newcomer.employer === employer && newcomer.memberKey === memberKey) return index;
    }
    return -1;
  }

  /** Returns the employer with this ID, including created ones. */
  findEmployer(id: number): GeneratedEmployer | undefined {
    return (
      this.employers[employerIndexOf(id, this.employers.length)] ??
      this.createdEmployers.find(({ employer }) => employer.id === id)
    );
  }

  employerOfMember(index: number): GeneratedEmployer {
    return (
      this.newcomers.get(index)?.employer ??
      employerOf({ seed: this.options.seed, employers: this.employers }, index)
    );
  }

  /**
   * Advances the data's clock: claims change, new claims and members are added where new ones go, a few are removed.
   */
  advanceDays(days: number): void {
    for (let n = 0; n < days; n += 1) {
      this.clock.advanceDays(1);
      this.claims.grow(this.claimsPerDay);
      this.members.grow(this.membersPerDay);
      const roll = hash32(this.options.seed, this.clock.days, 72);
      const leavingClaims = Math.max(1, Math.round(this.options.claims / 20_000));
      for (let k = 0; k < leavingClaims && this.claims.length > 20; k += 1)
        this.claims.removeAt(hash32(roll, k, 73) % this.claims.length);
      if (this.clock.days % 3 === 0 && this.members.length > 20)
        this.members.removeAt(hash32(roll, 0, 74) % this.members.length);
    }
    this.version += 1;
  }

  /** Reorders a list; records that edits inserted come last. */
  setOrder(list: 'claims' | 'members', order: ListOrder): void {
    this[list] = this[list].reordered(order);
    this.version += 1;
  }

  get claimsPerDay(): number {
    return Math.max(1, Math.round(this.options.claims / HISTORY_DAYS));
  }

  get membersPerDay(): number {
    return Math.max(1, Math.round(this.options.members / 2000));
  }

  private sourceOf(index: number): ClaimSource {
    const inserted = this.insertedClaims.get(index);
    if (inserted !== undefined) return { index, contentIndex: index, ...inserted };
    const special = this.specialClaims.get(index);
    const contentIndex = special?.copyOf ?? index;
    return {
      index,
      contentIndex,
      member: this.assignment.memberOf(contentIndex),
      createdMs: this.claimCreatedMs(contentIndex),
      ...(special?.life === undefined ? {} : { life: special.life }),
    };
  }

  private ownClaims(member: number): number[] {
    const inserted = [...this.insertedClaims]
      .filter(([, claim]) => claim.member === member)
      .map(([index]) => index);
    // Newcomers have only the fields that Connect sent.
    if (member >= this.options.members) return inserted;
    const generated = this.assignment
      .claimsOf(member, this.claims.generated)
      .filter((index) => this.specialClaims.get(index)?.copyOf === undefined);
    const copies = this.copiesByMember.get(member) ?? [];
    return [...generated, ...copies, ...inserted];
  }

  /** This is cached, because it depends only on the generated claims. */
  private deductiblesOf(member: number): ReadonlyMap<number, number> {
    const cached = this.deductibles.get(member);
    if (cached !== undefined) return cached;
    const sources = this.assignment
      .claimsOf(member, this.options.claims)
      .filter((index) => this.specialClaims.get(index)?.copyOf === undefined)
      .map((index) => this.sourceOf(index));
    const made = shareDeductibles({ seed: this.options.seed, employers: this.employers }, member, sources);
    if (this.deductibles.size >= KEPT_DEDUCTIBLES) this.deductibles.clear();
    this.deductibles.set(member, made);
    return made;
  }

  private hasLinks(index: number): boolean {
    return this.specialClaims.get(index)?.kind !== 'orphan';
  }

  private memberContext(index: number) {
    return {
      seed: this.options.seed,
      today: this.clock.today,
      employers: this.employers,
      nowMs: this.clock.dataNowMs(),
      createdMs: this.memberCreatedMs(index),
    };
  }

  private claimContext() {
    return {
      seed: this.options.seed,
      today: this.clock.today,
      employers: this.employers,
      memberCount: this.options.members,
      nowMs: this.clock.dataNowMs(),
      deductiblesOf: (member: number) => this.deductiblesOf(member),
    };
  }

  /** IDs ascend with the time of creation: the first claims were created in the past, later ones on their day. */
  private claimCreatedMs(index: number): number {
    const { claims } = this.options;
    const { today } = this.clock;
    if (index >= claims) {
      const day = today + 1 + Math.floor((index - claims) / this.claimsPerDay);
      return day * MS_PER_DAY + morningMs((index - claims) % this.claimsPerDay, this.claimsPerDay);
    }
    return Math.floor((today - HISTORY_DAYS + (HISTORY_DAYS * index) / Math.max(1, claims)) * MS_PER_DAY);
  }

  private memberCreatedMs(index: number): number {
    const inserted = this.insertedMembers.get(index);
    if (inserted !== undefined) return inserted;
    const { members } = this.options;
    const { today } = this.clock;
    if (index >= members) {
      const day = today + 1 + Math.floor((index - members) / this.membersPerDay);
      return day * MS_PER_DAY + morningMs((index - members) % this.membersPerDay, this.membersPerDay);
    }
    return Math.floor((today - 2000 + (1950 * index) / Math.max(1, members)) * MS_PER_DAY);
  }
}

/** Spreads a day's new records over its morning, because the data's clock is at noon. */
const morningMs = (position: number, count: number): number =>
  Math.floor((position / count) * (MS_PER_DAY / 2));
