import { z } from 'zod';
import { reimbursementRulesSchema } from '../rules/money/reimbursement.ts';
import { planRulesSchema } from '../rules/plans/plan-rules.ts';
import { runLayoutSchema } from '../rules/review/run-layout.ts';
import { teamSettingsSchema } from '../rules/review/team-settings.ts';
import { tableFormats } from './export.ts';

export const settingsSchema = z.object({
  theme: z.enum(['system', 'light', 'dark']),
  lockAfterMinutes: z.int().min(1).max(60),
  density: z.enum(['compact', 'comfortable']),
  /** The age at which a key is due for rotation; 0: no reminder. */
  keyReminderDays: z.int().min(0).max(3650),
  /** The age of the last sync at which the next one starts automatically; 0: never. */
  autoRefreshMinutes: z.int().min(0).max(1440),
  /** How many claims you want to review a day, shown on Start; 0: no goal. */
  reviewsADay: z.int().min(0).max(1000),
  /** Also masks dates of birth, diagnoses and notes, for screens that others can see. */
  isDeskMode: z.boolean(),
  /** Desktop app only: downloads a newer version and installs it when the app is quit. */
  installsUpdates: z.boolean(),
  /** The month in which plan years begin; 1: the calendar year. */
  planYearStart: z.int().min(1).max(12),
  /** How long audit entries are stored. */
  auditYears: z.int().min(1).max(50),
  /** The month in which plan years begin, for employers where it differs, by `employerKeyOf`. */
  planYearStarts: z.record(z.string().max(2100), z.int().min(1).max(12)),
  /** The first day of service of claims to be reviewed, by workspace ID; otherwise the first day of the plan year. */
  reviewsFrom: z.record(z.string().max(120), z.iso.date()),
  /** The reimbursement rules: by `employerKeyOf` for one employer, by `serviceOf` for all others. */
  reimbursementRules: z.record(z.string().max(2100), reimbursementRulesSchema),
  /** Deductibles, out-of-pocket maximums and accounts by plan year, by the same keys; without: none are counted. */
  planRules: z.record(z.string().max(2100), planRulesSchema),
  /** The file of a reimbursement run, by the same keys as the rules. */
  runLayouts: z.record(z.string().max(2100), runLayoutSchema),
  /** The choices for why a claim is declined, in their order, by workspace ID; otherwise `usualCauses`. */
  declineCauses: z.record(z.string().max(120), z.array(z.string().trim().min(1).max(200)).max(50)),
  /**
   * The settings of teams, by workspace ID; `settingsOf` applies them. They change only by entries of the team's log.
   */
  ofTeams: z.record(z.string().max(120), teamSettingsSchema),
  /** The workspaces of whose team all documents are kept on this computer; of others, those that were opened. */
  keepsTeamDocuments: z.array(z.string().max(120)),
  /** The folder of backups elsewhere; empty: none are made. */
  backupFolder: z.string().max(4000),
  /** How many days keep their newest backup there. */
  backupsKept: z.int().min(1).max(365),
  exportFormat: z.enum(tableFormats),
  /** Whether the last export was to be signed. */
  exportIsSigned: z.boolean(),
});
export type Settings = z.infer<typeof settingsSchema>;

/** The value of each setting until the user changes it. */
export const defaultSettings: Settings = {
  theme: 'system',
  lockAfterMinutes: 10,
  density: 'compact',
  keyReminderDays: 365,
  autoRefreshMinutes: 30,
  reviewsADay: 0,
  isDeskMode: false,
  installsUpdates: true,
  planYearStart: 1,
  auditYears: 6,
  planYearStarts: {},
  reviewsFrom: {},
  reimbursementRules: {},
  planRules: {},
  runLayouts: {},
  declineCauses: {},
  ofTeams: {},
  keepsTeamDocuments: [],
  backupFolder: '',
  backupsKept: 14,
  exportFormat: 'xlsx',
  exportIsSigned: false,
};
