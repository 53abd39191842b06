import { Text } from '@mantine/core';
import styles from './connect.module.css';

/** The carrier's own text, as plain text and marked as such. */
export function CarrierSays({ carrierName, message }: { carrierName: string | null; message: string }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {carrierName ?? 'The carrier'} says:
      </Text>
      <blockquote className={styles.quote}>{message}</blockquote>
    </div>
  );
}
