import { Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ConnectHeaders } from '../../../contract/connect-views.ts';
import { SmallButton } from '../../components/small-button.tsx';
import { Hint } from '../../components/text.tsx';
import { isSame } from '../../domain/list/list-settings.ts';
import styles from './connect.module.css';
import { headerLabels, headerNames, usualHeaders } from './settings-values.ts';

/** The names of request headers, which can differ between deployments. */
export function HeaderNames(props: {
  headers: ConnectHeaders;
  errors: Readonly<Record<string, string>>;
  onChange: (headers: ConnectHeaders) => void;
}) {
  const isUsual = isSame(props.headers, usualHeaders);
  const [isOpen, setIsOpen] = useState(!isUsual);
  return (
    <Stack gap="xs" align="flex-start">
      <SmallButton aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? 'Hide the names of headers' : 'Names of headers…'}
      </SmallButton>
      {isOpen && (
        <Stack gap="xs" w="100%">
          <Hint>Change these only if the service’s support says so.</Hint>
          <div className={styles.two}>
            {headerNames.map((name) => (
              <TextInput
                key={name}
                label={headerLabels[name]}
                spellCheck={false}
                autoComplete="off"
                value={props.headers[name]}
                onChange={(event) => props.onChange({ ...props.headers, [name]: event.currentTarget.value })}
                error={props.errors[name]}
              />
            ))}
          </div>
          {!isUsual && (
            <SmallButton
              variant="subtle"
              style={{ alignSelf: 'flex-start' }}
              onClick={() => props.onChange(usualHeaders)}
            >
              As usual
            </SmallButton>
          )}
        </Stack>
      )}
    </Stack>
  );
}
