import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ConnectHeaders } from '../../../contract/connect-settings.ts';
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
      <Button variant="default" size="compact-sm" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? 'Hide the names of headers' : 'Names of headers…'}
      </Button>
      {isOpen && (
        <Stack gap="xs" w="100%">
          <Text size="sm" c="dimmed">
            Change these only if the service’s support says so.
          </Text>
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
            <Button
              variant="subtle"
              size="compact-sm"
              style={{ alignSelf: 'flex-start' }}
              onClick={() => props.onChange(usualHeaders)}
            >
              As usual
            </Button>
          )}
        </Stack>
      )}
    </Stack>
  );
}
