import { createHash, randomBytes } from 'node:crypto';
import { type ErrorCode, errorCodes } from '../../contract/error-codes.ts';

const areas = [
  'app',
  'auth',
  'connect',
  'doctor',
  'engine',
  'export',
  'keychain',
  'keys',
  'lock',
  'sandbox',
  'service',
  'shell',
  'store',
  'sync',
  'workspaces',
] as const;

/** `room.verb`, the verb in camel case: `sync.finished`, `service.requestFailed`. */
export type LogEvent = `${(typeof areas)[number]}.${string}`;

/**
 * All fields that a log line can have. None holds free text: a value is a number, one of Claimdesk's codes, or a word
 * that matches a narrow pattern. IDs are written hashed. `route` is the template
 * (`/api/v2/employer/{employer_id}/member/{member_id}`), never the path of a request.
 */
export type LogFields = {
  code?: ErrorCode;
  phase?: string;
  method?: string;
  route?: string;
  requestId?: string;
  status?: number;
  durationMs?: number;
  offsetSeconds?: number;
  attempt?: number;
  count?: number;
  total?: number;
  pages?: number;
  passes?: number;
  rows?: number;
  members?: number;
  claims?: number;
  bytes?: number;
  exitCode?: number;
  /** The three fields of an internal fault, see `fault.ts`, and the procedure that was called. */
  procedure?: string;
  errorClass?: string;
  errorCode?: string;
  frames?: readonly string[];
  workspaceId?: string;
  keyId?: string;
  runId?: string;
};

type LogValue = string | number | readonly string[];
type FieldRule = (value: unknown) => LogValue | null;

const codes = new Set<string>(errorCodes);
const socialSecurityPattern = /^\d{3}-?\d{2}-?\d{4}$/;

const matches =
  (pattern: RegExp): FieldRule =>
  (value) =>
    typeof value === 'string' && pattern.test(value) && !socialSecurityPattern.test(value) ? value : null;

const framePattern = /^(src|out)\/[A-Za-z0-9_./-]{1,120}:\d{1,6}$/;

const count: FieldRule = (value) => (Number.isSafeInteger(value) ? (value as number) : null);
const measure: FieldRule = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : null;

const plainRules = {
  code: (value) => (typeof value === 'string' && codes.has(value) ? value : null),
  phase: matches(/^[a-z][a-zA-Z-]{0,23}$/),
  method: matches(/^(GET|HEAD|POST|PUT|PATCH|DELETE)$/),
  route: matches(/^\/(api|connect|sdk-api|v3|settings)(\/([a-z][a-z_-]{0,39}|v\d|\{[a-z_]{1,40}\})){0,12}$/),
  // Needs a digit, so that a name does not match; no blank, @ or dot, so that no sentence or email matches.
  requestId: matches(/^(?=.*\d)[A-Za-z0-9_-]{8,64}$/),
  status: (value) =>
    Number.isInteger(value) && Number(value) >= 100 && Number(value) < 600 ? Number(value) : null,
  durationMs: measure,
  offsetSeconds: measure,
  attempt: count,
  count,
  total: count,
  pages: count,
  passes: count,
  rows: count,
  members: count,
  claims: count,
  bytes: count,
  exitCode: count,
  procedure: matches(/^[a-z][a-zA-Z]{1,29}:[a-z][a-zA-Z]{1,39}$/),
  errorClass: matches(/^[A-Z][A-Za-z0-9]{0,39}$/),
  errorCode: matches(/^[A-Z][A-Z0-9_]{1,49}$/),
  frames: (value) =>
    Array.isArray(value) && value.every((frame) => framePattern.test(String(frame))) ? value : null,
} satisfies Record<string, FieldRule>;

const hashedFields = new Set(['workspaceId', 'keyId', 'runId'] satisfies (keyof LogFields)[]);
const eventPattern = new RegExp(`^(?:${areas.join('|')})\\.[a-z][a-zA-Z]{1,29}$`);

/** Checked again at run time, where types do not exist: a line whose event is not in this form is dropped. */
export const isLogEvent = (event: string): boolean => eventPattern.test(event);

/**
 * Makes the function that keeps the fields that a log may hold and silently drops all others. Each run has its own
 * salt: lines of one run can be seen to concern the same workspace, but not which one, and not across runs.
 */
export function createFieldFilter(
  salt: Uint8Array = randomBytes(16),
): (fields: Readonly<Record<string, unknown>>) => Record<string, LogValue> {
  const hashId = (id: string) => createHash('sha256').update(salt).update(id).digest('hex').slice(0, 12);
  return (fields) => {
    const passed: Record<string, LogValue> = {};
    for (const [name, value] of Object.entries(fields)) {
      if (hashedFields.has(name as 'keyId') && typeof value === 'string') {
        passed[name] = hashId(value);
        continue;
      }
      if (!Object.hasOwn(plainRules, name)) continue;
      const checked = plainRules[name as keyof typeof plainRules](value);
      if (checked !== null) passed[name] = checked;
    }
    return passed;
  };
}
