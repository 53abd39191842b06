/** One request as the service received it; no header values but the three that tests need. */
export type RequestRecord = {
  readonly number: number;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly headerNames: readonly string[];
  readonly cookie: string | null;
  readonly origin: string | null;
  readonly authorizationScheme: string | null;
  /** Id (`jti`) of the request's Connect access token, so that tests see which of several was used. */
  accessTokenId: string | null;
  status: number | null;
  /** Time to make the reply, in milliseconds, without sending it and without delays of faults. */
  ownMs: number | null;
  /** Processor time to make the reply, which other programs on the machine do not affect. */
  cpuMs: number | null;
};

export type Complaint = { readonly kind: string; readonly requestId: string; readonly message: string };

const KEPT = 20_000;

/** What the service received, for tests: the newest requests and every complaint, both limited. */
export class Journal {
  private readonly requests: RequestRecord[] = [];
  private readonly complaints: Complaint[] = [];
  private readonly byId = new Map<string, RequestRecord>();
  private seen = 0;

  get requestCount(): number {
    return this.seen;
  }

  open(
    record: Omit<RequestRecord, 'number' | 'accessTokenId' | 'status' | 'ownMs' | 'cpuMs'>,
  ): RequestRecord {
    this.seen += 1;
    const opened: RequestRecord = {
      ...record,
      number: this.seen,
      accessTokenId: null,
      status: null,
      ownMs: null,
      cpuMs: null,
    };
    this.requests.push(opened);
    this.byId.set(opened.requestId, opened);
    if (this.requests.length > KEPT) {
      for (const dropped of this.requests.splice(0, KEPT / 4)) this.byId.delete(dropped.requestId);
    }
    return opened;
  }

  find(requestId: string): RequestRecord | undefined {
    return this.byId.get(requestId);
  }

  complain(complaint: Complaint): void {
    if (this.complaints.length < KEPT) this.complaints.push(complaint);
  }

  listRequests(): readonly RequestRecord[] {
    return this.requests;
  }

  listComplaints(): readonly Complaint[] {
    return this.complaints;
  }

  clear(): void {
    this.requests.length = 0;
    this.byId.clear();
    this.complaints.length = 0;
  }
}
