import {
  Anchor,
  type AnchorProps,
  Button,
  type ButtonProps,
  NavLink,
  type NavLinkProps,
} from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

type WithAnchor<P> = P &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof P> & { ref?: Ref<HTMLAnchorElement> };

function AnchorElement(props: WithAnchor<AnchorProps>) {
  return <Anchor size="sm" underline="always" {...props} />;
}

function ButtonElement(props: WithAnchor<ButtonProps>) {
  return <Button component="a" {...props} />;
}

function SmallButtonElement(props: WithAnchor<ButtonProps>) {
  return <Button component="a" size="compact-sm" variant="default" {...props} />;
}

function NavElement(props: WithAnchor<NavLinkProps>) {
  return <NavLink component="a" {...props} />;
}

/** Links with typed addresses, looking like Mantine's own. */
export const AnchorLink = createLink(AnchorElement);
export const ButtonLink = createLink(ButtonElement);
export const SmallButtonLink = createLink(SmallButtonElement);
export const NavItemLink = createLink(NavElement);

/** A rule by its name, as a cell of a table of rules. */
export const linkRule = ({ id, name }: { id: string; name: string }) => (
  <AnchorLink to="/settings/rules/$ruleId" params={{ ruleId: id }}>
    {name}
  </AnchorLink>
);

/** A claim by its ID, as a cell of a table of claims. */
export const linkClaim = ({ claimId }: { claimId: number }) => (
  <AnchorLink to="/claims/$claimId" params={{ claimId }}>
    {claimId}
  </AnchorLink>
);
