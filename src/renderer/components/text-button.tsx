import type { ComponentPropsWithRef } from 'react';
import styles from './text-button.module.css';

/** A button that looks like a link: in tables, for the claims behind a figure. */
export const TextButton = ({ className = '', ...button }: ComponentPropsWithRef<'button'>) => (
  <button type="button" className={`${styles.button} ${className}`} {...button} />
);
