import { Button, Checkbox, Group, Text } from '@mantine/core';
import type { Entity } from '../../../contract/fields.ts';
import { columnsOnShow, isSensitive, offeredFields, startColumns } from './export-columns.ts';
import styles from './export-dialog.module.css';

/** The columns of the file; sensitive ones are marked and never chosen in bulk. */
export function ColumnChoice(props: {
  entity: Entity;
  chosen: ReadonlySet<string>;
  shown: readonly string[];
  isOffered: (path: string) => boolean;
  onChange: (chosen: ReadonlySet<string>) => void;
}) {
  const { entity, chosen, onChange } = props;
  const toggle = (path: string) => {
    const next = new Set(chosen);
    if (!next.delete(path)) next.add(path);
    onChange(next);
  };
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
      <Group justify="space-between" mb={6} gap="xs">
        <Text component="legend" size="sm" fw={600} p={0}>
          Columns ({chosen.size})
        </Text>
        <Group gap={6}>
          <Button size="compact-xs" variant="default" onClick={() => onChange(new Set(startColumns(entity)))}>
            All non-sensitive
          </Button>
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => onChange(new Set(columnsOnShow(entity, props.shown)))}
          >
            Same as list
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => onChange(new Set())}>
            None
          </Button>
        </Group>
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={styles.columns} tabIndex={0} aria-label="File columns">
        {offeredFields(entity)
          .filter((spec) => props.isOffered(spec.path))
          .map((spec) => (
            <Checkbox
              key={spec.path}
              size="xs"
              checked={chosen.has(spec.path)}
              onChange={() => toggle(spec.path)}
              label={
                <>
                  {spec.label}
                  {isSensitive(spec) && <span className={styles.sensitive}>sensitive</span>}
                </>
              }
            />
          ))}
      </section>
    </fieldset>
  );
}
