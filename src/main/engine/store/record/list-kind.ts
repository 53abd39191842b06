/** The two lists of the service that a sync reads. */
export type ListKind = 'members' | 'claims';
