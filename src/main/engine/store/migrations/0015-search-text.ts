const kept = (alias: string): string => `iif(json_valid(${alias}.extra), ${alias}.extra, NULL)`;

/** Texts of a row by their keys, each from its column or, where that cannot hold it, from beside the columns. */
const textsOf = (alias: string, keys: string): string =>
  keys
    .split(' ')
    .map((key) => {
      const json = `${kept(alias)}, '$.${key}'`;
      return `coalesce(${alias}.${key}, iif(json_type(${json})='text', json_extract(${json}), NULL))`;
    })
    .join(', ');

const joinTexts = (texts: string): string => `group_concat(concat_ws(char(10), ${texts}), char(10))`;

/** The same of the objects in a list that no table holds, since something else is in it as well. */
const textsInList = (list: string, keys: string): string => `
  (SELECT group_concat(one.value, char(10))
   FROM json_each(iif(json_type(${kept('c')}, '$.${list}')='array', c.extra, NULL), '$.${list}') item
   JOIN json_each(iif(item.type='object', item.value, NULL)) one
   WHERE one.type='text' AND one.key IN ('${keys.replaceAll(' ', "', '")}'))`;

const lineTexts = 'procedure_code procedure_name diagnosis_code national_drug_code';
const nameTexts = 'first_name last_name';

const fill = (table: string, key: string, texts: string, from: string): string => `
  INSERT INTO ${table}_text (rowid, body)
  SELECT key, iif(octet_length(body)=length(body), body, indexed_text(body))
  FROM (SELECT ${key} AS key, concat_ws(char(10), ${texts}) AS body FROM ${from} ORDER BY 1) WHERE body<>''`;

const create = (table: string): string => `
  DROP TABLE ${table}_text;
  CREATE VIRTUAL TABLE ${table}_text USING fts5(body, content='', contentless_delete=1, detail=none, prefix='1',
    tokenize='unicode61 remove_diacritics 2');`;

/**
 * Search indexes that hold which records have a word, not where: no search asks for that, and it was most of them. An
 * index of first letters besides, since what begins with one letter is in most claims and came from thousands of words.
 * `claims_words` lists the words of the index of claims and takes no space.
 */
export const sql = [
  create('members'),
  create('dependents'),
  create('claims'),
  'CREATE VIRTUAL TABLE claims_words USING fts5vocab(claims_text, row);',
  {
    rowsOf: 'members',
    sql: fill(
      'members',
      'm.id',
      `${textsOf('m', 'last_name first_name full_name_derived email address partner_key')}, ${textsOf('e', 'name')}`,
      'members m LEFT JOIN employers e ON e.ref=m.employer_ref WHERE m.id>? AND m.id<=?',
    ),
  },
  {
    rowsOf: 'members',
    sql: fill(
      'dependents',
      'd.ref',
      textsOf('d', 'last_name first_name middle_name email address partner_key'),
      'dependents d WHERE d.parent>? AND d.parent<=?',
    ),
  },
  {
    rowsOf: 'claims',
    sql: fill(
      'claims',
      'c.id',
      `${textsOf(
        'c',
        `status patient_name service_provider check_number group_name group_number patient_account_number
         patient_payer_number remarks service_provider_billing_name vendor_system_id`.replace(/\s+/g, ' '),
      )}, ${textsOf('p', nameTexts)}, c.id,
      (SELECT ${joinTexts(textsOf('l', lineTexts))} FROM claim_lines l WHERE l.parent=c.id),
      ${textsInList('claim_medical_lines', lineTexts)},
      (SELECT ${joinTexts(textsOf('r', nameTexts))}
       FROM claim_members m JOIN claim_member_records r ON r.ref=m.ref WHERE m.parent=c.id),
      ${textsInList('members', nameTexts)}`,
      'claims c LEFT JOIN policy_holders p ON p.ref=c.policy_holder_ref WHERE c.id>? AND c.id<=?',
    ),
  },
];
