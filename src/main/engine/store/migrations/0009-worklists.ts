/**
 * What Claimdesk works out of each claim, and the worklists that it is in. Both follow from the claims, their reviews
 * and the settings; `outdated_claims` are those for which they are not current.
 */
export const sql = `
CREATE TABLE outdated_claims (
  id INTEGER PRIMARY KEY
) STRICT;
INSERT INTO outdated_claims (id) SELECT id FROM claims;
CREATE TRIGGER review_added AFTER INSERT ON claim_reviews
  BEGIN INSERT OR IGNORE INTO outdated_claims (id) VALUES (NEW.claim_id); END;
CREATE TRIGGER review_changed AFTER UPDATE ON claim_reviews
  BEGIN INSERT OR IGNORE INTO outdated_claims (id) VALUES (NEW.claim_id); END;
CREATE TRIGGER review_removed AFTER DELETE ON claim_reviews
  BEGIN INSERT OR IGNORE INTO outdated_claims (id) VALUES (OLD.claim_id); END;

CREATE TABLE ruled_out_pairs (
  left_id INTEGER NOT NULL,
  right_id INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  PRIMARY KEY (left_id, right_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX ruled_out_pairs_by_right ON ruled_out_pairs (right_id);
CREATE TRIGGER pair_ruled_out AFTER INSERT ON ruled_out_pairs
  BEGIN INSERT OR IGNORE INTO outdated_claims (id) VALUES (NEW.left_id), (NEW.right_id); END;
CREATE TRIGGER pair_no_longer_ruled_out AFTER DELETE ON ruled_out_pairs
  BEGIN INSERT OR IGNORE INTO outdated_claims (id) VALUES (OLD.left_id), (OLD.right_id); END;
CREATE TABLE claim_facts (
  id INTEGER PRIMARY KEY,
  plan_year TEXT,
  plan_year_end TEXT,
  run_out_day TEXT,
  eligible INTEGER,
  open INTEGER,
  changed_since_paid TEXT,
  duplicate TEXT,
  payable_twice INTEGER,
  line_difference INTEGER,
  parts_sum INTEGER,
  amounts_disagree TEXT,
  missing_items TEXT,
  denial TEXT,
  appeal_check_by TEXT,
  pending_since TEXT,
  is_not_split INTEGER,
  has_other_insurance INTEGER,
  is_quality_sample INTEGER,
  year_allowed INTEGER,
  is_high_cost INTEGER,
  person_year TEXT,
  allowed INTEGER,
  high_cost_from INTEGER
) STRICT;
CREATE INDEX claim_facts_by_person_year ON claim_facts (person_year, allowed) WHERE person_year IS NOT NULL;
CREATE TABLE claim_worklists (
  worklist INTEGER NOT NULL,
  rank INTEGER NOT NULL,
  id INTEGER NOT NULL,
  patient_responsibility INTEGER NOT NULL,
  PRIMARY KEY (worklist, rank, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX claim_worklists_by_claim ON claim_worklists (id);
CREATE TABLE worklist_counts (
  worklist INTEGER PRIMARY KEY,
  claims INTEGER NOT NULL,
  patient_responsibility INTEGER NOT NULL
) STRICT;
CREATE TRIGGER worklist_joined AFTER INSERT ON claim_worklists BEGIN
  INSERT INTO worklist_counts (worklist, claims, patient_responsibility)
    VALUES (NEW.worklist, 1, NEW.patient_responsibility)
    ON CONFLICT (worklist) DO UPDATE SET claims=claims+1,
      patient_responsibility=patient_responsibility+NEW.patient_responsibility;
END;
CREATE TRIGGER worklist_left AFTER DELETE ON claim_worklists BEGIN
  UPDATE worklist_counts SET claims=claims-1, patient_responsibility=patient_responsibility-OLD.patient_responsibility
    WHERE worklist=OLD.worklist;
END;
`;
