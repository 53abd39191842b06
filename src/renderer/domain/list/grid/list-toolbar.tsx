import { IconSearch, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { IconButton } from '../../../components/icon-button.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { useSingleKeys } from '../../../lib/use-single-keys.ts';
import styles from './list-toolbar.module.css';

/** Search, filters and actions of a list, in one line where there is space. */
export function ListToolbar(props: {
  label: string;
  search: string;
  onSearch: (search: string) => void;
  /** Moves the focus to the first row. */
  onRows: () => void;
  filters?: ReactNode;
}) {
  const { search, onSearch } = props;
  const [typed, setTyped] = useState(search);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setTyped(search), [search]);
  useSingleKeys({ '/': () => input.current?.select() });

  const type = (text: string) => {
    setTyped(text);
    onSearch(text);
  };
  const clear = () => {
    setTyped('');
    onSearch('');
    input.current?.focus();
  };
  return (
    <search className={styles.toolbar}>
      <TextField
        className={styles.search ?? ''}
        ref={input}
        size="xs"
        type="text"
        aria-label={`Search ${props.label}`}
        placeholder={`Search ${props.label}`}
        leftSection={<IconSearch size={14} aria-hidden />}
        rightSection={
          typed !== '' && (
            <IconButton
              label="Clear search"
              icon={<IconX size={14} aria-hidden />}
              size="sm"
              onClick={clear}
            />
          )
        }
        value={typed}
        onChange={type}
        onKeyDown={(event) => {
          if (!['Enter', 'ArrowDown', 'Escape'].includes(event.key)) return;
          event.preventDefault();
          onSearch(typed);
          props.onRows();
        }}
      />
      {props.filters}
    </search>
  );
}
