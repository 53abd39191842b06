/** An icon of 24 by 24, built as elements: the content security policy allows no markup from text. */
export function drawIcon(shape: string): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const icon = document.createElementNS(space, 'svg');
  icon.setAttribute('viewBox', '0 0 24 24');
  icon.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', shape);
  icon.append(path);
  return icon;
}
