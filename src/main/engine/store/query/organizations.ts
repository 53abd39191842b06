import type { Database } from '../file/database.ts';

type Kind = 'employers' | 'tenants';

/** The column of a member that refers to an employer or a tenant, and the column for the other kind. */
const columns = {
  employers: { own: 'employer_ref', other: 'tenant_ref', others: 'tenants' },
  tenants: { own: 'tenant_ref', other: 'employer_ref', others: 'employers' },
} as const satisfies Record<Kind, { own: string; other: string; others: Kind }>;

interface Organization {
  readonly id: number;
  /** The name as last received. */
  readonly name: string | null;
  readonly members: number;
  readonly archivedMembers: number;
  /** How many organizations of the other kind (tenants or employers) its members have. */
  readonly organizations: number;
}

/** Employers or tenants by the service's ID, with the members that the service still returns. */
export function listOrganizations(database: Database, kind: Kind): Organization[] {
  const { own, other, others } = columns[kind];
  const organizations = database
    .prepare(
      `SELECT o.id, count(members.id) AS members, count(*) FILTER (WHERE members.archived=1) AS archivedMembers,
         count(DISTINCT other.id) AS organizations
       FROM ${kind} o LEFT JOIN members ON members.${own}=o.ref AND members.gone_since IS NULL
       LEFT JOIN ${others} other ON other.ref=members.${other}
       WHERE o.id IS NOT NULL GROUP BY o.id ORDER BY o.id`,
    )
    .all() as Omit<Organization, 'name'>[];
  const name = database.prepare(`SELECT name FROM ${kind} WHERE id=? ORDER BY ref DESC LIMIT 1`).pluck();
  return organizations.map((organization) => ({
    ...organization,
    name: (name.get(organization.id) as string | null | undefined) ?? null,
  }));
}

/** The version of an employer or tenant that a member refers to, if any: those of claims have little but a name. */
function findRef(database: Database, kind: Kind, id: number): number | null {
  const ref = database
    .prepare(
      `SELECT o.ref FROM ${kind} o WHERE o.id=?
       ORDER BY EXISTS(SELECT 1 FROM members WHERE members.${columns[kind].own}=o.ref AND gone_since IS NULL) DESC,
         EXISTS(SELECT 1 FROM members WHERE members.${columns[kind].own}=o.ref) DESC, o.ref DESC LIMIT 1`,
    )
    .pluck()
    .get(id);
  return (ref as number | undefined) ?? null;
}

/** The tenants or employers of the members of one employer or tenant, most members first. */
function listOthers(database: Database, kind: Kind, id: number) {
  const { own, other, others } = columns[kind];
  return database
    .prepare(
      `SELECT other.id, max(other.name) AS name, count(*) AS members
       FROM ${kind} o JOIN members ON members.${own}=o.ref AND members.gone_since IS NULL
       JOIN ${others} other ON other.ref=members.${other}
       WHERE o.id=? AND other.id IS NOT NULL GROUP BY other.id ORDER BY members DESC, other.id`,
    )
    .all(id) as { id: number; name: string | null; members: number }[];
}

/** The version of an employer or tenant to show, and the other kind among its members; null for an unknown ID. */
export function findOrganization(
  database: Database,
  kind: Kind,
  id: number,
): { ref: number; others: ReturnType<typeof listOthers> } | null {
  const ref = findRef(database, kind, id);
  return ref === null ? null : { ref, others: listOthers(database, kind, id) };
}
