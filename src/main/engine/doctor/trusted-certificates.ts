import { getCACertificates } from 'node:tls';

let known: string[] | null = null;

/** The authorities that requests trust: those of Node, of the system, and of NODE_EXTRA_CA_CERTS. */
export function readTrustedCertificates(): string[] {
  known ??= [
    ...new Set(
      (['default', 'system', 'extra'] as const).flatMap((type) => {
        try {
          return getCACertificates(type);
        } catch {
          return [];
        }
      }),
    ),
  ];
  return known;
}
