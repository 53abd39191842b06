import { createClaimTags, splitTags } from '../../../team-protocol/claim-tags.ts';
import { headerOf } from '../../../team-protocol/entry.ts';
import { readNumbered } from '../../../team-protocol/frame.ts';
import { type RemovalStatement, readRemoval } from '../../../team-protocol/removal.ts';
import { isRemovedByValues, type RemovedForTeam } from '../review/removed-reviews.ts';
import { addRemoval, hasRules, type LeavingRules, noRules } from '../store/sync/retention.ts';
import type { KeptRemoval } from '../store/user-data/team-removals.ts';

/** A removal in the team's log, or the acknowledgement of several. */
export interface KnownRemoval extends KeptRemoval {
  readonly computer: string;
  readonly at: string;
  /** The statement of a removal. */
  readonly says: RemovalStatement | null;
  /** The events whose content it removed. */
  readonly removedIds: readonly string[];
  /** The removals that its author's computer has carried out. */
  readonly done: readonly string[];
}

/** All removals of the team that this computer has read. */
export interface TeamRemovals {
  readonly all: readonly KnownRemoval[];
  /** Events whose content is no longer in the log. */
  readonly removedIds: ReadonlySet<string>;
  readonly tags: ReadonlySet<string>;
  readonly rules: LeavingRules;
}

function describe(kept: KeptRemoval): KnownRemoval | null {
  const [entry] = readNumbered(kept.frame) ?? [];
  const header = entry === undefined ? null : headerOf(entry);
  const act = entry === undefined || header === null ? null : readRemoval(header, entry.head);
  if (header === null || act === null) return null;
  const says = kept.statement === null ? null : (JSON.parse(kept.statement) as RemovalStatement);
  return {
    ...kept,
    ...{ computer: header.computer, at: header.at, says },
    removedIds: act.act === 'remove' ? act.entries : [],
    done: act.act === 'done' ? act.removals : [],
  };
}

export function describeRemovals(kept: readonly KeptRemoval[], removedIds: Iterable<string>): TeamRemovals {
  const all = kept.map(describe).filter((removal) => removal !== null);
  const said = all.flatMap(({ says }) => (says === null ? [] : [says]));
  return {
    all,
    removedIds: new Set([...removedIds, ...all.flatMap((removal) => removal.removedIds)]),
    tags: new Set(said.flatMap(({ tags }) => splitTags(tags))),
    rules: said.reduce((rules, { rule }) => addRemoval(rules, rule), noRules),
  };
}

/** Which claims were removed for the team: by their tags, and by the values that were stored with their reviews. */
export function findRemovedBy(
  { tags, rules }: Pick<TeamRemovals, 'tags' | 'rules'>,
  team: string,
  keys: ReadonlyMap<number, Uint8Array>,
): RemovedForTeam {
  const firstKey = keys.get(1);
  if (firstKey === undefined || (tags.size === 0 && !hasRules(rules))) return () => false;
  const tagOf = createClaimTags(firstKey, team);
  const tagged = new Map<number, boolean>();
  const isTagged = (claimId: number): boolean => {
    const hasTag = tagged.get(claimId) ?? tags.has(tagOf(claimId));
    tagged.set(claimId, hasTag);
    return hasTag;
  };
  return ([claimId, reviewed]) =>
    rules.isEverything || isTagged(claimId) || (reviewed !== null && isRemovedByValues(rules, reviewed));
}
