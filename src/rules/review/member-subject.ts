// Calls are notes on a member. They are stored, sent, removed and restored like notes on a claim, under an ID that no
// claim of the service has. An older version treats them as notes on a claim that is not on its computer.

const first = -(2 ** 52);

/** The ID under which notes on a member are stored. */
export const subjectOfMember = (memberId: number): number => first - memberId;

/** The member whose notes have this ID; null: it is the ID of a claim. */
export const memberOfSubject = (claimId: number): number | null => (claimId > first ? null : first - claimId);

/** The most claims to which a call is linked. */
export const maxLinked = 100;
