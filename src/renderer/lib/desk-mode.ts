import { procedureNames } from '../../contract/answered-by.ts';
import type { DeskBridge } from '../../contract/bridge.ts';
import { errorTable } from '../../contract/error-codes.ts';
import { type ExportSource, isOfPages } from '../../contract/export.ts';
import { exportColumnsOf } from '../../contract/export-columns.ts';
import type { Input, Output, ProcedureName } from '../../contract/procedures.ts';
import type { Result } from '../../contract/result.ts';
import type { ComparedField } from '../../rules/review/duplicates.ts';
import { findAct, type ReviewAct } from '../../rules/review/event-kinds.ts';
import type { ListedFact, ReviewEvent } from '../../rules/review/review.ts';
import type { ReviewedChange } from '../../rules/review/reviewed-values.ts';
import { layoutFields } from '../../rules/review/run-layout.ts';
import { createWordMasks, deskMask, isMaskedAtDesk, maskForDesk } from './desk-mask.ts';

type Ask = (input: never) => Promise<Result<unknown>>;

const refused: Result<never> = {
  ok: false,
  error: errorTable['desk.masked'],
};

/** Whether an act changes a text that is masked. */
function overwritesText({ kind }: Pick<ReviewAct, 'kind'>): boolean {
  const act = findAct(kind);
  return act?.target !== undefined && act.texts !== undefined;
}

/** Procedures refused in desk mode: their answer would contain, or overwrite, what is masked. */
function isRefused(name: ProcedureName, input: unknown): boolean {
  switch (name) {
    case 'records:revealSsn':
    case 'documents:read':
    case 'documents:auditPrinted':
    case 'documents:save':
      return true;
    case 'records:group':
      return isMaskedAtDesk((input as Input<'records:group'>).by);
    case 'records:listValues':
      return isMaskedAtDesk((input as Input<'records:listValues'>).field);
    case 'records:copy':
      return (input as Input<'records:copy'>).fields.every(isMaskedAtDesk);
    case 'export:start':
      return isExportRefused(input as Input<'export:start'>);
    case 'reviews:act':
      return overwritesText((input as Input<'reviews:act'>).act);
    default:
      return false;
  }
}

/** Groups by these IDs have the names of people as labels. */
const namedById = ['members.id', '$member_id', 'policy_holder.id'];
/** Files whose columns can be left out. */
const tables: readonly ExportSource['kind'][] = ['list', 'claimLines', 'payments', 'changes'];

/** Whether an export is refused; changes of a sync can contain any field, and what has no columns any text of a claim. */
function isExportRefused({ source, columns }: Input<'export:start'>): boolean {
  if (isOfPages(source) || columns === undefined) return true;
  if (source.kind === 'groups' && isMaskedAtDesk(source.by)) return true;
  if (!tables.includes(source.kind))
    return exportColumnsOf(source).some(({ identifies }) => identifies === true);
  const isHidden = (path: string): boolean =>
    source.kind === 'changes' ? path === 'before' || path === 'after' : isMaskedAtDesk(path);
  return columns.some(isHidden);
}

/** Removes masked columns from a request to copy; refused calls do not get here. */
function withoutMasked(name: ProcedureName, input: unknown): unknown {
  if (name !== 'records:copy') return input;
  const copy = input as Input<'records:copy'>;
  return { ...copy, fields: copy.fields.filter((path) => !isMaskedAtDesk(path)) };
}

type Hide = (name: string) => string;

/** Answers in which every field with a masked name is masked. */
const maskedDomains = /^(records|worklists|connect|accumulators|runs):/;
function maskAnswer(name: ProcedureName, input: unknown, value: unknown, hide: Hide): unknown {
  // The form is a JSON schema, whose properties have such names.
  if (name === 'connect:getPayer') return { ...(value as Output<'connect:getPayer'>), known: {} };
  if (name === 'connect:planMember') {
    const plan = value as Output<'connect:planMember'>;
    const memberName = hide(plan.memberName);
    return { ...plan, memberName, sentence: plan.sentence.replaceAll(plan.memberName, memberName) };
  }
  if (name === 'records:group' && namedById.includes((input as Input<'records:group'>).by)) {
    const answer = value as Output<'records:group'>;
    return {
      ...answer,
      groups: answer.groups.map((group) => ({ ...group, label: group.label && hide(group.label) })),
    };
  }
  if (name === 'runs:preview')
    return maskRows(input as Input<'runs:preview'>, value as Output<'runs:preview'>);
  if (name === 'rules:explain') {
    const { proposal, decided } = value as Output<'rules:explain'>;
    return { proposal: maskExplained(proposal), decided: maskExplained(decided) };
  }
  if (name === 'rules:list') {
    const { rules } = value as Output<'rules:list'>;
    return { rules: rules.map((standing) => ({ ...standing, rule: maskRule(standing.rule, hide) })) };
  }
  if (name === 'rules:save') return maskRule(value as Output<'rules:save'>, hide);
  if (name === 'duplicates:of') {
    const answer = value as Output<'duplicates:of'>;
    return {
      ...answer,
      pairs: answer.pairs.map((pair) => ({ ...pair, fields: pair.fields.map(maskCompared) })),
    };
  }
  if (maskedDomains.test(name)) return maskForDesk(value, hide);
  if (name === 'reviews:get') return maskReview(value as Output<'reviews:get'>, hide);
  if (name === 'reviews:listPapers') {
    const answer = value as Output<'reviews:listPapers'>;
    const papers = answer.papers.map((paper) => ({ ...paper, name: maskText(paper.name) }));
    return maskForDesk({ ...answer, papers }, hide);
  }
  if (name === 'reviews:listEvents') {
    const answer = value as Output<'reviews:listEvents'>;
    return { ...answer, events: answer.events.map(maskReviewEvent) };
  }
  if (name === 'reviews:getUndo') {
    const { event } = value as Output<'reviews:getUndo'>;
    return { event: event && maskReviewEvent(event) };
  }
  if (name === 'sync:listChanges') {
    const answer = value as Output<'sync:listChanges'>;
    const changes = answer.changes.map((change) => ({ ...change, fields: change.fields.map(maskField) }));
    return { ...answer, changes };
  }
  return value;
}

type ChangedField = Output<'sync:listChanges'>['changes'][number]['fields'][number];

/** A value that is an object or a list, which may have any field in it, is masked whole. */
function maskField(field: ChangedField): ChangedField {
  const { path, before, after } = field;
  const isNested = [before, after].some((text) => text !== null && /^[[{]/.test(text));
  return isNested || isMaskedAtDesk(path) ? { ...field, before: deskMask, after: deskMask } : field;
}

const maskRows = (
  { layout }: Input<'runs:preview'>,
  answer: Output<'runs:preview'>,
): Output<'runs:preview'> => ({
  ...answer,
  first: answer.first.map((cells) =>
    cells.map((cell, at) => {
      const column = layout.columns[at];
      return column !== undefined && 'identifies' in layoutFields[column.field] ? deskMask : cell;
    }),
  ),
});

type Rule = Output<'rules:save'>;
/** A rule is saved again from what its form has, so that its texts are masked word by word. */
const maskRule = (rule: Rule, hide: Hide): Rule => ({
  ...rule,
  act:
    'reason' in rule.act && rule.act.reason !== null
      ? { ...rule.act, reason: hide(rule.act.reason) }
      : rule.act,
  conditions: rule.conditions.map((condition) =>
    isMaskedAtDesk(condition.field)
      ? {
          ...condition,
          values: condition.values.map((text) => (typeof text === 'string' ? hide(text) : text)),
        }
      : condition,
  ),
});

type Explained = Output<'rules:explain'>['decided'];
const maskExplained = (explained: Explained): Explained =>
  explained && {
    ...explained,
    conditions: explained.conditions.map(({ condition, value }) =>
      isMaskedAtDesk(condition.field)
        ? {
            condition: { ...condition, values: condition.values.map(() => deskMask) },
            value: maskCell(value),
          }
        : { condition, value },
    ),
  };

const maskCompared = (compared: ComparedField): ComparedField =>
  isMaskedAtDesk(compared.field)
    ? { ...compared, left: maskCell(compared.left), right: maskCell(compared.right) }
    : compared;

const maskText = (text: string | null): string | null => (text === null ? null : deskMask);

function maskReviewChange(change: ReviewedChange): ReviewedChange {
  const masked =
    isMaskedAtDesk(change.name) || change.name === 'members'
      ? { ...change, before: maskCell(change.before), after: maskCell(change.after) }
      : change;
  if (change.lines === undefined) return masked;
  const { before, after } = change.lines;
  return { ...masked, lines: maskForDesk({ before, after }) as typeof change.lines };
}

const maskCell = (cell: ReviewedChange['before']): ReviewedChange['before'] =>
  cell === null ? null : deskMask;

/** Texts that are compared or sent again are masked word by word: a call has them as they were written. */
function maskReview(review: Output<'reviews:get'>, hide: Hide): Output<'reviews:get'> {
  const hideReason = <T extends { reason: string | null }>(answer: T): T => ({
    ...answer,
    reason: answer.reason && hide(answer.reason),
  });
  return {
    ...review,
    reason: maskText(review.reason),
    notes: review.notes.map((note) => ({ ...note, text: deskMask })),
    appeals: review.appeals.map((appeal) => ({
      ...hideReason(appeal),
      answered: appeal.answered && hideReason(appeal.answered),
    })),
    letters: review.letters.map(({ said, ...letter }) => ({
      ...letter,
      said: said.appeal === undefined ? said : { ...said, appeal: hideReason(said.appeal) },
    })),
    decidedTwice: review.decidedTwice.map((made) => ({ ...made, decision: hideReason(made.decision) })),
    runs: review.runs.map((run) => (run.state === 'left' ? hideReason(run) : run)),
    documents: review.documents.map((document) => ({ ...document, name: deskMask })),
    changes: review.changes.map(maskReviewChange),
  };
}

function maskReviewEvent(event: ReviewEvent): ReviewEvent {
  const { fact, changes } = event;
  const texts = findAct(fact.kind)?.texts ?? [];
  const values = Object.entries(fact).map(([name, value]) =>
    (texts as readonly string[]).includes(name) ? [name, maskText(value as string | null)] : [name, value],
  );
  const masked = Object.fromEntries(values) as ListedFact;
  return { ...event, fact: masked, changes: changes?.map(maskReviewChange) ?? null };
}

interface DeskMode {
  /** The same bridge; in desk mode its answers have no masked value, so that no screen can show one, and calls may have masked names. */
  readonly bridge: DeskBridge;
  readonly isOn: () => boolean;
  /** Called before the answer that switched the mode is returned. */
  readonly onChange: (listener: () => void) => void;
}

/** Wraps the backend for the window, and follows the setting in its answers. */
export function createDeskMode(backend: DeskBridge): DeskMode {
  let isOn = false;
  const { hide, restore } = createWordMasks();
  const listeners = new Set<() => void>();
  const follow = (settings: { isDeskMode: boolean }): void => {
    if (settings.isDeskMode === isOn) return;
    isOn = settings.isDeskMode;
    for (const listener of listeners) listener();
  };
  const wrap = (name: ProcedureName) => async (shown: unknown) => {
    const ask = backend.call[name] as unknown as Ask;
    const input = restore(shown);
    if (isOn && isRefused(name, input)) return refused;
    const result = await ask((isOn ? withoutMasked(name, input) : input) as never);
    if (!result.ok) return result;
    if (name === 'settings:get' || name === 'settings:set') follow(result.value as { isDeskMode: boolean });
    return isOn ? { ok: true, value: maskAnswer(name, input, result.value, hide) } : result;
  };
  return {
    bridge: {
      shell: backend.shell,
      call: Object.fromEntries(
        procedureNames.map((name) => [name, wrap(name)]),
      ) as unknown as DeskBridge['call'],
      subscribe: backend.subscribe,
    },
    isOn: () => isOn,
    onChange: (listener) => void listeners.add(listener),
  };
}
