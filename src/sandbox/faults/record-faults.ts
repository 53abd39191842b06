type Fields = Record<string, unknown>;

/** Adds unknown fields of every JSON type to the record and to an object within it. */
export function addUnknownFields(record: object): object {
  const copy: Fields = {
    ...record,
    x_text: 'unknown',
    x_number: 12.5,
    x_flag: true,
    x_nothing: null,
    x_list: [1, 'two', { three: 3 }],
    x_object: { nested: { deeply: 'é' } },
    'x-odd key "quoted"': 1,
  };
  if (Array.isArray(copy.claim_medical_lines)) {
    copy.claim_medical_lines = copy.claim_medical_lines.map((line: object) => ({
      ...line,
      x_line: 'unknown',
    }));
  }
  if (Array.isArray(copy.dependents)) {
    copy.dependents = copy.dependents.map((dependent: object) => ({
      ...dependent,
      x_dependent: 'unknown',
    }));
  }
  return copy;
}

/** Leaves out every third field, never the ID. docs/service.md, "Lists and values": a client accepts missing fields. */
export const dropFields = (record: object): object =>
  Object.fromEntries(Object.entries(record).filter(([key], n) => key === 'id' || n % 3 !== 1));

type RecordChange = (record: Fields) => void;

/** Kinds of wrong values; the position of a record on the page decides which one it gets. */
const WRONG_VALUES: readonly RecordChange[] = [
  (r) => setIfThere(r, 'amount_paid', 'twelve') || setIfThere(r, 'unread_count', 'many'),
  (r) => setIfThere(r, 'date_of_service', '2025-09-15') || setIfThere(r, 'date_of_birth', 19800101),
  (r) => setIfThere(r, 'claim_medical_lines', { amount_paid: [] }) || setIfThere(r, 'dependents', 'none'),
  (r) => setIfThere(r, 'members', 'nobody') || setIfThere(r, 'employer', 7),
  (r) => setIfThere(r, 'type', 3) || setIfThere(r, 'tenant', []),
  (r) => setIfThere(r, 'is_incomplete', 'no') || setIfThere(r, 'archived', 'no'),
  (r) => setIfThere(r, 'status', { code: 4 }) || setIfThere(r, 'first_name', { given: 'Ann' }),
  (r) => {
    r.id = String(r.id);
  },
  (r) => {
    r.id = null;
  },
  (r) => {
    r.createddate = 'yesterday';
  },
];

export function setWrongTypes(record: object, position: number): object {
  const copy: Fields = { ...record };
  (WRONG_VALUES[position % WRONG_VALUES.length] as RecordChange)(copy);
  return copy;
}

function setIfThere(record: Fields, key: string, value: unknown): boolean {
  if (!(key in record)) return false;
  record[key] = value;
  return true;
}

/** Adds a text field of this many megabytes. */
export function hugeString(record: object, megabytes: number): object {
  const field = 'remarks' in record ? 'remarks' : 'address';
  return { ...record, [field]: 'x'.repeat(Math.round(megabytes * 1_000_000)) };
}
