"""Pages the claims with requests and pyjwt into a file of SQLCipher, with a full-text index.

Usage: page_to_sqlcipher.py BASE_URL EMAIL OUT.db COLUMNS

COLUMNS is a JSON object: the columns of claims and of their lines, each with its path and kind, and the paths of
what is searched. Writes claims, their lines, members and policy holders, and the words of each claim, one transaction a
page, then builds the indexes. Prints one JSON object with what it took. Ends with 3 where there is no SQLCipher.
"""

import ctypes
import json
import secrets
import sys

try:
    # Loaded first and for all, so that Python's own sqlite3 calls it instead of the system's SQLite.
    ctypes.CDLL("libsqlcipher.so.0", mode=ctypes.RTLD_GLOBAL)
except OSError:
    sys.exit(3)

import sqlite3

from service_pages import Stopwatch, read_pages, register_key

TYPES = {"text": "TEXT", "real": "REAL"}

TABLES = """
CREATE TABLE claims (id INTEGER PRIMARY KEY, {claims}, policy_holder_id INTEGER, member_names TEXT,
  employer_names TEXT);
CREATE TABLE claim_lines (claim_id INTEGER NOT NULL, position INTEGER NOT NULL, {lines});
CREATE TABLE claim_members (claim_id INTEGER NOT NULL, position INTEGER NOT NULL, member_id INTEGER NOT NULL);
CREATE TABLE members (id INTEGER PRIMARY KEY, email TEXT, first_name TEXT, last_name TEXT, employer_id INTEGER);
CREATE TABLE employers (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE policy_holders (id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT);
"""

INDEXES = """
CREATE UNIQUE INDEX lines_by_claim ON claim_lines (claim_id, position);
CREATE UNIQUE INDEX members_by_claim ON claim_members (claim_id, position);
CREATE INDEX claims_by_member ON claim_members (member_id, claim_id);
CREATE INDEX claims_by_status ON claims (status);
CREATE INDEX claims_by_billed ON claims (amount_billed);
CREATE INDEX claims_by_patient ON claims (patient_name);
CREATE INDEX claims_by_provider ON claims (service_provider);
CREATE INDEX claims_by_policy_holder ON claims (policy_holder_id);
CREATE INDEX claims_by_members ON claims (member_names);
CREATE INDEX claims_by_employers ON claims (employer_names);
CREATE INDEX claims_by_service_days ON claims (date_of_service_start, date_of_service_end);
CREATE INDEX claims_by_number ON claims (vendor_system_id) WHERE vendor_system_id<>'';
"""


def open_database(path):
    """Opens an encrypted file. Returns it with SQLCipher's version and the module of full-text indexes that it has."""
    database = sqlite3.connect(path, isolation_level=None)
    database.execute(f"PRAGMA key=\"x'{secrets.token_hex(32)}'\"")
    database.execute("PRAGMA cipher_page_size=4096")
    version = database.execute("PRAGMA cipher_version").fetchone()
    if version is None:
        sys.exit(3)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=NORMAL")
    options = [option for (option,) in database.execute("PRAGMA compile_options")]
    return database, version[0], "fts5" if "ENABLE_FTS5" in options else "fts4"


def create_tables(database, columns, index):
    listed = {
        table: ", ".join(f"{column['name']} {TYPES.get(column['kind'], 'INTEGER')}" for column in columns[table])
        for table in ("claims", "lines")
    }
    database.executescript(TABLES.format(**listed))
    # Only which claim has which word, as far as each module can.
    less = "detail=none, prefix='1'" if index == "fts5" else "matchinfo=fts3, prefix=\"1\", tokenize=unicode61"
    database.execute(f"CREATE VIRTUAL TABLE claims_text USING {index}(body, content='', {less})")


def make_reader(columns):
    """Returns a function that reads the values of these columns from a record."""
    money = [(place, *column["path"]) for place, column in enumerate(columns) if column["kind"] == "money"]
    keys = [column["path"][0] if len(column["path"]) == 1 else None for column in columns]
    nested = [(place, *column["path"]) for place, column in enumerate(columns) if len(column["path"]) == 2]

    def read(record):
        values = [record.get(key) for key in keys]
        for place, key in money:
            # Whole ten-thousandths of a dollar.
            if values[place] is not None:
                values[place] = round(record[key] * 10000)
        for place, outer, key in nested:
            values[place] = (record.get(outer) or {}).get(key)
        return values

    return read


def read_words(claim, paths):
    words = [str(claim["id"])]
    for path in paths["claim"]:
        value = claim.get(path[0]) if len(path) == 1 else (claim.get(path[0]) or {}).get(path[1])
        if value:
            words.append(value)
    parts = {line.get(key) for line in claim["claim_medical_lines"] or [] for key in paths["line"]}
    parts |= {member.get(key) for member in claim["members"] or [] for key in ("first_name", "last_name")}
    return "\n".join(words + [part for part in parts if part])


def make_writer(database, columns):
    """Returns a function that writes a page in one transaction."""
    read_claim, read_line = make_reader(columns["claims"]), make_reader(columns["lines"])

    def insert(table, rows, how="INSERT", into=""):
        if rows:
            marks = ",".join("?" * len(rows[0]))
            database.executemany(f"{how} INTO {table}{into} VALUES ({marks})", rows)

    def write(page):
        claims, lines, links, texts = [], [], [], []
        members, employers, holders = {}, {}, {}
        for claim in page:
            claim_id = claim["id"]
            for position, line in enumerate(claim["claim_medical_lines"] or []):
                lines.append([claim_id, position, *read_line(line)])
            names, of = [], {}
            for position, member in enumerate(claim["members"] or []):
                member_id, first, last = (member.get(key) for key in ("id", "first_name", "last_name"))
                employer = member.get("employer") or {}
                employer_id = employer.get("id")
                links.append((claim_id, position, member_id))
                members[member_id] = (member_id, member.get("email"), first, last, employer_id)
                names.append(f"{last} {first}")
                if employer:
                    of[employer_id] = employer.get("name") or ""
                    employers[employer_id] = (employer_id, employer.get("name"))
            holder = claim.get("policy_holder") or {}
            if holder:
                holders[holder["id"]] = (holder["id"], holder.get("first_name"), holder.get("last_name"))
            joined = "; ".join(names), "; ".join(of.values())
            claims.append([claim_id, *read_claim(claim), holder.get("id"), *joined])
            texts.append((claim_id, read_words(claim, columns["words"])))
        database.execute("BEGIN IMMEDIATE")
        insert("claims", claims)
        insert("claim_lines", lines)
        insert("claim_members", links)
        insert("members", list(members.values()), "INSERT OR REPLACE")
        insert("employers", list(employers.values()), "INSERT OR REPLACE")
        insert("policy_holders", list(holders.values()), "INSERT OR REPLACE")
        insert("claims_text", texts, into=" (rowid, body)")
        database.execute("COMMIT")

    return write


def main():
    base_url, email, out = sys.argv[1:4]
    columns = json.loads(sys.argv[4])
    database, version, index = open_database(out)
    sign = register_key(base_url, email)
    watch = Stopwatch()
    create_tables(database, columns, index)
    write = make_writer(database, columns)
    rows = 0
    for claims in read_pages(base_url, sign):
        write(claims)
        rows += len(claims)
    database.executescript(INDEXES)
    watch.print_result(rows, version=version, index=index)
    database.close()


main()
