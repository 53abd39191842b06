import { AnchorLink } from '../../components/links.tsx';
import { formatValue } from '../../lib/format-value.ts';

/** An employer by name, linked to its page where it has an ID; a dash where there is none. */
export function EmployerLink(props: {
  employer:
    | { readonly id?: unknown; readonly name?: unknown; readonly archived?: unknown }
    | null
    | undefined;
}) {
  const { employer } = props;
  if (typeof employer?.id !== 'number') return formatValue(employer?.name, 'text');
  return (
    <AnchorLink to="/employers/$employerId" params={{ employerId: employer.id }}>
      {`${formatEmployerName(employer.name, employer.id)}${employer.archived === true ? ' (archived)' : ''}`}
    </AnchorLink>
  );
}

export const formatEmployerName = (name: unknown, id: number | null): string =>
  typeof name === 'string' && name !== '' ? name : `Employer ${id}`;
