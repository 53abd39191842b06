import { getCACertificates } from 'node:tls';

/**
 * The authorities that requests trust: those of Node, of NODE_EXTRA_CA_CERTS, and of the system, because
 * behind a corporate authority only the system knows it.
 */
export function readTrustedCertificates(): string[] {
  const lists = (['default', 'system', 'extra'] as const).map((type) => {
    try {
      return getCACertificates(type);
    } catch {
      return [];
    }
  });
  return [...new Set(lists.flat())];
}
