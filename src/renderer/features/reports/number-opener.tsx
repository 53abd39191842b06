import { formatCount, formatCountOf } from '../../../rules/count.ts';
import { TextButton } from '../../components/text-button.tsx';

/** A number that opens its claims; 0 opens nothing. */
export function NumberOpener(props: { claims: number; name: string; onOpen: () => void; share?: string }) {
  const { claims, name, share } = props;
  if (claims === 0) return '0';
  return (
    <>
      <TextButton title={`Show ${formatCountOf(claims, 'claim')}: ${name}`} onClick={props.onOpen}>
        {formatCount(claims)}
      </TextButton>
      {share !== undefined && ` (${share})`}
    </>
  );
}
