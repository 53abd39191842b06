import styles from './help-page.module.css';
import { findMarks } from './search-help.ts';

/** A text with the searched words highlighted. */
export function MarkedText({ text, words }: { text: string; words: readonly string[] }) {
  const marks = findMarks(text, words);
  if (marks.length === 0) return text;
  const ends = [0, ...marks.map(([, end]) => end)];
  return (
    <>
      {marks.map(([from, to], index) => (
        <span key={from}>
          {text.slice(ends[index], from)}
          <mark className={styles.mark}>{text.slice(from, to)}</mark>
        </span>
      ))}
      {text.slice(ends.at(-1))}
    </>
  );
}
