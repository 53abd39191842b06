/** IDs as functions of an index, and their inverses. They ascend with the index, with gaps. */

const MEMBER_BASE = 1_000_000;
const MEMBER_GAP = 3;
const DEPENDENT_BASE = 8_000_000;
const DEPENDENTS_PER_MEMBER = 8;
const POLICY_HOLDER_BASE = 20_000_000;
const CLAIM_BASE = 40_000_000;
const CLAIM_GAP = 7;
const LINE_BASE = 1_000_000_000;
const LINES_PER_CLAIM = 16;

/** First index of claims that a schedule inserts: their IDs are intentionally above 2^31. */
export const INSERTED_CLAIM_BASE = 1_000_000_000;
/** First index of members that a schedule inserts. */
export const INSERTED_MEMBER_BASE = 1_000_000_000;

export const memberId = (index: number): number => MEMBER_BASE + index * MEMBER_GAP;
export const memberIndex = (id: number): number => exactIndex(id - MEMBER_BASE, MEMBER_GAP);
export const dependentId = (member: number, position: number): number =>
  DEPENDENT_BASE + member * DEPENDENTS_PER_MEMBER + position;
export const claimId = (index: number): number => CLAIM_BASE + index * CLAIM_GAP;
export const claimIndex = (id: number): number => exactIndex(id - CLAIM_BASE, CLAIM_GAP);
export const lineId = (claim: number, position: number): number =>
  LINE_BASE + claim * LINES_PER_CLAIM + position;

/** Returns a connection's ID. Members can have two: 0 for medical and drugs, 1 for dental and vision. */
export const policyHolderId = (member: number, connection: number): number =>
  POLICY_HOLDER_BASE + member * 2 + connection;

/** Returns the member index and the connection of a policy holder ID. */
export function policyHolderOf(id: number): { member: number; connection: number } {
  const n = id - POLICY_HOLDER_BASE;
  return { member: Math.floor(n / 2), connection: ((n % 2) + 2) % 2 };
}

const exactIndex = (n: number, gap: number): number => (n >= 0 && n % gap === 0 ? n / gap : -1);
