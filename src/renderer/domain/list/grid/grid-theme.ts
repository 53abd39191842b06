import { themeQuartz } from 'ag-grid-community';
import type { Settings } from '../../../../contract/settings.ts';

/** The grid's theme with the colors of the window, which change without a new grid. */
export function gridThemeFor(density: Settings['density']) {
  const isCompact = density === 'compact';
  return themeQuartz.withParams({
    accentColor: 'var(--mantine-primary-color-filled)',
    backgroundColor: 'var(--mantine-color-body)',
    foregroundColor: 'var(--mantine-color-text)',
    textColor: 'var(--mantine-color-text)',
    borderColor: 'var(--desk-border)',
    chromeBackgroundColor: 'var(--desk-surface)',
    headerBackgroundColor: 'var(--desk-surface)',
    headerTextColor: 'var(--mantine-color-dimmed)',
    headerFontWeight: 600,
    headerFontSize: 12,
    headerHeight: isCompact ? 30 : 36,
    rowHeight: isCompact ? 28 : 36,
    rowHoverColor: 'var(--desk-hover)',
    oddRowBackgroundColor: 'var(--desk-stripe)',
    fontFamily: 'inherit',
    fontSize: 13,
    cellHorizontalPadding: 5,
    spacing: 6,
    iconSize: 14,
    wrapperBorder: false,
    wrapperBorderRadius: 0,
    headerColumnResizeHandleColor: 'var(--desk-border)',
    browserColorScheme: 'inherit',
    checkboxUncheckedBorderColor: 'var(--desk-control)',
    checkboxCheckedShapeColor: 'var(--mantine-color-white)',
  });
}
