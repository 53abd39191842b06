import type { TlsMode } from '../tls/certificates.ts';

/** What the control address may do to the program. */
export type ControlPorts = {
  readonly token: string;
  readonly shutDown: () => void;
  /** Opens one more address of the same service, over TLS. */
  readonly openTls: (mode: TlsMode) => Promise<{ baseUrl: string; caPem: string }>;
};
