import type { ChainClaim, JudgedRelation } from './chain-claim.ts';
import { findLinks, type Link } from './chain-links.ts';

/**
 * The roles of a claim in its chain: an original, its reversals and its corrections. The first match counts. `unclear`:
 * the user must answer how the claims relate. `reversal`, `takenBack`: neither counts. `replaced`: by a correction that
 * the carrier has processed. `awaitsCorrection`, `correctionRejected`: its correction is in process, or was rejected.
 * `inProcess`, `rejected`: it is that correction. `missing`: no longer in the service, without an answer yet;
 * `missingOwed`, `archived`: answered. `addsTo`: it adds to another.
 */
export const chainRoles = [
  'unclear',
  'reversal',
  'takenBack',
  'replaced',
  'awaitsCorrection',
  'correctionRejected',
  'inProcess',
  'rejected',
  'missing',
  'missingOwed',
  'archived',
  'addsTo',
  'standing',
] as const;
export type ChainRole = (typeof chainRoles)[number];

/** The position of a claim in its chain; `chain` is the smallest ID of its claims. */
export interface ChainPosition {
  readonly chain: number;
  readonly role: ChainRole;
  /** The claim that replaces, reverses or corrects it, or that it reverses or adds to; null: none. */
  readonly by: number | null;
}

/** Roles of claims that count separately; a chain has at most one such claim. */
const standingRoles: ReadonlySet<ChainRole> = new Set([
  'standing',
  'awaitsCorrection',
  'correctionRejected',
  'missing',
  'missingOwed',
  'archived',
]);
export const isStanding = (role: ChainRole): boolean => standingRoles.has(role);

/** Whether a claim counts in meters and in the eligible amount of its chain. */
export const doesCount = (role: ChainRole): boolean =>
  (isStanding(role) && role !== 'missingOwed') || role === 'addsTo';

/** Returns whether a claim may be in lists of claims to decide or to pay. */
export const isPayable = (role: ChainRole): boolean =>
  role === 'standing' || role === 'correctionRejected' || role === 'awaitsCorrection';

/** Returns whether a claim can be worked on: it does not only wait for an answer about its chain. */
export const mayBeWorkedOn = (role: ChainRole): boolean =>
  isPayable(role) || role === 'inProcess' || role === 'rejected' || role === 'addsTo' || role === 'archived';

/** Joins claims into groups, and finds the group of a claim. */
function createUnion(ids: Iterable<number>) {
  const parent = new Map([...ids].map((id) => [id, id]));
  const find = (id: number): number => {
    let at = id;
    while (parent.get(at) !== at) {
      const up = parent.get(at) as number;
      parent.set(at, parent.get(up) as number);
      at = up;
    }
    return at;
  };
  return {
    find,
    join: (a: number, b: number): void => {
      const [root, other] = [find(a), find(b)].sort((x, y) => x - y) as [number, number];
      parent.set(other, root);
    },
  };
}

const missingRoles = { none: 'missing', owedBack: 'missingOwed', keep: 'archived' } as const;

/** Returns the role of a claim from its links alone, before its whole chain is considered. */
function roleOf(claim: ChainClaim, links: readonly Link[]): Omit<ChainPosition, 'chain'> {
  const from = (kind: Link['kind']): Link | undefined =>
    links.find((link) => link.kind === kind && link.from === claim.id);
  const linkTo = (kind: Link['kind']): Link | undefined =>
    links.find((link) => link.kind === kind && link.to === claim.id);
  const reversed = from('takesBack');
  if (reversed !== undefined) return { role: 'reversal', by: reversed.to };
  const takenBack = linkTo('takesBack');
  if (takenBack !== undefined) return { role: 'takenBack', by: takenBack.from };
  const replaced = linkTo('replaces');
  if (replaced !== undefined) return { role: 'replaced', by: replaced.from };
  for (const kind of ['inProcess', 'rejected'] as const) {
    const corrected = from(kind);
    if (corrected !== undefined) return { role: kind, by: corrected.to };
  }
  if (claim.isMissing) return { role: missingRoles[claim.missingAnswer ?? 'none'], by: null };
  const awaited = linkTo('inProcess');
  if (awaited !== undefined) return { role: 'awaitsCorrection', by: awaited.from };
  const added = from('addsTo');
  if (added !== undefined) return { role: 'addsTo', by: added.to };
  const rejected = linkTo('rejected');
  if (rejected !== undefined) return { role: 'correctionRejected', by: rejected.from };
  return { role: 'standing', by: null };
}

/**
 * Returns the positions of claims that belong to a chain with others or are no longer in the service. The same claims
 * and decisions give the same positions in any order. The work grows with the number of claims, not of pairs;
 * `compared` counts the compared pairs.
 */
export function resolveChains(
  claims: readonly ChainClaim[],
  judged: readonly JudgedRelation[],
): { readonly places: Map<number, ChainPosition>; readonly compared: number } {
  const { links, compared } = findLinks(claims, judged);
  const ofClaim = new Map<number, Link[]>(claims.map(({ id }) => [id, []]));
  const union = createUnion(ofClaim.keys());
  for (const link of links) {
    ofClaim.get(link.from)?.push(link);
    ofClaim.get(link.to)?.push(link);
    if (!link.isApart) union.join(link.from, link.to);
  }
  const chains = Map.groupBy(claims, ({ id }) => union.find(id));
  const places = new Map<number, ChainPosition>();
  for (const [chain, members] of chains) {
    const roles = members.map((claim) => roleOf(claim, ofClaim.get(claim.id) ?? []));
    const stand = roles.filter(({ role }) => isStanding(role)).length;
    const isUnclear =
      stand > 1 || members.some(({ id }) => ofClaim.get(id)?.some(({ kind }) => kind === 'unclear'));
    for (const [at, { id }] of members.entries()) {
      const { role, by } = roles[at] as Omit<ChainPosition, 'chain'>;
      if (members.length === 1 && role === 'standing') continue;
      const other = ofClaim.get(id)?.find(({ kind }) => kind === 'unclear');
      const unclearWith = other === undefined ? by : other.from === id ? other.to : other.from;
      places.set(id, isUnclear ? { chain, role: 'unclear', by: unclearWith } : { chain, role, by });
    }
  }
  return { places, compared };
}
