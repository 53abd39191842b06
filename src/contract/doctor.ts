import { z } from 'zod';
import {
  addedStepIds,
  checkCodes,
  checkTable,
  type DoctorStepId,
  doctorStatuses,
  doctorStepIds,
  type FindingCode,
  findingCodes,
  findingTable,
} from './doctor-steps.ts';

const word = z.string().max(80);

/**
 * Technical facts of a step that may be sent to others. The schema is closed and each value has a strict form, so that
 * no email, name, host or key can be in it. Times are ISO dates. `off` and `wait` are texts for the sentence ("90
 * seconds behind").
 */
export const doctorFactsSchema = z
  .strictObject({
    status: z.int(),
    requestId: z.string().regex(/^(?=.*\d)[A-Za-z0-9_-]{8,64}$/),
    /** The code of the system's or the network library's error. */
    errorCode: z.string().regex(/^[A-Za-z][A-Za-z0-9_.]{0,79}$/),
    /** The service's clock minus this computer's clock. */
    offsetSeconds: z.number(),
    off: word,
    retryAfterSeconds: z.number(),
    wait: word,
    limitSeconds: z.number(),
    addresses: z.int(),
    port: z.int(),
    tlsProtocol: z.string().regex(/^[A-Za-z0-9.]{1,20}$/),
    validUntil: z.iso.date(),
    daysLeft: z.int(),
    keyType: z.string().regex(/^[a-z0-9-]{1,20}$/),
    algorithm: z.string().regex(/^[A-Za-z0-9]{1,10}$/),
    lifetimeSeconds: z.number(),
    /** The day on which the service last accepted the key. */
    acceptedOn: z.iso.date(),
    bytes: z.int(),
    /** Records a page that the service returns, where it refused larger pages. */
    perPage: z.int(),
  })
  .partial();
export type DoctorFacts = z.infer<typeof doctorFactsSchema>;

/**
 * Facts that are shown on the screen only: the customer's addresses, the name in a certificate, the key's fingerprint.
 * Never part of the copied report.
 */
export const doctorShownSchema = z
  .strictObject({
    host: z.string().max(300),
    proxyHost: z.string().max(300),
    redirectHost: z.string().max(300),
    certificateFor: z.string().max(300),
    certificateBy: z.string().max(300),
    fingerprint: z.string().max(100),
    registrationUrl: z.string().max(2100),
  })
  .partial();
export type DoctorShown = z.infer<typeof doctorShownSchema>;

const checkSchema = z.object({ code: z.enum(checkCodes), sentence: z.string(), shown: doctorShownSchema });
export type DoctorCheck = z.infer<typeof checkSchema>;

/** The result of one step, as codes and values; its sentences are made from it. */
export const doctorFindingSchema = z.object({
  id: z.enum([...doctorStepIds, ...addedStepIds]),
  code: z.enum(findingCodes),
  durationMs: z.int(),
  facts: doctorFactsSchema,
  shown: doctorShownSchema,
});
export type DoctorFinding = z.infer<typeof doctorFindingSchema>;

/** A finding with the given fields; all others are empty. */
export function finding(
  id: DoctorStepId,
  code: FindingCode,
  { tookMs = 0, facts = {}, shown = {} }: { tookMs?: number; facts?: DoctorFacts; shown?: DoctorShown } = {},
): DoctorFinding {
  return { id, code, durationMs: Math.round(tookMs), facts, shown };
}

/** `checks` is what to check where the service's answer does not show the cause, most likely first; else empty. */
const doctorStepSchema = doctorFindingSchema.extend({
  status: z.enum(doctorStatuses),
  sentence: z.string(),
  remedy: z.string().nullable(),
  checks: z.array(checkSchema),
});
export type DoctorStep = z.infer<typeof doctorStepSchema>;

/**
 * `outcome`: `works`; `attention`, which works but has something to fix; `broken`. `cause` is the code of the first
 * failed step, else of the first warning. `report` is the text for copying: it holds no personal data, no secret, no
 * address.
 */
export const doctorResultSchema = z.object({
  workspaceId: z.string(),
  outcome: z.enum(['works', 'attention', 'broken']),
  cause: z.enum(findingCodes).nullable(),
  startedAt: z.string(),
  durationMs: z.int(),
  steps: z.array(doctorStepSchema),
  report: z.string(),
});
export type DoctorResult = z.infer<typeof doctorResultSchema>;

/** Adds the texts of the table to a finding; `{name}` in them is replaced by the fact of that name. */
export function describeFinding(finding: DoctorFinding, checks: readonly DoctorCheck[] = []): DoctorStep {
  const { status, sentence, remedy } = findingTable[finding.code];
  const fill = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => sayFact(finding.facts[name as keyof DoctorFacts]));
  return {
    ...finding,
    status,
    sentence: fill(sentence),
    remedy: remedy === null ? null : fill(remedy),
    checks: [...checks],
  };
}

/** A fact as shown to people: dates in US form. */
const sayFact = (fact: string | number | undefined): string =>
  String(fact ?? '?').replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$2/$3/$1');

/** Adds the texts of the table to a check. */
export function describeCheck(code: DoctorCheck['code'], shown: DoctorShown = {}): DoctorCheck {
  return { code, sentence: checkTable[code], shown };
}

/** The outcome of all steps. The first failed one is the cause, since the steps after it depend on it. */
export function concludeSteps(steps: readonly DoctorStep[]): Pick<DoctorResult, 'outcome' | 'cause'> {
  const broken = steps.find(({ status }) => status === 'failed');
  if (broken !== undefined) return { outcome: 'broken', cause: broken.code };
  const odd = steps.find(({ status }) => status === 'warning');
  return odd === undefined ? { outcome: 'works', cause: null } : { outcome: 'attention', cause: odd.code };
}
