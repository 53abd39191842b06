/** Names of people and cities. The unusual ones are real: apostrophes, commas, quotes, accents, other scripts. */

export const FIRST_NAMES: readonly string[] = (
  'James Mary Robert Patricia John Jennifer Michael Linda David Elizabeth William Barbara Richard Susan Joseph ' +
  'Jessica Thomas Sarah Charles Karen Christopher Lisa Daniel Nancy Matthew Betty Anthony Sandra Mark Margaret ' +
  'Donald Ashley Steven Kimberly Andrew Emily Paul Donna Joshua Michelle Kenneth Carol Kevin Amanda Brian Melissa ' +
  'Timothy Deborah Ronald Stephanie George Rebecca Jason Sharon Edward Laura Jeffrey Cynthia Ryan Dorothy Jacob ' +
  'Amy Gary Kathleen Nicholas Angela Eric Shirley Jonathan Emma Stephen Brenda Larry Pamela Justin Nicole Scott ' +
  'Anna Brandon Samantha Benjamin Katherine Samuel Christine Gregory Debra Alexander Rachel Patrick Olivia Frank ' +
  'Carolyn Raymond Maria Jack Janet Dennis Heather Jerry Diane Tyler Amina Wei Priya Omar Ngozi Mateo Lucia'
).split(' ');

/** Returns the gender of a first name: the common names alternate between women's and men's. */
export function genderOfName(name: string): 'F' | 'M' {
  const at = FIRST_NAMES.indexOf(name);
  const isMans = at === -1 ? ['José', 'André', 'Łukasz'].includes(name) : at % 2 === 0;
  return isMans ? 'M' : 'F';
}

export const namesOfGender = (gender: 'F' | 'M', names: readonly string[]): readonly string[] =>
  names.filter((name) => genderOfName(name) === gender);

export const LAST_NAMES: readonly string[] = (
  'Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Gonzalez Wilson ' +
  'Anderson Thomas Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark Ramirez Lewis ' +
  'Robinson Walker Young Allen King Wright Scott Torres Nguyen Hill Flores Green Adams Nelson Baker Hall Rivera ' +
  'Campbell Mitchell Carter Roberts Gomez Phillips Evans Turner Diaz Parker Cruz Edwards Collins Reyes Stewart ' +
  'Morris Morales Murphy Cook Rogers Gutierrez Ortiz Morgan Cooper Peterson Bailey Reed Kelly Howard Ramos Kim ' +
  'Cox Ward Richardson Watson Brooks Chavez Wood James Bennett Gray Mendoza Ruiz Hughes Price Alvarez Castillo ' +
  'Sanders Patel Myers Long Ross Foster Jimenez Powell Jenkins Perry Russell Sullivan Bell Coleman Butler ' +
  'Henderson Barnes Fisher Vasquez Simmons Graham Murray Ford Castro Marshall Owens Harrison McDonald Woods'
).split(' ');

export const ODD_FIRST_NAMES: readonly string[] = (
  `D'Andre|Zoë|José|Renée|Mary-Jane|Łukasz|Bjørn|Søren|محمد|שרה|小明|さくら|지우|Ngọc|Robert "Bob"|J. P.|` +
  'Zoe\u0301|Ιωάννα|Дмитрий'
).split('|');

export const ODD_LAST_NAMES: readonly string[] = (
  "O'Brien|O’Neill|D'Angelo|Smith, Jr.|García Márquez|Müller-Lüdenscheidt|van der Berg|Nguyễn|الأحمد|" +
  `כהן|王|田中|김|Strauß|Ó Súilleabháin|de la "Cruz"|Null|True|-Lind|=Andersson|+Pereira|@Home|'t Hooft|` +
  'Љубојевић'
).split('|');

/** Accented names, for the ordinary corpus. */
export const ACCENTED_FIRST_NAMES: readonly string[] =
  'Zoë José Renée Mary-Jane Chloé André Łukasz Ngọc'.split(' ');
export const ACCENTED_LAST_NAMES: readonly string[] =
  "O'Brien|O'Neill|D'Angelo|García|Nuñez|Müller|van der Berg|Smith-Jones|Nguyễn".split('|');

export const STREETS: readonly string[] = (
  'Main St|Oak Ave|Maple Dr|Cedar Ln|Pine St|Elm St|Washington Blvd|Lake Rd|Hill St|Park Ave|' +
  'Walnut St|Spring St|North St|Ridge Rd|Church St|Willow Way|Mill Rd|River Rd'
).split('|');

/** City, state, and the first three digits of the postal code; some start with a zero. */
export const CITIES: readonly (readonly [string, string, string])[] = [
  ['Cleveland', 'OH', '441'],
  ['Boston', 'MA', '021'],
  ['Newark', 'NJ', '071'],
  ['Hartford', 'CT', '061'],
  ['Austin', 'TX', '787'],
  ['Denver', 'CO', '802'],
  ['Seattle', 'WA', '981'],
  ['Atlanta', 'GA', '303'],
  ['Chicago', 'IL', '606'],
  ['Phoenix', 'AZ', '850'],
  ['Portland', 'ME', '041'],
  ['San José', 'CA', '951'],
  ['Cañon City', 'CO', '812'],
  ["Coeur d'Alene", 'ID', '838'],
  ['Providence', 'RI', '029'],
  ['Omaha', 'NE', '681'],
];

/** Texts that a spreadsheet would run as formulas, mistake for numbers, or break a line on. */
export const ODD_REMARKS: readonly string[] = [
  '=1+1',
  '=HYPERLINK("http://example.invalid","see")',
  '+1 (216) 555-0100 called',
  '-not on file-',
  '@reprocess',
  '00012345',
  '123456789012345678901234567890',
  'Line one\nLine two',
  'Carriage\r\nreturn',
  'Tab\there; semicolon, comma, "quote"',
  'مراجعة المطالبة',
  '‏נשלח שוב‏',
  '再審査中',
  '🩺 follow-up',
  ' leading and trailing ',
  '1e5',
  '2025-09-15',
  'TRUE',
  '\u0000NUL inside\u0000',
  '<b>not bold</b><img src=x onerror=alert(1)>',
];

/** Reasons why a claim or a part of it was not paid. */
export const DENIAL_REASONS: readonly string[] = [
  'Service is not covered under the plan.',
  'Duplicate of a claim already considered.',
  'Prior authorization was not obtained before the service.',
  'The provider did not send the information requested.',
  'Coverage was not in effect on the date of service.',
  'The claim was received after the filing limit.',
  'Not medically necessary as documented.',
];

export const PREVENTIVE_REMARK = 'Preventive service, no cost share.';

export const REMARKS: readonly string[] = [
  'Deductible applied.',
  'Paid at the negotiated rate.',
  'Coordination of benefits: other coverage on file.',
  'Prior authorization on file.',
  'Charge exceeds the maximum allowed amount.',
  PREVENTIVE_REMARK,
  'Duplicate of a claim already considered.',
  'Service is not covered under the plan.',
  'Additional information requested from the provider.',
];
