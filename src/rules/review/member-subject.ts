// Calls are notes on a member. They are stored, sent, removed and restored as notes on a claim are, under an ID that no claim of
// the service has, so that an older version takes them for notes on a claim that is not on its computer.

const first = -(2 ** 52);

/** The ID under which notes on a member are stored. */
export const subjectOfMember = (memberId: number): number => first - memberId;

/** The member whose notes have this ID; null: it is the ID of a claim. */
export const memberOfSubject = (claimId: number): number | null => (claimId > first ? null : first - claimId);

/** The largest number of claims that a call is linked to. */
export const maxLinked = 100;
