/** A full SSN is found by its keyed hash, which the index alone holds; changes of rows are counted. */
export const sql = `
CREATE INDEX members_by_ssn ON members (ssn_hash(ssn)) WHERE ssn IS NOT NULL;
CREATE INDEX dependents_by_ssn ON dependents (ssn_hash(ssn)) WHERE ssn IS NOT NULL;

CREATE TABLE record_versions (
  kind TEXT PRIMARY KEY,
  version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO record_versions (kind, version) VALUES ('members', 1), ('claims', 1);
CREATE TRIGGER members_deleted AFTER DELETE ON members
  BEGIN UPDATE record_versions SET version=version+1 WHERE kind='members'; END;
CREATE TRIGGER claims_deleted AFTER DELETE ON claims
  BEGIN UPDATE record_versions SET version=version+1 WHERE kind='claims'; END;
CREATE TRIGGER members_marked AFTER UPDATE OF gone_since ON members WHEN OLD.gone_since IS NOT NEW.gone_since
  BEGIN UPDATE record_versions SET version=version+1 WHERE kind='members'; END;
CREATE TRIGGER claims_marked AFTER UPDATE OF gone_since ON claims WHEN OLD.gone_since IS NOT NEW.gone_since
  BEGIN UPDATE record_versions SET version=version+1 WHERE kind='claims'; END;
`;
