import { SmallPrint } from '../../components/text.tsx';
import styles from './connect.module.css';

/** The carrier's own text, as plain text and marked as such. */
export const CarrierSays = ({ carrierName, message }: { carrierName: string | null; message: string }) => (
  <div>
    <SmallPrint>{carrierName ?? 'The carrier'} says:</SmallPrint>
    <blockquote className={styles.quote}>{message}</blockquote>
  </div>
);
