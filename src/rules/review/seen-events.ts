/** The position of an event in the team's log, and what its author had read of the log. */
export interface LogPosition {
  /**
   * Null: an event of this computer that is not in the log yet, so no colleague has seen it; or one whose own entry the
   * server lost (`event-places.ts`).
   */
  readonly number: number | null;
  /** The last entry that its author had read; null: everything before it. */
  readonly seen: number | null;
  /** Whether that entry is in the log. After the server was restored, another entry can have its number. */
  readonly isSameLog: boolean;
  /** The key of the author's computer: an author with two computers has not seen on one what they did on the other. */
  readonly computer: string;
}

/** An event of a team, as far as `hasSeen` needs it. `order`: its position among the events of its claim. */
export interface PlacedEvent {
  readonly at: string;
  readonly order: number;
  readonly place: LogPosition;
}

/**
 * Whether the author of an event had seen another one, with the same result on all computers of the team. Events of the
 * same computer count as seen. For events that a restored server may have lost, their times decide.
 */
export function hasSeen(event: PlacedEvent, other: PlacedEvent): boolean {
  if (event.place.computer === other.place.computer) return other.order < event.order;
  const { seen, isSameLog } = event.place;
  const { number } = other.place;
  if (seen === null) return other.order < event.order;
  return number !== null && number <= seen && (isSameLog || other.at < event.at);
}

/** Whether neither of the authors had seen the event of the other. */
export const areConcurrent = (event: PlacedEvent, other: PlacedEvent): boolean =>
  !hasSeen(event, other) && !hasSeen(other, event);
