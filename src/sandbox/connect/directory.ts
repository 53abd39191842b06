/** A tenant as Connect names it: by a vendor's label and the tenant's key there (docs/service.md, "Connect requests"). */
export type ConnectTenant = {
  readonly id: number;
  readonly name: string;
  readonly label: string;
  readonly key: string;
};

export type ConnectEmployer = {
  readonly id: number;
  readonly name: string;
  readonly supportEmail: string | null;
};

/** A person who was bootstrapped, as the record that is kept of them. */
export type ConnectPerson = {
  readonly userId: number;
  readonly memberId: number;
  readonly firstName: string;
  readonly lastName: string;
};

/** What the bootstrap says of an employer. */
export type EmployerNaming = { readonly vendor: string; readonly systemKey: string; readonly name: string };

/** What the bootstrap says of a member. */
export type PersonNaming = {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly dateOfBirth: string | null;
  readonly phone: string | null;
  readonly systemKey: string | null;
};

/** A connection that was there before anyone came by Connect. */
export type KnownConnection = {
  readonly id: number;
  readonly payerId: number;
  readonly username: string;
  readonly loginProblem: string | null;
  readonly lastCrawlEnd: string | null;
  readonly createdDate: string;
};

export type SyncedClaims = { readonly count: number; readonly newestDate: string | null };

/**
 * The records behind Connect. Two of them: the data that the data API serves, and the demo data, which nothing of the
 * data API shows.
 */
export type Directory = {
  /** An employer that the service does not know is created (docs/service.md, "Connect calls"). */
  readonly resolveEmployer: (tenant: ConnectTenant, naming: EmployerNaming) => ConnectEmployer;
  readonly resolvePerson: (employer: ConnectEmployer, naming: PersonNaming) => ConnectPerson;
  readonly connectionsOf: (person: ConnectPerson) => readonly KnownConnection[];
  /** Makes an id for a new connection, known to the data API where this directory is. */
  readonly newConnectionId: () => number;
  readonly claimsOf: (connectionId: number) => SyncedClaims;
  /** The first claims of a connection that Connect made, in the data API's lists where this directory is. */
  readonly addClaims: (connectionId: number, memberId: number, count: number) => void;
  /** By the clock of the data. */
  readonly nowText: () => string;
};
