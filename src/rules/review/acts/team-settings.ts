import { z } from 'zod';
import { eventKind } from '../event-kind.ts';
import { maxTeamChanges } from '../team-settings.ts';

export const teamSettings = eventKind({
  schema: z.object({
    kind: z.literal('teamSettings'),
    /** Changes of `teamChangeSchema`, or of a setting that only a newer version has. */
    changes: z
      .array(z.looseObject({ setting: z.string().max(40) }))
      .min(1)
      .max(maxTeamChanges),
  }),
  counted: ['change of team settings', 'changes of team settings'],
  words: () => 'Changed team settings',
  isOfTeam: true,
});
