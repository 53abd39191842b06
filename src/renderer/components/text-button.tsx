import type { ComponentPropsWithRef } from 'react';
import styles from './text-button.module.css';

/** A button that looks like a link, for example a figure in a table that opens its claims. */
export const TextButton = ({ className = '', ...button }: ComponentPropsWithRef<'button'>) => (
  <button type="button" className={`${styles.button} ${className}`} {...button} />
);
