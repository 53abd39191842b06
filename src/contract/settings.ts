import { z } from 'zod';
import { exportFormats } from './export.ts';
import { reimbursementRulesSchema } from './reimbursement.ts';

export const settingsSchema = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  lockAfterMinutes: z.int().min(1).max(60),
  density: z.enum(['compact', 'comfortable']),
  /** The age at which a key is due for rotation; 0: no reminder. */
  keyReminderDays: z.int().min(0).max(3650),
  /** How old the last sync may get before the next begins by itself; 0: never. */
  autoRefreshMinutes: z.int().min(0).max(1440),
  /** Birth dates, diagnoses and notes are masked too, for a desk that people pass by. */
  isDeskMode: z.boolean(),
  /** Desktop app: a newer version is fetched, and installed when a person quits. */
  installsUpdates: z.boolean(),
  /** The month in which plan years begin; 1: with the calendar year. */
  planYearStart: z.int().min(1).max(12),
  /** How long audit entries are kept. */
  auditYears: z.int().min(1).max(50),
  /** The same for employers whose plan years begin in another month, by `employerKeyOf`. */
  planYearStarts: z.record(z.string().max(2100), z.int().min(1).max(12)),
  /** The first day of service whose claims are to be reviewed, by workspace ID; else that of this plan year. */
  reviewsFrom: z.record(z.string().max(120), z.iso.date()),
  /** What is reimbursed, by `employerKeyOf`; by `serviceOf` for employers without rules of their own. */
  reimbursementRules: z.record(z.string().max(2100), reimbursementRulesSchema),
  /** Why claims are declined, in the order in which they are offered, by workspace ID; else `usualCauses`. */
  declineCauses: z.record(z.string().max(120), z.array(z.string().trim().min(1).max(200)).max(50)),
  /** The form of the last export. */
  exportFormat: z.enum(exportFormats),
  /** Whether the last export was to be signed. */
  exportIsSigned: z.boolean(),
});
export type Settings = z.infer<typeof settingsSchema>;

/** What each setting is until a person chooses. */
export const defaultSettings: Settings = {
  theme: 'system',
  lockAfterMinutes: 10,
  density: 'compact',
  keyReminderDays: 365,
  autoRefreshMinutes: 0,
  isDeskMode: false,
  installsUpdates: true,
  planYearStart: 1,
  auditYears: 6,
  planYearStarts: {},
  reviewsFrom: {},
  reimbursementRules: {},
  declineCauses: {},
  exportFormat: 'xlsx',
  exportIsSigned: false,
};
