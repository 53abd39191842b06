import { readFact } from '../../../../rules/review/fold-review.ts';
import { foldTeamSettings } from '../../../../rules/review/team-settings.ts';
import type { readTeamFacts } from './kept-facts.ts';

/** The settings of a team by its facts, with changes of this computer that were not sent yet. */
export function foldSettingFacts({ kept, unsent }: ReturnType<typeof readTeamFacts>) {
  const sent = [...kept, ...unsent.map((row) => ({ ...row, role: 'admin' as const }))];
  return foldTeamSettings(
    sent.flatMap(({ fact: text, ...row }) => {
      const fact = readFact(text);
      return fact?.kind === 'teamSettings' ? [{ ...row, changes: fact.changes }] : [];
    }),
  );
}
