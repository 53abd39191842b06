/** Not `OR IGNORE`: the statement that fires a trigger would decide instead what a conflict does. */
const outdate = (id: string): string =>
  `INSERT INTO outdated_families (member_id) SELECT ${id} WHERE NOT EXISTS (SELECT 1 FROM outdated_families WHERE member_id=${id});`;

/**
 * Where families stand in their plan years (`family_years`), and what follows for a claim from that of its family: all of
 * it is computed from claims, and computed again where a claim, a review, or the names of a family changed
 * (`outdated_families`). Facts and worklists are made again.
 */
export const sql = `
ALTER TABLE claim_facts ADD COLUMN family INTEGER;
ALTER TABLE claim_facts ADD COLUMN account_rule TEXT;
ALTER TABLE claim_facts ADD COLUMN account_share INTEGER;
ALTER TABLE claim_facts ADD COLUMN carrier_disagrees TEXT;
ALTER TABLE claim_facts ADD COLUMN carrier_difference INTEGER;
CREATE INDEX claim_facts_by_family ON claim_facts (family) WHERE family IS NOT NULL;
CREATE TABLE family_years (
  member_id INTEGER NOT NULL,
  employer_id INTEGER,
  plan_year TEXT NOT NULL,
  is_at_least INTEGER NOT NULL,
  deductible_used INTEGER,
  deductible_limit INTEGER,
  out_of_pocket_used INTEGER,
  out_of_pocket_limit INTEGER,
  account_used INTEGER,
  account_limit INTEGER,
  disagreeing INTEGER NOT NULL,
  difference INTEGER NOT NULL
) STRICT;
CREATE INDEX family_years_by_member ON family_years (member_id);
CREATE INDEX family_years_by_difference ON family_years (difference DESC, member_id);
CREATE TABLE outdated_families (
  member_id INTEGER PRIMARY KEY
) STRICT;
CREATE TRIGGER family_member_added AFTER INSERT ON members BEGIN ${outdate('NEW.id')} END;
CREATE TRIGGER family_member_renamed AFTER UPDATE OF first_name, last_name ON members BEGIN ${outdate('NEW.id')} END;
CREATE TRIGGER family_dependent_added AFTER INSERT ON dependents BEGIN ${outdate('NEW.parent')} END;
CREATE TRIGGER family_dependent_renamed AFTER UPDATE OF first_name, middle_name, last_name ON dependents
  BEGIN ${outdate('NEW.parent')} END;
CREATE TRIGGER family_dependent_removed AFTER DELETE ON dependents BEGIN ${outdate('OLD.parent')} END;
DELETE FROM sync_state WHERE name='worklists.settled';
`;
