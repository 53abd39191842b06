import { Progress } from '@mantine/core';

/**
 * A progress bar. Screen readers read `text`; it replaces Mantine's attributes, which would be "7.291666666666667%".
 * `share` is from 0 to 1, or null where it is not known.
 */
export function ProgressBar(props: {
  label: string;
  text: string;
  share: number | null;
  isAnimated?: boolean;
  className?: string | undefined;
  /** Its height in pixels. */
  size?: number;
}) {
  const percent = props.share === null ? 100 : Math.floor(100 * props.share);
  return (
    <Progress.Root size={props.size ?? 'lg'} className={props.className ?? ''}>
      <Progress.Section
        value={percent}
        animated={props.isAnimated === true || props.share === null}
        withAria={false}
        role="progressbar"
        aria-label={props.label}
        aria-valuetext={props.text}
        aria-valuemin={0}
        aria-valuemax={100}
        {...(props.share === null ? {} : { 'aria-valuenow': percent })}
      />
    </Progress.Root>
  );
}
