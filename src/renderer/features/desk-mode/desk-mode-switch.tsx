import { Stack, Switch } from '@mantine/core';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useDeskMode } from '../../lib/use-desk-mode.ts';

/** The same as a setting, with what it does in words. */
export function DeskModeSwitch() {
  const { isOn, isChanging, error, toggle } = useDeskMode();
  return (
    <Stack gap="xs">
      <Switch
        label="Desk mode"
        description="For a screen that people pass by: birth dates, diagnoses, remarks and notes are masked in every list, page, copy and export, and no SSN can be shown."
        checked={isOn}
        disabled={isChanging}
        onChange={toggle}
      />
      {error !== null && <ErrorNotice error={error} />}
    </Stack>
  );
}
