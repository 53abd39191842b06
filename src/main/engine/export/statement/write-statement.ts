import { readAmount } from '../../../../contract/claim-amounts.ts';
import { formatCode } from '../../../../contract/code-labels.ts';
import type { ClaimLineRecord, ClaimRecord } from '../../../../contract/records.ts';
import { nameOf, providerOf, sayDays, writeDays } from '../../../../contract/say-claim.ts';
import { formatBytes } from '../../../../rules/count.ts';
import { readDays } from '../../../../rules/date-range.ts';
import { documentLabels } from '../../../../rules/document-kinds.ts';
import { claimKinds } from '../../../../rules/list-fields.ts';
import { findExcess } from '../../../../rules/money/decided-amounts.ts';
import { sayEligible } from '../../../../rules/money/eligible.ts';
import { formatTenThousandths, writeDollars } from '../../../../rules/money/format-amount.ts';
import { signOf } from '../../../../rules/money/reimbursement.ts';
import { sayChainRole } from '../../../../rules/money/say-chain.ts';
import { formatPersonName } from '../../../../rules/person-names.ts';
import type { Cell } from '../../../../rules/query.ts';
import type { ClaimReview } from '../../../../rules/review/review.ts';
import { outcomeLabels, paymentLabels } from '../../../../rules/review/review-labels.ts';
import { processedStatuses } from '../../../../rules/worklists/worklist-table.ts';
import { type DataState, describeProof, writeDay, writeTime } from '../notes.ts';
import type { ClaimStatement, Field, Section, Text } from './claim-statement.ts';
import type { StatementFacts } from './read-facts.ts';

/** The facts that are the same on all statements of a file. */
export interface StatementContext {
  readonly data: DataState;
  readonly workspace: string;
  /** ISO date-time. */
  readonly at: string;
  readonly by: string | null;
}

const notReported: Text = { text: 'Not reported', tone: 'faint' };
const plain = (value: unknown): Text => {
  const text = value === null || value === undefined ? '' : String(value).trim();
  return text === '' ? notReported : { text };
};
const required = (value: string): Text =>
  value === '' ? { text: 'Missing', tone: 'missing' } : { text: value };
const money = (tenThousandths: number | null): string =>
  tenThousandths === null ? 'Not known' : formatTenThousandths(tenThousandths);

/** "99213 Office visit · Qty 2"; empty: the line has no service. */
function describeLine(line: ClaimLineRecord): string {
  const named = [line.procedure_code, line.procedure_name].filter(Boolean).join(' ').trim();
  const drug = line.national_drug_code ? `NDC ${line.national_drug_code}` : '';
  if (named === '' && drug === '') return '';
  const amounts = [
    typeof line.quantity === 'number' && line.quantity !== 1 && `Qty ${line.quantity}`,
    typeof line.days_supply === 'number' && `${line.days_supply} days supply`,
  ];
  return [named, drug, ...amounts].filter(Boolean).join(' · ');
}

const linesOf = (claim: ClaimRecord): readonly ClaimLineRecord[] => claim.claim_medical_lines ?? [];
const sayCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Why this record does not substantiate the expense, one sentence each; empty where nothing is missing. */
function listMissing(facts: StatementFacts): string[] {
  const { claim, missingItems, unreadLines, missing, lineDifference, review, lastOutcome } = facts;
  const lines = linesOf(claim);
  const blank = lines.filter((line) => describeLine(line) === '').length;
  const isProcessed = processedStatuses.some((status) => status === claim.status);
  return [
    missingItems.length > 0 &&
      !review.documents.some(({ sufficient }) => sufficient !== null) &&
      `Missing: ${missingItems.map((item) => item.toLowerCase()).join(', ')}.`,
    blank > 0 &&
      blank < lines.length &&
      `${blank} of ${sayCount(lines.length, 'line')} do not describe the service.`,
    unreadLines > 0 && `${sayCount(unreadLines, 'line')} of the claim could not be read.`,
    !isProcessed && `The carrier has not processed this claim. Its status is ${claim.status ?? 'blank'}.`,
    Number(claim.patient_responsibility ?? 0) < 0 &&
      'The patient’s responsibility is below zero: this record reverses another claim.',
    review.chain !== null && sayChainRole(review.chain),
    lastOutcome === 'duplicate' && 'It was decided to be a duplicate of another claim.',
    lineDifference !== null && lineDifference !== 0 && 'The lines do not add up to the amounts of the claim.',
    claim.is_incomplete === true && 'The claims service marks this record as incomplete.',
    missing !== null && `The claims service has not returned this claim since ${writeTime(missing.since)}.`,
  ].filter((sentence) => sentence !== false);
}

function findVerdict(facts: StatementFacts): ClaimStatement['verdict'] {
  const reasons = listMissing(facts);
  if (reasons.length > 0)
    return { isComplete: false, title: 'Not substantiated by this record', sentences: reasons };
  const lacks = facts.missingItems.map((item) => item.toLowerCase()).join(', ');
  if (lacks !== '')
    return {
      isComplete: true,
      title: 'Substantiated with a document',
      sentences: [
        `The carrier’s record lacks: ${lacks}.`,
        ...facts.review.documents.flatMap(({ document, sha256, sufficient }) =>
          sufficient === null
            ? []
            : [
                `${sufficient.author} marked a document as sufficient on ${writeTime(sufficient.at)}: ${documentLabels[document].toLowerCase()} ${sha256.slice(0, 12)}.`,
              ],
        ),
      ],
    };
  return {
    isComplete: true,
    title: 'Every required item is here',
    sentences: [
      'The carrier’s record says who received the service, from whom, what it was, when it was, and the amount.',
    ],
  };
}

function describeExpense({ claim, carrier }: StatementFacts): Section {
  const members = claim.members ?? [];
  const kind = [formatCode('type.name', claim.type?.name), formatCode('network', claim.network)];
  const employers = new Set(members.map(({ employer }) => employer?.name ?? '').filter(Boolean));
  return {
    heading: 'Expense',
    kind: 'pairs',
    left: [
      { label: 'Patient', value: required(formatPersonName(claim.patient_name ?? '')) },
      {
        label: members.length > 1 ? 'Members' : 'Member',
        value: plain(members.map(nameOf).filter(Boolean).join(', ')),
      },
      { label: 'Employer', value: plain([...employers].join(', ')) },
      { label: 'Dates of service', value: required(writeDays(claim.date_of_service)) },
      { label: 'Type and network', value: plain(kind.filter(Boolean).join(', ')) },
    ],
    right: [
      { label: 'Provider', value: required(providerOf(claim)) },
      { label: 'Provider NPI', value: plain(claim.service_provider_npi_number) },
      { label: 'Carrier', value: plain(carrier) },
      { label: 'Carrier claim no.', value: plain(claim.vendor_system_id) },
      { label: 'Carrier’s status', value: plain(claim.status) },
    ],
  };
}

function listService({ claim }: StatementFacts): Section {
  const amount = (value: unknown): Text => {
    const text = writeDollars(value);
    return text === null ? { text: '–', tone: 'faint' } : { text };
  };
  const lines = linesOf(claim);
  if (lines.length === 0)
    return {
      heading: 'Service',
      kind: 'text',
      paragraphs: ['The record has no claim lines, so it does not say what the service was.'],
    };
  return {
    heading: 'Service',
    kind: 'table',
    columns: [
      { label: 'Date', width: 64 },
      { label: 'Description', width: null },
      { label: 'Billed', width: 66, isAmount: true },
      { label: 'Allowed', width: 66, isAmount: true },
      { label: 'Patient resp.', width: 66, isAmount: true },
    ],
    rows: lines.map((line) => [
      plain(writeDays(line.date_of_service)),
      required(describeLine(line)),
      amount(line.amount_billed),
      amount(line.amount_allowed),
      amount(line.patient_responsibility),
    ]),
  };
}

const origins = { reported: '', calculated: ', calculated', lines: ', sum of the lines', rest: '' } as const;

function listAmounts({ claim }: StatementFacts): Section {
  // Reads an amount as the claim's page does: as sent, otherwise as calculated, otherwise the sum of the lines.
  const amountOf = (field: keyof ClaimRecord & string, label: string): Field => {
    const reading = readAmount(claim, field);
    if (reading === null) return { label, value: notReported, isAmount: true };
    return {
      isAmount: true,
      label: `${label}${origins[reading.origin]}`,
      value: { text: formatTenThousandths(reading.amount) },
    };
  };
  const responsibility = amountOf('patient_responsibility', 'Patient responsibility');
  const { text } = responsibility.value;
  return {
    heading: 'Amounts from the carrier',
    kind: 'pairs',
    left: [
      amountOf('amount_billed', 'Billed'),
      amountOf('discount', 'Discount'),
      amountOf('amount_allowed', 'Allowed'),
      amountOf('amount_paid', 'Plan paid'),
      amountOf('amount_paid_other', 'Paid by other insurance'),
    ],
    right: [
      amountOf('reduction', 'Deductible'),
      amountOf('copayment', 'Copay'),
      amountOf('coinsurance_patient', 'Coinsurance'),
      amountOf('amount_not_covered', 'Not covered'),
      {
        ...responsibility,
        value: responsibility.value === notReported ? required('') : { text, tone: 'strong' },
      },
    ],
  };
}

function describeDecision({ review, lastOutcome }: StatementFacts): Section {
  const { outcome, reviewedAt, reviewedBy, receipt, cause, basis, rule } = review;
  const amount = (label: string, value: number | null, tone?: 'strong'): Field => ({
    label,
    value: { text: money(value), ...(tone && { tone }) },
    isAmount: true,
  });
  const fact = (label: string, text: string | null): Field => ({ label, value: plain(text) });
  const madeBy = [
    fact('Decided by', reviewedBy),
    ...(rule == null
      ? []
      : [
          fact(
            rule.how === 'done' ? 'Decided by rule' : 'Proposed by rule',
            `${rule.name} (version ${rule.version}, switched on ${writeTime(rule.since)} by ${rule.by})`,
          ),
        ]),
    fact('Decided', reviewedAt === null ? null : writeTime(reviewedAt)),
    ...(receipt === null ? [] : [fact('On data synced', writeTime(receipt.finishedAt))]),
    ...(cause === null ? [] : [fact('Declined because', cause)]),
  ];
  // A decision that a change of the record reopened no longer counts.
  const state =
    outcome === null
      ? lastOutcome === null
        ? 'Not decided'
        : 'To be decided again'
      : outcomeLabels[outcome];
  const decided: Field[] = [
    { label: 'Decision', value: { text: state, tone: 'strong' } },
    ...(outcome === null && lastOutcome !== null
      ? [fact('Decided before as', outcomeLabels[lastOutcome])]
      : []),
    ...(outcome === null && lastOutcome === null ? [] : madeBy),
  ];
  const { byRules, eligible, declined, disputed, reimbursed, writtenOff, open } = review;
  const excess = findExcess(review) ?? 0;
  return {
    heading: 'Decision of the plan administrator',
    kind: 'pairs',
    left: decided,
    right: [
      amount('Eligible by the rules', byRules),
      ...(outcome === null ? [] : [amount('Eligible as decided', eligible)]),
      ...(outcome === null || declined === 0 ? [] : [amount('Declined', declined)]),
      ...(outcome === null || disputed === 0 ? [] : [amount('Disputed', disputed)]),
      amount('Reimbursed', reimbursed),
      ...(writtenOff === 0 ? [] : [amount('Written off', writtenOff)]),
      ...(excess === 0 ? [] : [amount('Written off above what is owed', excess)]),
      amount('Open', open, 'strong'),
    ],
    ...(basis !== null && { note: `Eligible by the rules: ${sayEligible(basis, money)}` }),
  };
}

function sayValue(name: string, value: Cell): string {
  if (value === null) return 'blank';
  if (name === '$isMissing') return value === true ? 'no longer there' : 'there';
  const days = typeof value === 'string' ? readDays(value) : null;
  if (days !== null) return sayDays(days);
  if (claimKinds.get(name) === 'money') return writeDollars(value) ?? 'blank';
  return claimKinds.get(name) === 'date' ? writeDay(String(value)) : String(formatCode(name, value));
}

function listChanges({ review }: StatementFacts): Section[] {
  const { changedAt, changes } = review;
  if (changes.length === 0 && changedAt === null) return [];
  const said = changes.map(({ name, label, before, after, lines }) =>
    lines === undefined
      ? `${label}: ${sayValue(name, before)}, now ${sayValue(name, after)}.`
      : `${label} differ.`,
  );
  const introduction =
    changedAt === null
      ? 'The record has changed since the decision; the decision still counts:'
      : `The record has changed since the decision, found ${writeTime(changedAt)}. The decision does not count until the claim is reviewed again:`;
  return [
    { heading: 'Changed since the decision', kind: 'text', paragraphs: [[introduction, ...said].join(' ')] },
  ];
}

function listPayments({ payments }: ClaimReview): Section[] {
  if (payments.length === 0) return [];
  return [
    {
      heading: 'Payments recorded',
      kind: 'table',
      columns: [
        { label: 'Date', width: 66 },
        { label: 'Payment', width: 128 },
        { label: 'Account or reference', width: null },
        { label: 'Recorded by', width: 130 },
        { label: 'Amount', width: 66, isAmount: true },
      ],
      rows: payments.map(({ day, payment, amount, account, author }) => [
        { text: writeDay(day) },
        { text: paymentLabels[payment] },
        // The reason of a write-off is a note.
        { text: payment === 'writtenOff' ? '' : account },
        { text: author },
        { text: money(signOf(payment) < 0 ? -amount : amount) },
      ]),
    },
  ];
}

/** The documents by their hashes. Their names are left out, because they are private, like notes. */
function listDocuments({ documents }: ClaimReview): Section[] {
  if (documents.length === 0) return [];
  return [
    {
      heading: 'Documents',
      kind: 'text',
      paragraphs: documents.map(
        ({ document, bytes, day, author, sha256 }) =>
          `${documentLabels[document]}, ${formatBytes(bytes)}, attached ${writeDay(day)} by ${author}. SHA-256: ${sha256}`,
      ),
    },
  ];
}

function describeOrigin(facts: StatementFacts, { data }: StatementContext): Section {
  const { readAt, isReadAlone, digest } = facts;
  const read =
    readAt === null
      ? 'When this record was read is not known.'
      : `Read from the claims service ${writeTime(readAt)}.`;
  const alone = isReadAlone ? ' It was read again by itself, after the last sync of all claims.' : '';
  const { last } = data;
  return {
    heading: 'Where this comes from',
    kind: 'text',
    paragraphs: [
      `${read}${alone} ${describeProof(data)}.${last?.outcome === 'complete' ? ` ${last.coverage}` : ''}`,
      `Fingerprint of the record: ${digest}.${last === null ? '' : ` Fingerprint of the sync: ${last.digest}.`}`,
      'An expense is substantiated by information from a third party that is independent of the employee and their family: a description of the service, its date, and the amount. Every expense needs it: a sample, an amount below a limit, or the employee’s own statement does not substantiate (Prop. Treas. Reg. §1.125-6(b)). The employee’s certification that no other plan paid or will pay this expense is not part of this statement.',
    ],
  };
}

/** The text of a statement. Private notes, and reasons that may contain them, are left out, and so is the diagnosis. */
export function writeStatement(facts: StatementFacts, context: StatementContext): ClaimStatement {
  const { workspace, at, by } = context;
  return {
    claim: `Claim ${facts.claim.id}`,
    subtitle: [workspace, `made ${writeTime(at)}`, by !== null && `by ${by}`].filter(Boolean).join(' · '),
    verdict: findVerdict(facts),
    sections: [
      describeExpense(facts),
      listService(facts),
      listAmounts(facts),
      describeDecision(facts),
      ...listChanges(facts),
      ...listPayments(facts.review),
      ...listDocuments(facts.review),
      describeOrigin(facts, context),
    ],
  };
}
