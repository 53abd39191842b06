/**
 * A tenant as Connect identifies it: by a vendor's label and the tenant's key there (docs/service.md, "Connect
 * requests").
 */
export type ConnectTenant = {
  readonly id: number;
  readonly name: string;
  readonly label: string;
  readonly key: string;
};

export type DirectoryEmployer = {
  readonly id: number;
  readonly name: string;
  readonly supportEmail: string | null;
};

/** A bootstrapped person, as stored. */
export type ConnectPerson = {
  readonly userId: number;
  readonly memberId: number;
  readonly firstName: string;
  readonly lastName: string;
};

export type EmployerNaming = { readonly vendor: string; readonly systemKey: string; readonly name: string };

/** The bootstrap's fields about a member. */
export type PersonNaming = {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly dateOfBirth: string | null;
  readonly phone: string | null;
  readonly systemKey: string | null;
};

/** A connection that was not made by Connect. */
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
 * The records that Connect reads and changes. There are two sets: the data of the data API, and the demo data, which
 * the data API does not return.
 */
export type Directory = {
  /** An employer that the service does not know is created (docs/service.md, "Connect calls"). */
  readonly resolveEmployer: (tenant: ConnectTenant, naming: EmployerNaming) => DirectoryEmployer;
  readonly resolvePerson: (employer: DirectoryEmployer, naming: PersonNaming) => ConnectPerson;
  readonly connectionsOf: (person: ConnectPerson) => readonly KnownConnection[];
  /** Makes an ID for a new connection; in the world's directory, the data API then has the connection too. */
  readonly newConnectionId: () => number;
  readonly claimsOf: (connectionId: number) => SyncedClaims;
  /**
   * Adds the first claims of a connection that was made through Connect; in the world's directory also to the data
   * API's lists.
   */
  readonly addClaims: (connectionId: number, memberId: number, count: number) => void;
  /** The current time of the data's clock. */
  readonly nowText: () => string;
};
