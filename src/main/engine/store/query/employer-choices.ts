import type { Database } from '../file/database.ts';

interface TenantOfEmployer {
  readonly id: number;
  /** The other number by which a service may identify a tenant. */
  readonly tenantId: number | null;
  readonly name: string | null;
}

/** An employer in the records, with what Connect needs. */
export interface EmployerChoice {
  readonly id: number;
  /** The other number by which a service may identify an employer. */
  readonly employerId: number | null;
  readonly name: string | null;
  readonly members: number;
  readonly tenants: readonly TenantOfEmployer[];
  /** Labels of the vendor tenants: first those for which members have keys, most first; then its tenants' others. */
  readonly vendorLabels: readonly string[];
  /** A member's key for one of these labels, for a request to the vendor-tenant route. */
  readonly memberKeys: readonly { readonly label: string; readonly memberKey: string }[];
}

/** A member in the records who has an email. */
export interface MemberWithEmail {
  readonly id: number;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly dateOfBirth: string | null;
  /** The employer's `id`; null where the record has none. */
  readonly employerId: number | null;
}

const byEmployer = <T extends { readonly id: number }>(rows: readonly T[]): Map<number, T[]> =>
  Map.groupBy(rows, ({ id }) => id);

/** Every employer that a member or a claim has, by the service's ID. */
export function listEmployerChoices(database: Database): EmployerChoice[] {
  const all = <T>(sql: string): T[] => database.prepare(sql).all() as T[];
  const employers = all<{ id: number; employerId: number | null; members: number }>(
    `SELECT o.id, max(o.employer_id) AS employerId, count(members.id) AS members
     FROM employers o LEFT JOIN members ON members.employer_ref=o.ref AND members.gone_since IS NULL
     WHERE o.id IS NOT NULL GROUP BY o.id ORDER BY o.id`,
  );
  const tenants = byEmployer(
    all<{ id: number; ref: number; tenant: number; tenantId: number | null; name: string | null }>(
      `SELECT DISTINCT o.id, t.ref, t.id AS tenant, t.tenant_id AS tenantId, t.name
       FROM employers o JOIN members ON members.employer_ref=o.ref AND members.gone_since IS NULL
       JOIN tenants t ON t.ref=members.tenant_ref WHERE o.id IS NOT NULL AND t.id IS NOT NULL ORDER BY t.ref`,
    ),
  );
  const labels = Map.groupBy(
    all<{ ref: number; label: string }>(
      `SELECT link.parent AS ref, v.label FROM tenant_vendor_tenants link
       JOIN vendor_tenants v ON v.ref=link.ref WHERE v.label IS NOT NULL ORDER BY link.parent, link.position`,
    ),
    ({ ref }) => ref,
  );
  const keys = byEmployer(
    all<{ id: number; label: string; memberKey: string }>(
      `SELECT o.id, v.label, min(one.key) AS memberKey FROM vendor_members one
       JOIN members ON members.id=one.parent AND members.gone_since IS NULL
       JOIN employers o ON o.ref=members.employer_ref JOIN vendor_tenants v ON v.ref=one.vendor_tenant_ref
       WHERE o.id IS NOT NULL AND v.label IS NOT NULL AND one.key IS NOT NULL
       GROUP BY o.id, v.label ORDER BY count(*) DESC, v.label`,
    ),
  );
  const name = database.prepare('SELECT name FROM employers WHERE id=? ORDER BY ref DESC LIMIT 1').pluck();
  return employers.map((employer) => {
    const ownTenants = tenants.get(employer.id) ?? [];
    const memberKeys = (keys.get(employer.id) ?? []).map(({ label, memberKey }) => ({ label, memberKey }));
    return {
      ...employer,
      name: (name.get(employer.id) as string | null | undefined) ?? null,
      // A tenant whose record changed has several versions here; the newest comes last.
      tenants: [
        ...new Map(
          ownTenants.map(({ tenant, tenantId, name: named }) => [tenant, { tenantId, name: named }]),
        ),
      ].map(([id, rest]) => ({ id, ...rest })),
      vendorLabels: [
        ...new Set([
          ...memberKeys.map(({ label }) => label),
          ...ownTenants.flatMap(({ ref }) => (labels.get(ref) ?? []).map(({ label }) => label)),
        ]),
      ],
      memberKeys,
    };
  });
}

/** Members that the service still returns with this email, ignoring case. */
export function findMembersByEmail(database: Database, email: string): MemberWithEmail[] {
  const normalizedEmail = email.trim().toLowerCase();
  const rows = database
    .prepare(
      // SQLite lowercases ASCII letters only: emails with other characters are compared here.
      `SELECT members.id, members.email, coalesce(members.first_name, members.first_name_derived) AS firstName,
         coalesce(members.last_name, members.last_name_derived) AS lastName,
         members.date_of_birth AS dateOfBirth, o.id AS employerId
       FROM members LEFT JOIN employers o ON o.ref=members.employer_ref
       WHERE members.gone_since IS NULL AND (lower(trim(members.email))=? OR members.email GLOB '*[^ -~]*')
       ORDER BY members.id`,
    )
    .all(normalizedEmail) as MemberWithEmail[];
  return rows.filter((row) => row.email.trim().toLowerCase() === normalizedEmail);
}

/** The service's IDs of all employers that the records name, in their order. */
export const listEmployerIds = (database: Database): number[] =>
  database
    .prepare('SELECT DISTINCT id FROM employers WHERE id IS NOT NULL ORDER BY id')
    .pluck()
    .all() as number[];
