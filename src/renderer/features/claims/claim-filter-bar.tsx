import { MultiSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { type ClaimFilter, claimNetworks, claimStatuses } from './claim-filter.ts';
import styles from './claim-filter-bar.module.css';

/** The filters people use most, each a condition on one column. */
export function ClaimFilterBar(props: { filter: ClaimFilter; onChange: (filter: ClaimFilter) => void }) {
  const { filter, onChange } = props;
  const change = (part: Partial<ClaimFilter>) => onChange({ ...filter, ...part });
  const [amount, setAmount] = useState(filter.billedAtLeast);
  const changeAmountSoon = useDebouncedCallback((billedAtLeast: string) => change({ billedAtLeast }), 250);
  useEffect(() => setAmount(filter.billedAtLeast), [filter.billedAtLeast]);
  return (
    <>
      <MultiSelect
        className={styles.choice ?? ''}
        size="xs"
        aria-label="Status"
        placeholder={filter.statuses.length === 0 ? 'Any status' : ''}
        data={claimStatuses}
        value={[...filter.statuses]}
        onChange={(statuses) => change({ statuses })}
        hidePickedOptions={false}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear status' }}
      />
      <MultiSelect
        className={styles.network ?? ''}
        size="xs"
        aria-label="Network"
        placeholder={filter.networks.length === 0 ? 'Any network' : ''}
        data={claimNetworks}
        value={[...filter.networks]}
        onChange={(networks) => change({ networks })}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear network' }}
      />
      <div className={styles.dates}>
        <TextInput
          size="xs"
          type="date"
          aria-label="Service date from"
          value={filter.serviceFrom}
          onChange={(event) => change({ serviceFrom: event.currentTarget.value })}
        />
        <span aria-hidden>–</span>
        <TextInput
          size="xs"
          type="date"
          aria-label="Service date to"
          value={filter.serviceTo}
          onChange={(event) => change({ serviceTo: event.currentTarget.value })}
        />
      </div>
      <TextInput
        className={styles.amount ?? ''}
        size="xs"
        inputMode="decimal"
        aria-label="Billed at least"
        placeholder="Billed at least"
        leftSection={<span aria-hidden>$</span>}
        leftSectionWidth={22}
        value={amount}
        onChange={(event) => {
          setAmount(event.currentTarget.value);
          changeAmountSoon(event.currentTarget.value);
        }}
      />
    </>
  );
}
