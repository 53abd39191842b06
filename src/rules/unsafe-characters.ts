/** Marks that reverse the direction of the text after them (Unicode TR9), so that a name reads as a different one. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/g;

/** Control characters (C0 and C1) except tab and line ends: programs that read a file may obey them. */
const controls = /(?![\t\n\r])\p{Cc}/gu;

const toCode = (character: string): string =>
  `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`;

/** Returns a text for display, with direction marks as their codes, "[U+202E]", instead of their effect. */
export const showDirectionMarks = (text: string): string => text.replace(directionMarks, toCode);

/** Returns a text for a file, with each control character replaced by the sign for an unreadable character. */
export const replaceControls = (text: string): string => text.replace(controls, '\ufffd');
