import { getCACertificates } from 'node:tls';

/**
 * The certificate authorities that requests trust: Node's, those of NODE_EXTRA_CA_CERTS, and the system's, because a
 * company's own authority is usually known only to the system.
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
