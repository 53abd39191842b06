import { NumberInput } from '@mantine/core';

const dollar = 10_000;

/** An amount in ten-thousandths of a dollar, typed in dollars and cents; empty: null. */
export function MoneyInput(props: {
  label: string;
  value: number | null;
  onChange: (amount: number | null) => void;
  description?: string;
}) {
  const { label, value, onChange, description } = props;
  return (
    <NumberInput
      label={label}
      description={description}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      w={150}
      min={0}
      max={10_000_000}
      decimalScale={2}
      prefix="$"
      thousandSeparator=","
      value={value === null ? '' : value / dollar}
      onChange={(typed) => onChange(typeof typed === 'number' ? Math.round(typed * 100) * 100 : null)}
    />
  );
}
