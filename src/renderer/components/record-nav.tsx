import { IconArrowLeft } from '@tabler/icons-react';
import { useSingleKeys } from '../lib/use-single-keys.ts';
import styles from './record-nav.module.css';
import { SmallButton } from './small-button.tsx';

/** The button back to the list, also by Esc. */
export function BackButton({ label, onBack }: { label: string; onBack: () => void }) {
  useSingleKeys({ Escape: onBack });
  return (
    <SmallButton
      variant="subtle"
      data-back
      aria-label={label}
      title={label}
      leftSection={<IconArrowLeft size={14} aria-hidden />}
      classNames={{ label: styles.label }}
      onClick={onBack}
    >
      {label}
    </SmallButton>
  );
}
