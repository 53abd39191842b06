import { Checkbox, NativeSelect, Stack } from '@mantine/core';
import { useRef, useState } from 'react';
import type { LetterSettings } from '../../../contract/letter-settings.ts';
import type { Letter } from '../../../contract/letters.ts';
import {
  type LetterField,
  type LetterKind,
  letterFields,
  letterTable,
  requiredOf,
} from '../../../rules/letters/letter-kinds.ts';
import { LongField } from '../../components/long-field.tsx';
import { Notice } from '../../components/notice.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { TextField } from '../../components/text-field.tsx';
import styles from './letter.module.css';

interface Edited {
  readonly settings: LetterSettings;
  readonly onChange: (settings: LetterSettings) => void;
}

/** What the plan says about a reason, and what would change such a decision, where it declines. */
export function CauseFields({
  cause,
  hasChange,
  settings,
  onChange,
}: Edited & { cause: string; hasChange: boolean }) {
  const of = settings.byCause[cause] ?? { provision: '', change: '' };
  const change = (part: Partial<typeof of>) =>
    onChange({ ...settings, byCause: { ...settings.byCause, [cause]: { ...of, ...part } } });
  return (
    <>
      <LongField
        label={`What the plan says about “${cause}”`}
        description="The plan’s provision, with its section."
        value={of.provision}
        onChange={(provision) => change({ provision })}
      />
      {hasChange && (
        <LongField
          label="What would change the decision"
          description="Which documents are needed, and why."
          value={of.change}
          onChange={(next) => change({ change: next })}
        />
      )}
    </>
  );
}

/** Whom to ask, and where to write; `hasRights`: the letter says how to appeal, or the rights after an appeal. */
export function SenderFields({ settings, onChange, hasRights }: Edited & { hasRights: boolean }) {
  const change = (part: Partial<LetterSettings>) => onChange({ ...settings, ...part });
  return (
    <>
      <TextField
        label="Contact for questions"
        description="A sentence, such as: Call Ana Ruiz at 555-0100, weekdays 9 to 5."
        value={settings.contact}
        onChange={(contact) => change({ contact })}
      />
      <LongField
        label="Return address"
        description="Appeals are sent here too."
        value={settings.returnAddress}
        onChange={(returnAddress) => change({ returnAddress })}
      />
      {hasRights && (
        <>
          <Checkbox
            size="xs"
            label="The plan is under ERISA"
            checked={settings.isErisa}
            onChange={(event) => change({ isErisa: event.currentTarget.checked })}
          />
          <Checkbox
            size="xs"
            label="The plan has two levels of appeal"
            checked={settings.hasTwoLevels}
            onChange={(event) => change({ hasTwoLevels: event.currentTarget.checked })}
          />
          <TextField
            label="Days to appeal"
            inputMode="numeric"
            value={String(settings.appealDays || '')}
            onChange={(typed) => change({ appealDays: Number(typed.replace(/\D/g, '').slice(0, 4)) })}
          />
        </>
      )}
    </>
  );
}

/** "{reason} (29 CFR 2560.503-1(g)(1)(i))": the rules that ask for a field, where a law does. */
function sayRequired(field: LetterField, parts: (typeof letterTable)[LetterKind]['parts']): string {
  const rules = new Set(parts.flatMap((part) => (part.field === field && part.rule) || []));
  return rules.size === 0 ? `{${field}}` : `{${field}} (29 CFR 2560.503-1${[...rules].join(', ')})`;
}

/** The text of a kind of letter, into which fields are put from a list; a blank one is the usual text. */
export function LetterText({ kind, settings, onChange }: Edited & { kind: LetterKind }) {
  const { label, text: usual, parts } = letterTable[kind];
  const required = requiredOf(kind);
  // A text that was emptied stays so, to begin another one.
  const [isEmptied, setEmptied] = useState(false);
  const text = isEmptied ? '' : (settings.templates[kind] ?? usual);
  const cursor = useRef(text.length);
  const write = (next: string) => {
    const { [kind]: _dropped, ...others } = settings.templates;
    const isBlank = next.trim() === '';
    const isUsual = isBlank || next === usual;
    setEmptied(isBlank);
    onChange({ ...settings, templates: isUsual ? others : { ...others, [kind]: next } });
  };
  const insert = (field: string) => {
    write(`${text.slice(0, cursor.current)}{${field}}${text.slice(cursor.current)}`);
    cursor.current += field.length + 2;
  };
  return (
    <Stack gap="xs">
      <LongField
        label={`Text of “${label}”`}
        description="Plain text with fields in braces. Leave blank for the default text."
        value={text}
        onChange={write}
        onCursor={(at) => {
          cursor.current = at;
        }}
      />
      <NativeSelect
        label="Insert field"
        value=""
        onChange={(event) => event.currentTarget.value !== '' && insert(event.currentTarget.value)}
        data={[
          { value: '', label: 'Choose a field' },
          ...Object.entries(letterFields).map(([field, name]) => ({
            value: field,
            label: required.some((requiredField) => requiredField === field) ? `${name} (required)` : name,
          })),
        ]}
      />
      <SmallPrint>Required: {required.map((field) => sayRequired(field, parts)).join(', ')}.</SmallPrint>
    </Stack>
  );
}

/** A letter as it will be printed, after what it lacks. */
export function LetterPreview({ letter, missing }: { letter: Letter; missing: readonly string[] }) {
  const { addressee, isAddressed, text } = letter;
  return (
    <>
      {missing.length > 0 && (
        <Notice tone="caution" role="status" title="Missing">
          {missing.map((sentence) => (
            <div key={sentence}>{sentence}</div>
          ))}
        </Notice>
      )}
      <section aria-label="Preview">
        <pre className={styles.letter}>
          {[...addressee, ...(isAddressed ? [] : ['(address by hand)']), '', text].join('\n')}
        </pre>
      </section>
    </>
  );
}
