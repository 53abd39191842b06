import { NativeSelect, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Section } from '../../components/page.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';

/** A section with rules of one employer, or of all those without their own (null), chosen by `label`. */
export function ByEmployer(props: {
  title: string;
  label: string;
  about?: ReactNode;
  children: (employerId: number | null) => ReactNode;
}) {
  const { title, label, about, children } = props;
  const employers = useWorkspaceQuery('records:listEmployers').data?.employers ?? [];
  const [chosen, setChosen] = useState('');
  return (
    <Section title={title}>
      <Stack gap="sm">
        {about}
        <NativeSelect
          label={label}
          w={340}
          maw="100%"
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data={[
            { value: '', label: 'All employers without their own' },
            ...employers.map(({ id, name }) => ({ value: String(id), label: name ?? `Employer ${id}` })),
          ]}
        />
        {children(chosen === '' ? null : Number(chosen))}
      </Stack>
    </Section>
  );
}
