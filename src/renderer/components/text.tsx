import { Text, type TextProps } from '@mantine/core';
import type { ComponentPropsWithRef } from 'react';

type Props = TextProps & Omit<ComponentPropsWithRef<'p'>, keyof TextProps>;

/** A remark in smaller, lighter text, or why there is nothing to show. */
export const Hint = (props: Props) => <Text size="sm" c="dimmed" {...props} />;

/** Renders a `Hint` in the smallest size. */
export const SmallPrint = (props: Props) => <Text size="xs" c="dimmed" {...props} />;

/** The result of an action; screen readers announce it when it appears. */
export const Status = (props: Props) => <Text size="sm" role="status" {...props} />;
