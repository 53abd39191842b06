import { createHash } from 'node:crypto';
import type { SettingsOfService } from '../../lib/engine-protocol.ts';

/** A digest of the rules by which amounts are computed, the same on every computer of a team. */
export function digestAmountRules(settings: SettingsOfService): string {
  const { service, reimbursementRules, planRules, planYearStart, planYearStarts } = settings;
  const ofService = <T>(values: Readonly<Record<string, T>>): [string, T][] =>
    Object.entries(values)
      .filter(([key]) => key === service || key.startsWith(`${service}#`))
      .map(([key, value]): [string, T] => [key.slice(service.length), value])
      .sort(([a], [b]) => (a < b ? -1 : 1));
  const all = [ofService(reimbursementRules), ofService(planRules), planYearStart, ofService(planYearStarts)];
  return createHash('sha256').update(JSON.stringify(all)).digest('base64url');
}
