import type { ReviewFact } from './review.ts';

type Kind = ReviewFact['kind'];

/** What an event of a kind is about, as far as other events and the store need to know it. */
interface FactTrait {
  /** A computer of a team, or its settings, and no claim: kept when the claims of others are removed. */
  readonly isOfTeam?: true;
  /** It matters whether it is of the team, and whether its author had seen those of others. */
  readonly isPlaced?: true;
  /** It makes or changes a reimbursement run. */
  readonly isOfRun?: true;
  /**
   * How a checkpoint of a team's log keeps events of one claim: `each`, or only the `newest`. A claim that has an event of a
   * kind without this keeps all of its events, because what that one does depends on those before it.
   */
  readonly inCheckpoint?: 'each' | 'newest';
}

/** Every kind of event; a new one does not compile without. */
const factTraits = {
  decision: { isPlaced: true, inCheckpoint: 'each' },
  payment: { isPlaced: true, isOfRun: true, inCheckpoint: 'each' },
  accept: { isPlaced: true },
  check: { isPlaced: true },
  note: { inCheckpoint: 'each' },
  editNote: { inCheckpoint: 'each' },
  deleteNote: { inCheckpoint: 'each' },
  tag: { inCheckpoint: 'each' },
  flag: { inCheckpoint: 'newest' },
  owner: { inCheckpoint: 'newest' },
  reminder: { inCheckpoint: 'newest' },
  judgeDuplicate: { isPlaced: true },
  settlePayments: { isPlaced: true },
  deal: { inCheckpoint: 'newest' },
  run: { isOfRun: true, inCheckpoint: 'each' },
  runChecked: { isOfRun: true, inCheckpoint: 'each' },
  runSent: { isOfRun: true, inCheckpoint: 'each' },
  runLeft: { isOfRun: true, inCheckpoint: 'each' },
  undo: {},
  reopened: { inCheckpoint: 'each' },
  missing: { inCheckpoint: 'each' },
  teamSettings: { isOfTeam: true },
  computer: { isOfTeam: true },
  wentBack: { isOfTeam: true },
} as const satisfies Readonly<Record<Kind, FactTrait>>;

const kindsWith = (trait: keyof FactTrait): readonly string[] =>
  Object.entries<FactTrait>(factTraits).flatMap(([kind, traits]) => (traits[trait] ? [kind] : []));

export const teamFactKinds = kindsWith('isOfTeam');
export const placedKinds = kindsWith('isPlaced');
export const runFactKinds = kindsWith('isOfRun');

/** How a checkpoint keeps events of this kind; undefined: with all others of the claim, as events of a newer version. */
export const keptInCheckpoint = (kind: string): 'each' | 'newest' | undefined =>
  (factTraits as Readonly<Record<string, FactTrait | undefined>>)[kind]?.inCheckpoint;

/** The author of reopenings by version 0.2; later ones are by whose computer found the change. */
export const appAuthor = 'Claimdesk';

/** Kinds as a list of SQL. */
export const kindsSql = (kinds: readonly string[]): string => kinds.map((kind) => `'${kind}'`).join(', ');
