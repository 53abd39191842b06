import { Text, type TextProps } from '@mantine/core';
import type { ComponentPropsWithRef } from 'react';

type Props = TextProps & Omit<ComponentPropsWithRef<'p'>, keyof TextProps>;

/** A remark of less weight than the text around it, or why there is nothing to show. */
export const Hint = (props: Props) => <Text size="sm" c="dimmed" {...props} />;

/** The same in the smallest type. */
export const SmallPrint = (props: Props) => <Text size="xs" c="dimmed" {...props} />;

/** What has come of something; screen readers say it when it appears. */
export const Status = (props: Props) => <Text size="sm" role="status" {...props} />;
