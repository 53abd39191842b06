import { z } from 'zod';
import { appealAnswerLabels, appealAnswers, isOverturned, mayAnswer } from '../appeals.ts';
import { day, longText } from '../decision.ts';
import { actKind } from '../event-kind.ts';

export const answerAppeal = actKind({
  /** `appealId` is the ID of the event that added the appeal. */
  schema: z.object({
    kind: z.literal('answerAppeal'),
    appealId: z.string().max(60),
    answer: z.enum(appealAnswers),
    day,
    letterDay: day.nullable(),
    reason: longText,
  }),
  counted: ['answered appeal'],
  words: ({ answer }) => `Appeal ${appealAnswerLabels[answer].toLowerCase()}`,
  detail: ({ reason }) => reason,
  isEffective({ appeals }, { place, author, fact }) {
    const asked = appeals.find(({ id }) => id === fact.appealId);
    if (asked?.answered !== null) return false;
    // Without a team there may be only one admin. In a team, the author of an event from a file is unknown.
    return place === undefined || (place !== null && (place.seen === null || mayAnswer(asked, author)));
  },
  fold(fold, { at, author, fact }) {
    const { review } = fold;
    const asked = review.appeals.find(({ id }) => id === fact.appealId);
    if (asked === undefined) return;
    const { answer, letterDay, reason } = fact;
    asked.answered = { answer, day: fact.day, letterDay, reason, author, at };
    // If the carrier overturned something, it sends a new record.
    if (!isOverturned(asked)) return;
    fold.decided = { state: 'todo', outcome: null };
    Object.assign(review, { ...fold.decided, reason });
  },
  refuse: ({ day: answeredOn, letterDay }) =>
    letterDay !== null && letterDay < answeredOn ? 'usage.invalid' : null,
  refuseOn({ appealId, day: answeredOn }, review, { author, isInTeam }) {
    const asked = review?.appeals.find(({ id }) => id === appealId);
    if (asked === undefined || asked.answered !== null) return 'appeal.unknown';
    if (answeredOn < asked.day) return 'usage.invalid';
    return isInTeam && !mayAnswer(asked, author) ? 'appeal.decidedByYou' : null;
  },
  isOfOneClaim: true,
  decidesNothing: true,
  isShownSaved: true,
  texts: ['reason'],
  isPlaced: true,
});
