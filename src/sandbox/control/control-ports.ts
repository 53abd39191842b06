import type { TlsMode } from '../tls/certificates.ts';

/** What the control address may do to the program it is part of. */
export type ControlPorts = {
  readonly token: string;
  readonly shutDown: () => void;
  /** Opens one more address of the same service, over TLS. */
  readonly openTls: (mode: TlsMode) => Promise<{ baseUrl: string; caPem: string }>;
};
