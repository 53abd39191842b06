import type { ReactNode } from 'react';
import { formatTenThousandths } from '../../../rules/money/format-amount.ts';
import { type FamilyMeter, mayRemainLess, type Standing } from '../../../rules/plans/accumulators.ts';
import { mainDeductible } from '../../../rules/plans/explain-deductible.ts';
import { mainOutOfPocket, nameFamily, sayFamily } from '../../../rules/plans/say-family.ts';
import { ProgressBar } from '../../components/progress-bar.tsx';
import styles from './family-card.module.css';
import { meterLabels, networkLabels, sayPayer } from './meter-labels.ts';

type Meter = Pick<FamilyMeter['meters'][number], 'family' | 'persons'>;

/** "$1,400.00 of $3,000.00". */
const sayUsed = ({ used, isAtLeast, limit }: Standing): string =>
  `${isAtLeast ? 'at least ' : ''}${formatTenThousandths(used)}${limit === null ? '' : ` of ${formatTenThousandths(limit)}`}`;

/** "$300.00 left", or `met` if nothing is left; null if there is no limit. */
function sayLeft(standing: Standing, family: Standing, met: string): string | null {
  const { remaining } = standing;
  if (remaining === null) return null;
  if (remaining === 0) return met;
  return `${mayRemainLess(standing, family) ? 'at most ' : ''}${formatTenThousandths(remaining)} left`;
}

const withinSentence = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/**
 * The progress of a family in a plan year: one sentence to read aloud, the deductible and the out-of-pocket maximum
 * with a line for each person, and the account. Further limits are in the tables below it.
 */
export function FamilyCard({ family }: { family: FamilyMeter }) {
  const { account, persons } = family;
  const names = nameFamily(persons).map((name) => name ?? 'Patient not known');
  const main = [mainDeductible(family), mainOutOfPocket(family)].filter((meter) => meter !== null);
  const sentence = sayFamily(family, formatTenThousandths);
  return (
    <div className={styles.card}>
      {sentence !== null && <p className={styles.sentence}>{sentence}</p>}
      <div className={styles.meters}>
        {main.map((meter) => (
          <MeterBlock
            key={meter.meter}
            label={`${meterLabels[meter.meter]}${networkLabels[meter.network]}`}
            meter={meter}
            names={names}
            isFamily={family.isFamily}
          />
        ))}
        {account !== null && (
          <MeterBlock
            label="Paid by the account"
            metText="Used up"
            meter={account}
            names={names}
            isFamily={family.isFamily}
            // The sentence has it where it is about the account.
            hasNext={family.meters.length > 0}
            nextOf={(at) => sayPayer(persons[at]?.accountPays ?? null)}
          >
            <Layers account={account} isFamily={family.isFamily} />
          </MeterBlock>
        )}
      </div>
    </div>
  );
}

/** One limit: its name, what is used of it, a bar, and a line for each person. `nextOf`: what follows for one of them. */
function MeterBlock(props: {
  label: string;
  meter: Meter;
  names: readonly string[];
  isFamily: boolean;
  nextOf?: (at: number) => string;
  /** The consequence for all of them is shown. */
  hasNext?: boolean;
  /** The text where nothing is left. */
  metText?: string;
  children?: ReactNode;
}) {
  const { label, meter, names, isFamily, nextOf, metText = 'Met' } = props;
  const { family, persons } = meter;
  const { limit, used } = family;
  const nexts = persons.map((_standing, at) => nextOf?.(at) ?? '');
  const shared = new Set(nexts).size === 1 ? (nexts[0] ?? '') : '';
  return (
    <section className={styles.meter} aria-label={label}>
      <h3 className={styles.label}>
        {label} <b>{sayUsed(family)}</b>
      </h3>
      {limit !== null && limit > 0 && (
        <ProgressBar
          label={`${label}, whole family`}
          text={sayUsed(family)}
          share={Math.min(1, Math.max(0, used / limit))}
          size={8}
        />
      )}
      {props.children}
      {shared !== '' && props.hasNext && <p className={styles.next}>Next: {withinSentence(shared)}</p>}
      <ul className={styles.persons}>
        {persons.map((standing, at) => {
          const left = sayLeft(standing, family, metText);
          const next = shared === '' ? nexts[at] : '';
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: each key is the person's place in the family
            <li key={at}>
              <span>{names[at]}</span>
              <span className={styles.used}>
                {isFamily ? sayUsed(standing) : ''}
                {isFamily && left !== null && ' · '}
                {left !== null && <b data-met={left === metText || undefined}>{left}</b>}
              </span>
              {next !== '' && <small>Next: {withinSentence(next ?? '')}</small>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/**
 * The filled share of each layer, after `used` was paid by the account. A layer of the member is passed once a later one
 * is used; one without an end shows only that it began.
 */
export function fillLayers(
  layers: NonNullable<FamilyMeter['account']>['layers'],
  used: number,
): readonly number[] {
  let left = used;
  return layers.map(({ payer, amount }) => {
    if (left <= 0 || amount === 0) return 0;
    if (payer === 'member') return 1;
    const share = amount === null ? 0.1 : Math.min(1, left / amount);
    left -= amount ?? left;
    return share;
  });
}

/** Who pays in which layer, as parts of a bar that is filled by what is used; the last one has no end. */
function Layers({ account, isFamily }: { account: NonNullable<FamilyMeter['account']>; isFamily: boolean }) {
  const { layers, per } = account;
  if (layers.length === 0) return null;
  const largest = Math.max(1, ...layers.map(({ amount }) => amount ?? 0));
  // What the whole family used fills no layer that each person has.
  const shares = fillLayers(layers, isFamily && per === 'person' ? 0 : account.family.used);
  const whose = !isFamily ? '' : per === 'person' ? ' for each person' : ' for the whole family';
  return (
    <ol className={styles.layers} aria-label={`Layers of the account${whose}`}>
      {layers.map(({ payer, amount }, at) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of layers is fixed
          key={at}
          data-payer={payer}
          style={{
            flexGrow: amount === null ? 1 : Math.max(0.5, (2 * amount) / largest),
            backgroundSize: `${100 * (shares[at] ?? 0)}% 8px, 100% 8px`,
          }}
        >
          <span className={styles.payer}>{payer}</span>{' '}
          {amount === null ? 'the rest' : formatTenThousandths(amount)}
        </li>
      ))}
    </ol>
  );
}
