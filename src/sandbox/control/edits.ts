import { isHostile } from '../data/corpus.ts';
import { claimId, claimIndex, memberId, memberIndex } from '../data/ids.ts';
import { hash32, RandomStream } from '../data/random.ts';
import type { World } from '../data/world.ts';
import { ApiError } from '../http/api-error.ts';
import type { Claim, ClaimMedicalLine } from '../schemas/claim.ts';
import type { Edit } from './edit-schema.ts';

type AppliedEdit = { readonly op: Edit['op']; readonly ids: readonly number[] };

type ListName = 'claims' | 'members';

/**
 * Applies edits in order and returns which records each one changed. Each edit has its own instant on the data's clock,
 * so `modifieddate` always changes.
 *
 * @throws ApiError 422 when an edit's row does not exist; edits before it stay applied
 */
export const applyEdits = (world: World, edits: readonly Edit[]): AppliedEdit[] =>
  edits.map((edit) => {
    world.clock.tickEdit();
    world.version += 1;
    return { op: edit.op, ids: applyEdit(world, edit) };
  });

function applyEdit(world: World, edit: Edit): number[] {
  switch (edit.op) {
    case 'advance-days':
      world.advanceDays(edit.days);
      return [];
    case 'insert':
      return insert(world, edit.list, edit.count, edit.at);
    case 'delete': {
      const at = positionOf(world, edit);
      return [idOf(edit.list, world[edit.list].removeAt(at))];
    }
    case 'change': {
      const index = world[edit.list].slice(positionOf(world, edit), 1)[0] as number;
      change(world, edit.list, index, edit.material, edit.set);
      return [idOf(edit.list, index)];
    }
    case 'move':
      checkPosition(world, edit.list, edit.from);
      world[edit.list].move(edit.from, edit.to);
      return [];
    case 'swap':
      checkPosition(world, edit.list, Math.max(edit.a, edit.b));
      world[edit.list].swap(edit.a, edit.b);
      return [];
    default:
      return churn(world, edit.list, edit.count, edit.seed);
  }
}

function insert(world: World, list: ListName, count: number, at: number | 'start' | 'end'): number[] {
  const ids: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const position = at === 'end' ? world[list].length : at === 'start' ? 0 : at + n;
    ids.push(idOf(list, list === 'claims' ? world.insertClaim(position) : world.insertMember(position)));
  }
  return ids;
}

function change(
  world: World,
  list: ListName,
  index: number,
  isMaterial: boolean,
  set: Readonly<Record<string, unknown>> | undefined,
): void {
  const atMs = world.clock.dataNowMs();
  if (list === 'members') {
    const changes = set ?? { address: `${atMs % 9999} Changed St, Boston, MA 02101` };
    world.editMember(index, { changes, atMs, isMaterial });
    return;
  }
  const made = isMaterial ? shiftedAmounts(world, index) : { remarks: `Note ${atMs}` };
  world.editClaim(index, { changes: set ?? made, atMs, isMaterial });
}

/**
 * Shifts an amount from the plan's part to the patient's part; their sum, the allowed amount, stays the same. One cent;
 * in the ordinary corpus, dollars that the patient then owes as coinsurance.
 */
function shiftedAmounts(world: World, index: number): Record<string, unknown> {
  const claim = world.claimAt(index);
  if (!isHostile()) return adjustedAmounts(claim, hash32(world.options.seed, index, world.clock.days));
  const patient = cents(claim.patient_responsibility ?? claim.computed_patient_responsibility ?? 0) + 1;
  const paid = cents(claim.amount_paid ?? claim.computed_amount_paid ?? 0) - 1;
  return {
    status: 'Adjusted',
    patient_responsibility: patient / 100,
    computed_patient_responsibility: patient / 100,
    amount_paid: paid / 100,
    computed_amount_paid: paid / 100,
  };
}

const cents = (dollars: number): number => Math.round(dollars * 100);

/** A claim as its carrier adjusts it: $5 to $95, at most what the plan paid for the first line, becomes coinsurance. */
function adjustedAmounts(claim: Claim, roll: number): Record<string, unknown> {
  const [first, ...others] = claim.claim_medical_lines ?? [];
  const most = cents(first?.amount_paid ?? claim.amount_paid ?? 0);
  const moved = Math.min(most, 500 + (roll % 9001));
  const plus = (dollars: number | null | undefined, change: number): number =>
    (cents(dollars ?? 0) + change) / 100;
  const adjust = <T extends Claim | ClaimMedicalLine>(record: T) => ({
    amount_paid: plus(record.amount_paid, -moved),
    coinsurance_patient: plus(record.coinsurance_patient, moved),
    patient_responsibility: plus(record.patient_responsibility, moved),
  });
  const changes = adjust(claim);
  return {
    status: 'Adjusted',
    ...changes,
    computed_amount_paid: changes.amount_paid,
    computed_coinsurance_patient: changes.coinsurance_patient,
    computed_patient_responsibility: changes.patient_responsibility,
    ...(first === undefined
      ? {}
      : {
          claim_medical_lines: [
            {
              ...first,
              ...adjust(first),
              total_patient_responsibility: plus(first.total_patient_responsibility, moved),
            },
            ...others,
          ],
        }),
  };
}

/** A mixture of all other edits, the same for the same seed and data. */
function churn(world: World, list: ListName, count: number, seed: number): number[] {
  const r = new RandomStream(hash32(seed, count, 1201));
  const ids: number[] = [];
  for (let n = 0; n < count; n += 1) {
    world.clock.tickEdit();
    const { length } = world[list];
    const at = r.below(Math.max(1, length));
    const roll = r.below(10);
    if (length === 0 || roll < 3) ids.push(...insert(world, list, 1, at));
    else if (roll < 5) ids.push(idOf(list, world[list].removeAt(at)));
    else if (roll < 8) {
      const index = world[list].slice(at, 1)[0] as number;
      change(world, list, index, roll !== 7, undefined);
      ids.push(idOf(list, index));
    } else if (roll === 8) world[list].move(at, r.below(length));
    else world[list].swap(at, r.below(length));
  }
  return ids;
}

const idOf = (list: ListName, index: number): number =>
  list === 'claims' ? claimId(index) : memberId(index);

function positionOf(
  world: World,
  edit: { readonly list: ListName; readonly id?: number | undefined; readonly position?: number | undefined },
): number {
  if (edit.position !== undefined) {
    checkPosition(world, edit.list, edit.position);
    return edit.position;
  }
  if (edit.id === undefined) throw new ApiError(422, 'Name the row by id or by position');
  const index = edit.list === 'claims' ? claimIndex(edit.id) : memberIndex(edit.id);
  const at = index === -1 ? -1 : world[edit.list].positionOf(index);
  if (at === -1) throw new ApiError(422, `There is no row ${edit.id} in the list of ${edit.list}`);
  return at;
}

function checkPosition(world: World, list: ListName, position: number): void {
  if (position >= world[list].length) throw new ApiError(422, `There is no position ${position} in ${list}`);
}
